"""Whatever a program or a CRD package is made of changes its key, so that the cache never gives an older one."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tools import cache, programs, sdk, setup
from tools.programs import Beside, Embed, Program

ETCD = programs.named("etcd")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the keys are made of."""
    place = tmp_path / "clone"
    left = shutil.ignore_patterns("__pycache__", "schema.json", "generated")
    for name in ("tools", "crds"):
        shutil.copytree(cache.ROOT / name, place / name, ignore=left)
    for name in ("pyproject.toml", "uv.lock"):
        shutil.copyfile(cache.ROOT / name, place / name)
    monkeypatch.setattr(cache, "ROOT", place)
    monkeypatch.setattr(programs, "TOOLS", place / "tools")
    monkeypatch.setattr(sdk, "CRDS", place / "crds")
    return place


def change(file: Path) -> None:
    content = file.read_bytes()
    middle = len(content) // 2
    file.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])


def state() -> str:
    return setup.pins(programs.load())


@pytest.mark.parametrize("name", ["go.sum", "go.mod", "main.go"])
def test_one_byte_of_a_programs_sources_changes_its_key_and_no_other(root: Path, name: str) -> None:
    before = {program.name: program.key for program in programs.load()}
    change(root / "tools/go/etcd" / name)
    after = {program.name: program.key for program in programs.load()}
    assert [name for name in before if before[name] != after[name]] == ["etcd"], "only what changed is built anew"


def test_a_second_go_file_changes_the_key_of_its_program(root: Path) -> None:
    before = programs.named("etcd").key
    (root / "tools/go/etcd/more.go").write_text("package main\n")
    assert programs.named("etcd").key != before, "go build takes every Go file of the folder"


@pytest.mark.usefixtures("root")
def test_the_schema_that_the_build_fetches_itself_does_not_change_the_key(root: Path) -> None:
    before = programs.named("pulumi-resource-kubernetes").key
    (root / "tools/go/pulumi-kubernetes/schema.json").write_text("{}")
    assert programs.named("pulumi-resource-kubernetes").key == before, "it comes from a pinned module"


@pytest.mark.parametrize(
    "changed",
    [
        replace(ETCD, stamp=("main.version=3.6.13",)),
        replace(ETCD, version="3.6.13"),
        replace(ETCD, package="./other"),
        replace(ETCD, compile=("all=-N",)),
        replace(ETCD, beside=Beside(module="example.test/tiny", files=("file",))),
        replace(ETCD, embed=Embed(module="example.test/tiny", file="file", to="file")),
    ],
    ids=["stamp", "version", "package", "compile", "beside", "embed"],
)
def test_one_word_of_a_programs_row_changes_its_key(changed: Program) -> None:
    assert changed.key != ETCD.key


def test_a_stamp_in_the_file_changes_the_key(root: Path) -> None:
    before = programs.named("crane").key
    file = root / "tools/programs.toml"
    file.write_text(file.read_text().replace("cmd.Version=0", "cmd.Version=1"))
    assert programs.named("crane").key != before


@pytest.mark.parametrize("system", ["Darwin", "Linux", "FreeBSD"])
def test_two_systems_that_share_a_home_do_not_share_programs(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    keys: set[str] = set()
    for machine in ("x86_64", "arm64"):
        monkeypatch.setattr("platform.system", lambda: system)
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        keys.add(programs.named("etcd").key)
    assert len(keys) == 2


@pytest.mark.parametrize("name", ["crds/lock.toml", "crds/own/c5c3.io.yaml", "crds/generator/prepare.py"])
def test_one_byte_of_what_the_crd_packages_are_made_of_changes_their_key(root: Path, name: str) -> None:
    before, ready = sdk.key(), state()
    change(root / name)
    assert sdk.key() != before
    assert state() != ready, "else a clone that was ready would not look"


def test_a_new_own_crd_changes_the_key_of_the_packages(root: Path) -> None:
    before = sdk.key()
    (root / "crds/own/new.example.yaml").write_text("")
    assert sdk.key() != before


@pytest.mark.parametrize("name", sdk.MAKERS)
def test_a_program_that_makes_the_packages_changes_their_key(root: Path, name: str) -> None:
    before = sdk.key()
    change(root / "tools/go" / programs.named(name).module / "go.sum")
    assert sdk.key() != before


@pytest.mark.parametrize("name", ["uv.lock", "pyproject.toml", "tools/uv.txt", "tools/go/etcd/go.sum"])
def test_one_byte_of_a_pin_makes_a_clone_that_was_ready_look_again(root: Path, name: str) -> None:
    before = state()
    change(root / name)
    assert state() != before


def test_a_key_tells_where_one_part_ends_and_the_next_begins(tmp_path: Path) -> None:
    assert cache.digest("ab", "c") != cache.digest("a", "bc")
    for name in ("one", "two"):
        (tmp_path / name).write_text("same")
    assert cache.digest(tmp_path / "one") != cache.digest(tmp_path / "two"), "a file's name counts"


@pytest.mark.parametrize("flags", ["FLAGS", "LINKER"])
def test_another_build_flag_changes_every_key(flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [program.key for program in programs.load()]
    monkeypatch.setattr(programs, flags, ("-another",))
    assert not set(before) & {program.key for program in programs.load()}, "the same sources give other bytes"
