"""The real go refuses a module whose bytes are not those of go.sum, and its report becomes one sentence."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from crds.generator import modules
from tests.tools.clone import Clone, real_environment, real_go, sentence
from tools import problem

GO_MOD = "module example.test/tiny\n\ngo 1.21\n"
WRONG = "h1:" + "A" * 43 + "="


class RealGo:
    """A clone whose etcd is a tiny program, built by the real go from a module proxy that is a folder."""

    def __init__(self, place: Path) -> None:
        self.clone = Clone(place)
        (self.clone.path / "go").unlink()
        self.proxy = place / "proxy"
        self.zip = self._serve()
        self.source = self.clone.root / "tools/go/etcd"
        self.environment = {**real_environment(self.clone.path), "GOPROXY": self.proxy.as_uri(), "GONOSUMDB": "*"}
        version = self.go("env", "GOVERSION").stdout.split()[0]
        require = "require example.test/tiny v1.0.0\n"
        (self.source / "go.mod").write_text(f"module cobaltcore/tiny\n\ngo 1.21\n\ntoolchain {version}\n\n{require}")
        (self.source / "main.go").write_text('package main\n\nimport _ "example.test/tiny"\n\nfunc main() {}\n')

    def _serve(self) -> Path:
        folder = self.proxy / "example.test/tiny/@v"
        folder.mkdir(parents=True)
        (folder / "v1.0.0.info").write_text(json.dumps({"Version": "v1.0.0"}))
        (folder / "v1.0.0.mod").write_text(GO_MOD)
        with zipfile.ZipFile(folder / "v1.0.0.zip", "w") as archive:
            archive.writestr("example.test/tiny@v1.0.0/go.mod", GO_MOD)
            archive.writestr("example.test/tiny@v1.0.0/tiny.go", "package tiny\n")
        return folder / "v1.0.0.zip"

    def pin(self, zipped: str) -> None:
        """Write go.sum; Go hashes a go.mod alone as a folder of that one file."""
        with zipfile.ZipFile(self.proxy / "mod", "w") as archive:
            archive.writestr("go.mod", GO_MOD)
        lines = f"example.test/tiny v1.0.0 {zipped}\nexample.test/tiny v1.0.0/go.mod {modules.h1(self.proxy / 'mod')}\n"
        (self.source / "go.sum").write_text(lines)

    def go(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = self.clone.environment(**self.environment, GOTOOLCHAIN="local", GOFLAGS="-modcacherw")
        command = [str(real_go() / "go"), *arguments]
        return subprocess.run(
            command, cwd=self.source, env=environment, capture_output=True, text=True, timeout=30, check=False
        )


@pytest.fixture
def tiny(tmp_path: Path) -> RealGo:
    return RealGo(tmp_path)


def test_a_build_refuses_a_module_that_go_sum_does_not_know_with_both_hashes(tiny: RealGo) -> None:
    tiny.pin(WRONG)
    said = sentence(tiny.clone.run("setup", "sandbox", **tiny.environment))
    assert said.startswith("etcd 3.6.12: the downloaded module example.test/tiny@v1.0.0 is not the pinned one"), said
    assert f"expected {WRONG}, found {modules.h1(tiny.zip)}." in said, "both hashes, and Go's is ours"
    assert "Nothing of it was used" in said
    assert "run the same command again" in said, "the next step"
    assert len(said.splitlines()) == 1, said
    assert tiny.clone.cached() == ["lock"], "nothing is built of it"


def test_one_changed_byte_that_the_proxy_serves_is_refused_by_the_right_go_sum(tiny: RealGo) -> None:
    right = modules.h1(tiny.zip)
    tiny.pin(right)
    tiny.zip.write_bytes(tiny.zip.read_bytes().replace(b"package tiny", b"package tinx"))
    with zipfile.ZipFile(tiny.zip, "w") as archive:
        archive.writestr("example.test/tiny@v1.0.0/go.mod", GO_MOD)
        archive.writestr("example.test/tiny@v1.0.0/tiny.go", "package tinx\n")
    said = sentence(tiny.clone.run("setup", "sandbox", **tiny.environment))
    assert f"expected {right}, found {modules.h1(tiny.zip)}." in said, said


def test_the_report_of_a_download_alone_becomes_the_same_sentence(tiny: RealGo, tmp_path: Path) -> None:
    tiny.pin(WRONG)
    done = tiny.go("mod", "download", "example.test/tiny")
    assert done.returncode != 0
    said = str(problem.from_output("etcd: fetching example.test/tiny", done.stdout + done.stderr, tmp_path))
    assert "the downloaded module example.test/tiny@v1.0.0 is not the pinned one" in said, said
    assert f"expected {WRONG}, found {modules.h1(tiny.zip)}." in said, said


def test_a_module_of_the_right_hash_is_taken_by_go(tiny: RealGo) -> None:
    """Else the refusals above might have any other cause."""
    tiny.pin(modules.h1(tiny.zip))
    done = tiny.go("mod", "download", "example.test/tiny")
    assert done.returncode == 0, done.stderr
    assert (tiny.clone.path / "modules/example.test/tiny@v1.0.0/tiny.go").read_text() == "package tiny\n"
