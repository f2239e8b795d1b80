"""What goes wrong during set-up, said as one sentence with the next step."""

import errno
import re
import shutil
from pathlib import Path

# As Go, pip, uv and the C library say it; all in lower case, since they differ in it.
NO_NETWORK = (
    "no such host",
    "no route to host",
    "network is unreachable",
    "connection refused",
    "connection reset",
    "connection timed out",
    "operation timed out",
    "i/o timeout",
    "tls handshake timeout",
    "server misbehaving",
    "temporary failure in name resolution",
    "name or service not known",
    "dns error",
    "error sending request",
    "failed to establish a new connection",
    "no matching distribution found",
    "module lookup disabled by goproxy=off",
    "network connectivity is disabled",
)
DISK_FULL = ("no space left on device", "disk quota exceeded")


class Problem(Exception):  # noqa: N818  (a problem is the person's to solve, not the program's error)
    """A sentence for the person at the terminal; never shown with a traceback."""


def again(made: str = "What is already built is kept") -> str:
    return f"{made}: run the same command again afterwards."


def disk_full(place: Path) -> Problem:
    return Problem(
        f"The disk that holds {place} is full. Free some space there, or point COBALTCORE_CACHE (and GOCACHE, "
        f"GOMODCACHE, TMPDIR) at a larger disk. {again()}"
    )


def from_os_error(error: OSError, place: Path) -> Problem | None:
    """The sentence for a full or forbidden disk; None for what is an error of this program."""
    gathered = isinstance(error, shutil.Error) and says_full(str(error))  # copytree's, which has no errno
    if gathered or error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(place)
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        return Problem(
            f"{error.filename or place} cannot be written ({error.strerror}). Make it writable, or point "
            f"COBALTCORE_CACHE at a folder that is. {again()}"
        )
    return None


def from_output(what: str, output: str, place: Path) -> Problem:
    """The sentence for a failed build or install, from what the failed command printed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if "checksum mismatch" in output:
        return Problem(f"{what}: {_mismatch(lines)} {again()}")
    if says_full(output):
        return disk_full(_full_place(output) or place)
    offline = next((line for line in lines if any(sign in line.lower() for sign in NO_NETWORK)), None)
    if offline:
        return Problem(
            f"{what}: a package registry did not answer ({offline[:300]}). Check the network and the proxy settings "
            f"(GOPROXY, UV_INDEX_URL, PIP_INDEX_URL). {again()}"
        )
    if "signal: killed" in output:
        return Problem(f"{what}: the build was killed, most likely for lack of memory (4 GB are enough). {again()}")
    tail = "\n  ".join(lines[-15:])
    return Problem(f"{what} failed. Its last words were:\n  {tail}")


def says_full(output: str) -> bool:
    return any(sign in output.lower() for sign in DISK_FULL)


def _full_place(output: str) -> Path | None:
    """The file that Go could not write: its temporary folder is often a disk of its own, and a small one."""
    written = re.search(rf"(/[^\s:]+): (?:{'|'.join(DISK_FULL)})", output)
    return Path(written[1]) if written else None


def _mismatch(lines: list[str]) -> str:
    """Go's own report reads: verifying MODULE@VERSION: checksum mismatch / downloaded: HASH / go.sum: HASH."""
    module = next((line for line in lines if "checksum mismatch" in line), "a module").split(": checksum")[0]
    module = module.removeprefix("go: ").removeprefix("verifying ").strip()
    found = _hash_after(lines, "downloaded:")
    expected = _hash_after(lines, "go.sum:")
    return (
        f"the downloaded module {module} is not the pinned one: expected {expected}, found {found}. Nothing of it was "
        "used. Either the proxy serves a changed file or the module cache is damaged (go clean -modcache empties it)."
    )


def _hash_after(lines: list[str], word: str) -> str:
    return next((line.split(word, 1)[1].strip() for line in lines if word in line), "unknown")
