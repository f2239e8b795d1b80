"""Zips of Go modules, fetched from the person's module proxy and held against the lock file's hash.

Not `go mod download`: it wants an .info file, which the proxies lack for some modules whose zip they have.
"""

import base64
import hashlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from crds.generator.lock import Module
from tools import cache
from tools.build import environment, find_go
from tools.problem import Problem, again
from tools.programs import named

TIMEOUT = 60


def read(module: Module, file: str) -> str:
    """One file of a module, from a zip whose every byte is the pinned one."""
    with zipfile.ZipFile(verified(module)) as archive:
        name = f"{module.module}@{module.version}/{file}"
        if name not in archive.namelist():
            raise Problem(f"crds/lock.toml: {module.module} {module.version} has no file {file}.")
        return archive.read(name).decode()


def verified(module: Module) -> Path:
    """The module's zip in the cache, fetched if need be, checked each time that it is used."""
    zipped = cache.folder() / "modules" / f"{module.module.replace('/', '+')}@{module.version}.zip"
    if not zipped.exists():
        zipped.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=zipped.parent) as scratch:
            fetched = Path(scratch) / "zip"
            _fetch(module, fetched)
            _check(module, fetched)
            fetched.replace(zipped)
    _check(module, zipped)
    return zipped


def h1(zipped: Path) -> str:
    """Go's own hash of a module (dirhash.Hash1), as it stands in every go.sum."""
    with zipfile.ZipFile(zipped) as archive:
        lines = [f"{hashlib.sha256(archive.read(name)).hexdigest()}  {name}\n" for name in sorted(archive.namelist())]
    return "h1:" + base64.b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


def _check(module: Module, zipped: Path) -> None:
    try:
        found = h1(zipped)
    except zipfile.BadZipFile:
        found = "a file that is no whole zip"
    if found != module.h1:
        zipped.unlink()
        raise Problem(
            f"{module.module} {module.version} is not the pinned module: expected {module.h1}, found {found}. Nothing "
            f"of it was used, and the file is removed. If the proxy keeps serving it, report it to the proxy's owner. "
            f"{again()}"
        )


def _fetch(module: Module, target: Path) -> None:
    path = f"{_escaped(module.module)}/@v/{_escaped(module.version)}.zip"
    failures: list[str] = []
    for proxy in _proxies():
        try:
            # GOPROXY is the person's own and may be a folder (file:).
            with urllib.request.urlopen(f"{proxy}/{path}", timeout=TIMEOUT) as answer, target.open("wb") as file:  # noqa: S310
                shutil.copyfileobj(answer, file)
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            failures.append(str(getattr(error, "reason", error)))
        else:
            return
    why = "; ".join(failures) or "GOPROXY names none"
    raise Problem(
        f"{module.module} {module.version}: no Go module proxy gave its zip ({why}). Check the network and GOPROXY. "
        f"{again()}"
    )


def _proxies() -> list[str]:
    command = [find_go(), "env", "GOPROXY"]
    toolchain = named("controller-gen").toolchain
    said = subprocess.run(
        command, env=environment(toolchain), capture_output=True, text=True, check=True, cwd="/"
    ).stdout
    return [entry.rstrip("/") for entry in re.split("[,|]", said.strip()) if entry not in ("", "direct", "off")]


def _escaped(text: str) -> str:
    """The proxy protocol writes an upper-case letter as an exclamation mark and the lower-case one."""
    return re.sub("[A-Z]", lambda letter: "!" + letter[0].lower(), text)
