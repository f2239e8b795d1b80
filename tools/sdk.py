"""The typed CRD packages: generated once per user and set of pins, then copied into each clone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import cache, programs, python_env
from tools.problem import Problem, from_output
from tools.progress import Step

CRDS = cache.ROOT / "crds"
MAKERS = ("pulumi", "pulumi-language-python", "crd-schema", "controller-gen")


def key() -> str:
    """Changes with every input of the generator, its own sources and the programs that it calls included."""
    inputs = [CRDS / "lock.toml", *sorted(CRDS.glob("own/*.yaml")), *sorted(CRDS.glob("generator/*.py"))]
    return cache.digest(*inputs, *(programs.named(name).key for name in MAKERS))


def home() -> Path:
    return cache.folder() / "sdk" / key()


def cached() -> bool:
    return home().exists()


def current(generated: Path) -> bool:
    """Whether a clone's generated folder is that of the pins as they are now."""
    mark = generated / "PINS"
    return mark.exists() and mark.read_text() == key()


def provide(generated: Path) -> None:
    if not cached():
        with cache.publishing(home()) as scratch:
            generate(scratch)
            (scratch / "PINS").write_text(key())
    fresh = generated.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(home(), fresh, symlinks=True)
    shutil.rmtree(generated, ignore_errors=True)
    fresh.rename(generated)


def generate(target: Path) -> None:
    """Run the generator in the project's environment: it needs a YAML parser, which plain Python has not."""
    command = [str(python_env.ENVIRONMENT / "bin/python"), "-m", "crds.generator", str(target)]
    path = f"{cache.LINKS / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    with Step("Typed CRD packages"):
        done = subprocess.run(
            command, cwd=cache.ROOT, env={**os.environ, "PATH": path}, stderr=subprocess.PIPE, text=True, check=False
        )
    if "Traceback (most recent call last)" in done.stderr:
        raise from_output("Making the typed CRD packages", done.stderr, cache.folder())
    if done.returncode != 0:
        raise Problem(f"The typed CRD packages could not be made. {done.stderr.strip()}")
    sys.stderr.write(done.stderr)
