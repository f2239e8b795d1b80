"""uv and the project's virtual environment."""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from tools import cache
from tools.problem import Problem, from_output, says_full
from tools.progress import Step

PINS = Path(__file__).resolve().parent / "uv.txt"
ENVIRONMENT = cache.ROOT / ".venv"


def uv() -> Path:
    """uv of the pinned version: the person's own from PATH, or one in the cache."""
    pinned = re.search(r"^uv==(\S+)", PINS.read_text(), re.MULTILINE)
    version = pinned[1] if pinned else ""
    home = cache.folder() / "programs" / f"uv-{version}-{cache.digest(PINS, f'{sys.platform}')}"
    if not home.exists():
        with cache.publishing(home) as scratch:
            found = _on_path(version)
            if found:
                shutil.copy2(found, scratch / "uv")  # the person may upgrade or remove theirs
            else:
                _install(version, scratch)
    return home / "uv"


def sync(*options: str) -> None:
    """Bring .venv to the lock file's state."""
    command = [str(uv()), "sync", "--quiet", *options]
    environment = {**os.environ, "UV_PYTHON": sys.executable}
    environment.pop("VIRTUAL_ENV", None)  # the project's own environment is meant, whatever is active
    with Step("Python packages"):
        done = subprocess.run(command, cwd=cache.ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise from_output("Installing the Python packages", done.stdout + done.stderr, ENVIRONMENT)


def _on_path(version: str) -> Path | None:
    found = shutil.which("uv")
    if found is None:
        return None
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:  # it does not start
        return None
    return Path(found) if said.split()[1:2] == [version] else None


def _install(version: str, target: Path) -> None:
    with Step(f"uv {version}"):
        workshop = target / "venv"
        try:
            venv.create(workshop, with_pip=True)
        except subprocess.CalledProcessError as error:
            said = (error.output or b"").decode(errors="replace")
            if says_full(said):
                raise from_output(f"Installing uv {version}", said, target) from error
            raise Problem(
                f"{sys.executable} cannot make a virtual environment (its ensurepip is missing). Install it (Debian "
                "and Ubuntu: apt install python3-venv) and run the same command again."
            ) from error
        command = [str(workshop / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--require-hashes", "--only-binary=:all:", "-r", str(PINS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise from_output(f"Installing uv {version}", done.stdout + done.stderr, target)
        (workshop / "bin/uv").rename(target / "uv")
        shutil.rmtree(workshop)
