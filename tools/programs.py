"""The pinned programs of programs.toml and the keys under which they are cached."""

import platform
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tools import cache

TOOLS = Path(__file__).resolve().parent
Set = Literal["preview", "sandbox"]
# What the linker strips need not be made: that is a twelfth of the compiler's time.
FLAGS = ("-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false")
LINKER = ("-s", "-w")
LISTS = ("stamp", "compile", "ask")


@dataclass(frozen=True, kw_only=True)
class Embed:
    """One file of a module's zip that is built into a program."""

    module: str
    file: str
    to: str


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Files of a module's zip that belong beside a program."""

    module: str
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Program:
    name: str
    version: str
    module: str
    package: str
    set: Set
    pin: str | None = None
    stamp: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    says: str | None = None
    embed: Embed | None = None
    beside: Beside | None = None

    @property
    def source(self) -> Path:
        return TOOLS / "go" / self.module

    @property
    def key(self) -> str:
        files = sorted(path for path in self.source.rglob("*") if path.suffix in (".go", ".mod", ".sum"))
        return cache.digest(repr((self, FLAGS, LINKER)), platform.system(), platform.machine(), *files)

    @property
    def home(self) -> Path:
        """The cache's folder of this program; there only when the program is complete."""
        return cache.folder() / "programs" / f"{self.name}-{self.version}-{self.key}"

    @property
    def toolchain(self) -> str:
        """The Go release that builds it: always the one that go.mod names, so that the bytes are the same."""
        lines = (self.source / "go.mod").read_text().splitlines()
        return next(line.split()[1] for line in lines if line.startswith("toolchain "))


def load() -> list[Program]:
    table = tomllib.loads((TOOLS / "programs.toml").read_text())
    return [_program(name, row) for name, row in table.items()]


def named(name: str) -> Program:
    return next(program for program in load() if program.name == name)


def _program(name: str, row: dict[str, Any]) -> Program:
    fields: dict[str, Any] = {**row, **{key: tuple(row[key]) for key in LISTS if key in row}}
    if "embed" in row:
        fields["embed"] = Embed(**row["embed"])
    if "beside" in row:
        fields["beside"] = Beside(module=row["beside"]["module"], files=tuple(row["beside"]["files"]))
    return Program(name=name, **fields)


def on_path(program: Program) -> Path | None:
    """A program of exactly the pinned version that the person already has, if it can tell its version."""
    found = shutil.which(program.name) if program.ask and program.says else None
    if found is None or cache.LINKS in Path(found).parents:
        return None
    try:
        answer = subprocess.run([found, *program.ask], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = (answer.stdout + answer.stderr).replace(",", " ").split()
    return Path(found) if program.says in words else None
