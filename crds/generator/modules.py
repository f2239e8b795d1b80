"""Zips of Go modules, fetched from the person's module proxy and held against the lock file's hash.

Not `go mod download`: it wants an .info file, which the proxies lack for some modules whose zip they have.
"""

import base64
import hashlib
import http.client
import io
import re
import shutil
import ssl
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
from pathlib import Path

from crds.generator.lock import Module
from tools import cache
from tools.build import find_go, go_variable
from tools.problem import Problem, again

TIMEOUT = 60

# What zipfile raises for a file of which some bytes are others, and what a connection does that breaks.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)
BROKEN = (urllib.error.URLError, TimeoutError, ConnectionError, ssl.SSLError, http.client.HTTPException, ValueError)


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
        with cache.scratch_folder() as scratch:
            fetched = scratch / "zip"
            _fetch(module, fetched)
            _check(module, fetched)
            zipped.parent.mkdir(parents=True, exist_ok=True)
            fetched.replace(zipped)
    _check(module, zipped)
    return zipped


def h1(zipped: Path) -> str:
    """Go's own hash of a module (dirhash.Hash1), as it stands in every go.sum."""
    with zipfile.ZipFile(io.BytesIO(zipped.read_bytes())) as archive:  # a file that cannot be read is another matter
        if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in archive.infolist()):
            raise zipfile.BadZipFile("Go compresses no module in this way")
        lines = [f"{hashlib.sha256(archive.read(name)).hexdigest()}  {name}\n" for name in sorted(archive.namelist())]
    return "h1:" + base64.b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


def _check(module: Module, zipped: Path) -> None:
    try:
        found = h1(zipped)
    except DAMAGED:
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
            _download(f"{proxy}/{path}", target)
        except BROKEN as error:
            failures.append(str(getattr(error, "reason", None) or error))
        else:
            return
    why = "; ".join(failures) or "GOPROXY names none"
    raise Problem(
        f"{module.module} {module.version}: no Go module proxy gave its zip ({why}). Check the network and GOPROXY. "
        f"{again()}"
    )


def _download(url: str, target: Path) -> None:
    """A proxy may want a name and password, which GOPROXY then holds in front of the host; as Go does, send them."""
    parts = urllib.parse.urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    # GOPROXY is the person's own and may be a folder (file:).
    request = urllib.request.Request(parts._replace(netloc=host).geturl())  # noqa: S310
    if credentials:
        encoded = base64.b64encode(urllib.parse.unquote(credentials).encode()).decode()
        request.add_header("Authorization", f"Basic {encoded}")
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer, target.open("wb") as file:  # noqa: S310
        shutil.copyfileobj(answer, file)


def _proxies() -> list[str]:
    entries = re.split("[,|]", go_variable(find_go(), "GOPROXY"))
    return [entry.rstrip("/") for entry in entries if entry not in ("", "direct", "off")]


def _escaped(text: str) -> str:
    """The proxy protocol writes an upper-case letter as an exclamation mark and the lower-case one."""
    return re.sub("[A-Z]", lambda letter: "!" + letter[0].lower(), text)
