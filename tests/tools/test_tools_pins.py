"""What the set-up pins is said in several files, for tools that read only their own; all must say the same."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from crds.generator import package
from tests.tools.clone import uv_version
from tools import cache
from tools.programs import Program, load

PROJECT: dict[str, Any] = tomllib.loads((cache.ROOT / "pyproject.toml").read_text())
PROGRAMS = load()

each = pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])


def required(module: str, mod: Path) -> str:
    """The version of a module in a go.mod."""
    found = re.search(rf"^\s*(?:require )?{re.escape(module)} (v\S+)", mod.read_text(), re.MULTILINE)
    assert found, f"{mod} requires no {module}"
    return found[1]


@each
def test_the_version_of_a_program_is_that_of_its_module(program: Program) -> None:
    if program.pin is not None:
        assert required(program.pin, program.source / "go.mod") == f"v{program.version}", "programs.toml and go.mod"


@each
def test_every_program_has_a_toolchain_so_that_all_build_the_same_bytes(program: Program) -> None:
    assert re.fullmatch(r"go1\.\d+\.\d+", program.toolchain), f"no exact Go release in {program.source}/go.mod"


@each
def test_every_program_has_the_hashes_of_its_modules(program: Program) -> None:
    sums = program.source / "go.sum"
    assert sums.exists(), "without it, whatever the proxy serves would be built"
    lines = sums.read_text().splitlines()
    assert lines, "without it, whatever the proxy serves would be built"
    assert [line for line in lines if not re.fullmatch(r"\S+ v\S+ h1:[A-Za-z0-9+/]{43}=", line)] == []
    if program.pin is not None:
        assert f"{program.pin} v{program.version}" in {" ".join(line.split()[:2]) for line in lines}


@each
def test_the_stamps_of_a_program_name_its_version(program: Program) -> None:
    """A stamp is what the program answers when it is asked; Kubernetes has its parts as well."""
    parts = program.version.split(".")
    said = [stamp.rsplit("=", 1)[1].removeprefix("v") for stamp in program.stamp]
    assert set(said) <= {program.version, *parts[:2]}, "a stamp was forgotten when the version changed"


def test_no_two_programs_have_the_same_name() -> None:
    """TOML itself refuses the same table twice; files beside the programs share their folder as well."""
    beside = [Path(file).name for program in PROGRAMS if program.beside for file in program.beside.files]
    names = [*(program.name for program in PROGRAMS), *beside, "uv"]
    assert sorted(names) == sorted(set(names)), "they would lie on one another in .tools/bin"


def test_the_programs_pulumi_needs_are_of_the_versions_of_its_python_packages() -> None:
    wanted = dict(line.split("==") for line in PROJECT["project"]["dependencies"] if "==" in line)
    versions = {program.name: program.version for program in PROGRAMS}
    assert versions["pulumi"] == wanted["pulumi"]
    assert versions["pulumi-resource-kubernetes"] == wanted["pulumi-kubernetes"]
    assert f'"pulumi-kubernetes=={wanted["pulumi-kubernetes"]}"' in package.PYPROJECT


def test_uv_is_pinned_alike_where_it_is_installed_required_and_used_as_a_builder() -> None:
    pinned = uv_version()
    assert PROJECT["tool"]["uv"]["required-version"] == f"=={pinned}"
    lowest = re.search(r"uv_build>=([^,]+),<", package.PYPROJECT)
    assert lowest, "crds/generator/package.py"
    assert lowest[1] == pinned, "uv brings its builder along only if it is of this version; any other is downloaded"


def test_uv_is_pinned_by_hashes() -> None:
    lines = (cache.ROOT / "tools/uv.txt").read_text().splitlines()
    assert [line for line in lines if "==" in line] == [f"uv=={uv_version()} \\"], "nothing else is installed with it"
    assert sum("--hash=sha256:" in line for line in lines) >= 1
