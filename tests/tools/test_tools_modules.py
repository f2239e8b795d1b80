"""A module's zip with one other byte is never used, and does not stay in the cache."""

import base64
import hashlib
import shutil
import zipfile
from pathlib import Path

import pytest

from crds.generator import modules
from crds.generator.lock import Module
from tests.tools.clone import Clone
from tools.problem import Problem

NAME, VERSION = "example.test/Tiny", "v1.0.0"
FILES = {"go.mod": f"module {NAME}\n", "tiny.go": "package tiny\n\n// words, words and more words\nconst A = 1\n"}
OTHER = "h1:" + "A" * 43 + "="


class Proxy:
    """A module proxy that is a folder, and a cache of the test's own."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clone = Clone(place)
        for name, value in self.clone.environment(GOPROXY=(place / "proxy").as_uri() + "/").items():
            monkeypatch.setenv(name, value)
        self.served = place / "proxy/example.test/!tiny/@v/v1.0.0.zip"
        self.served.parent.mkdir(parents=True)
        with zipfile.ZipFile(self.served, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in FILES.items():
                archive.writestr(f"{NAME}@{VERSION}/{name}", text)
        self.module = Module(module=NAME, version=VERSION, h1=modules.h1(self.served))
        self.kept = self.clone.cache / "modules" / "example.test+Tiny@v1.0.0.zip"

    def damage(self, file: Path, position: int, bits: int = 0xFF) -> None:
        content = bytearray(file.read_bytes())
        content[position] ^= bits
        file.write_bytes(content)

    def refuses(self) -> str:
        """What is said of the module, of which nothing may then be in the cache."""
        with pytest.raises(Problem) as refused:
            modules.read(self.module, "tiny.go")
        assert self.clone.cached() == [], "the bad zip is gone from the cache"
        return str(refused.value)


@pytest.fixture
def proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Proxy:
    return Proxy(tmp_path, monkeypatch)


def inside(zipped: Path) -> int:
    """The place of a byte of the second file's compressed content."""
    with zipfile.ZipFile(zipped) as archive:
        info = archive.infolist()[1]
        return info.header_offset + 30 + len(info.filename) + 20


def test_the_pinned_module_is_read_and_kept(proxy: Proxy) -> None:
    assert modules.read(proxy.module, "tiny.go") == FILES["tiny.go"]
    proxy.served.unlink()
    assert modules.read(proxy.module, "go.mod") == FILES["go.mod"], "the second time, no proxy is asked"


def test_a_module_whose_content_is_another_is_refused_with_both_hashes(proxy: Proxy) -> None:
    with zipfile.ZipFile(proxy.served, "a") as archive:
        archive.writestr(f"{NAME}@{VERSION}/more.go", "package tiny\n")
    said = proxy.refuses()
    assert f"{NAME} {VERSION} is not the pinned module" in said, "which module"
    assert f"expected {proxy.module.h1}, found {modules.h1(proxy.served)}" in said, "both hashes"
    assert "Nothing of it was used" in said
    assert "run the same command again" in said, "the next step"


def test_one_changed_byte_of_a_downloaded_module_is_refused(proxy: Proxy) -> None:
    proxy.damage(proxy.served, inside(proxy.served))
    said = proxy.refuses()
    assert f"expected {proxy.module.h1}, found a file that is no whole zip" in said, said


def test_any_changed_byte_is_refused_with_the_sentence_or_changes_nothing(proxy: Proxy) -> None:
    """zipfile raises half a dozen kinds of errors, each of which would be a traceback."""
    whole = proxy.served.read_bytes()
    proxy.kept.parent.mkdir(parents=True)
    harmless = 0
    for position in range(len(whole)):
        proxy.kept.write_bytes(whole)
        proxy.damage(proxy.kept, position, bits=1 << position % 8)
        try:
            assert modules.read(proxy.module, "tiny.go") == FILES["tiny.go"]
            harmless += 1  # a date, or what only an unpacking program looks at
        except Problem as refused:
            assert f"expected {proxy.module.h1}, found" in str(refused)  # noqa: PT017  (either outcome is right)
            assert not proxy.kept.exists()
    assert 0 < harmless < len(whole) / 2


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.99])
def test_a_truncated_download_is_refused(proxy: Proxy, part: float) -> None:
    whole = proxy.served.read_bytes()
    proxy.served.write_bytes(whole[: int(part * len(whole))])
    assert "found a file that is no whole zip" in proxy.refuses()


def test_a_zip_that_was_damaged_in_the_cache_is_refused_and_fetched_again_the_next_time(proxy: Proxy) -> None:
    modules.verified(proxy.module)
    proxy.damage(proxy.kept, inside(proxy.kept))
    assert f"expected {proxy.module.h1}, found" in proxy.refuses()
    assert modules.read(proxy.module, "tiny.go") == FILES["tiny.go"], "the sentence says: run it again"


def test_another_pin_refuses_the_module_that_was_right_before(proxy: Proxy) -> None:
    right = modules.verified(proxy.module)
    assert right == proxy.kept
    found = proxy.module.h1
    proxy.module = proxy.module.model_copy(update={"h1": OTHER})
    assert f"expected {OTHER}, found {found}" in proxy.refuses()


def test_a_file_that_the_module_has_not_is_named_with_the_row_to_mend(proxy: Proxy) -> None:
    with pytest.raises(Problem, match=r"crds/lock\.toml: example\.test/Tiny v1\.0\.0 has no file none\.yaml"):
        modules.read(proxy.module, "none.yaml")


def test_the_hash_is_the_documented_one_of_go(tmp_path: Path) -> None:
    """Hash1: SHA-256 over a line for each file, in the order of their names: its SHA-256, two blanks, its name."""
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("m@v1/b", "B")
        archive.writestr("m@v1/a", "A")
    lines = "".join(f"{hashlib.sha256(text).hexdigest()}  m@v1/{name}\n" for name, text in ((("a"), b"A"), ("b", b"B")))
    expected = "h1:" + base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()
    assert modules.h1(tmp_path / "zip") == expected


def test_the_order_and_packing_of_a_zip_do_not_count_but_its_names_do(tmp_path: Path) -> None:
    def packed(name: str, files: list[str], method: int) -> str:
        with zipfile.ZipFile(tmp_path / name, "w", method) as archive:
            for file in files:
                archive.writestr(f"m@v1/{file}", "words " * 9)
        return modules.h1(tmp_path / name)

    one = packed("one", ["a", "b"], zipfile.ZIP_STORED)
    assert packed("two", ["b", "a"], zipfile.ZIP_DEFLATED) == one, "as in Go, whose proxies pack differently"
    assert packed("three", ["a", "c"], zipfile.ZIP_STORED) != one


def test_two_versions_of_a_module_do_not_share_a_place(proxy: Proxy) -> None:
    second = proxy.served.with_name("v2.0.0.zip")
    shutil.copyfile(proxy.served, second)
    newer = proxy.module.model_copy(update={"version": "v2.0.0"})
    assert modules.verified(proxy.module) != modules.verified(newer)
