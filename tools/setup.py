"""Bring a clone to the state in which pulumi and the tests run; a few milliseconds when it is there already."""

import os
import shutil
import sys
from pathlib import Path

from tools import cache, python_env, sdk
from tools.build import build
from tools.programs import Program, Set, load

BIN = cache.LINKS / "bin"
GENERATED = cache.ROOT / "crds" / "generated"
ACCESS, LAUNCHER = "cobaltcore-access", cache.ROOT / "access" / "launcher.sh"


def prepare_model() -> None:
    """What a look at a stack file needs: Python packages, no program and no generated one."""
    state = cache.digest(sys.version, str(cache.ROOT), *_locks())
    stamp = cache.LINKS / "ready-model"
    if stamp.exists() and stamp.read_text() == state and (python_env.ENVIRONMENT / "bin/python").exists():
        return
    with cache.locked():
        # Without --exact the generated package stays where the whole set-up has installed it.
        python_env.sync("--frozen", "--inexact", "--no-install-package", "cobaltcore-crds")
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(state)


def prepare(*sets: Set) -> None:
    programs = [program for program in load() if program.set in sets]
    state = pins(programs)
    stamp = cache.LINKS / f"ready-{'-'.join(sorted(sets))}"
    if stamp.exists() and stamp.read_text() == state and all(path.exists() for path in _made(programs)):
        return
    with cache.locked():
        build(programs)
        _link(programs)
        if not sdk.current(GENERATED):
            if not sdk.cached():
                python_env.sync("--frozen", "--no-install-package", "cobaltcore-crds")
            sdk.provide(GENERATED)
        python_env.sync("--locked")
        _put(BIN / "uv", python_env.uv())
        _put(BIN / ACCESS, LAUNCHER)
    stamp.write_text(state)


def pins(programs: list[Program]) -> str:
    """Everything that a finished set-up depends on; it changes when a pin, a CRD or the lock file changes."""
    return cache.digest(
        sys.version, str(cache.ROOT), sdk.key(), *(program.key for program in programs), *_locks(), LAUNCHER
    )


def _locks() -> list[Path]:
    return [cache.ROOT / name for name in ("pyproject.toml", "uv.lock", "tools/uv.txt")]


def _made(programs: list[Program]) -> list[Path]:
    beside = [Path(file).name for program in programs if program.beside for file in program.beside.files]
    names = ["uv", ACCESS, *(program.name for program in programs), *beside]
    return [
        python_env.ENVIRONMENT / "bin/python",
        GENERATED / "pyproject.toml",
        *(BIN / name for name in names),
    ]


def _link(programs: list[Program]) -> None:
    """Put the programs side by side, where Pulumi looks for its language host and provider."""
    for program in programs:
        for file in program.home.iterdir():
            _put(BIN / file.name, file)


def _put(target: Path, source: Path) -> None:
    """A hard link, or a copy where the cache is on another disk: a symbolic one would lead Pulumi out of the folder."""
    source = source.resolve()
    if target.exists() and target.samefile(source):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    scratch = target.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    try:
        os.link(source, scratch)
    except OSError:
        shutil.copy2(source, scratch)
    scratch.replace(target)
