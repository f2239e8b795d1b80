"""The per-user cache that every clone shares: programs, modules and SDKs, each under the hash of its pins."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

from tools.problem import Problem, again

ROOT = Path(__file__).resolve().parent.parent
LINKS = ROOT / ".tools"  # what this clone uses of the cache


def folder() -> Path:
    chosen = os.environ.get("COBALTCORE_CACHE")
    if chosen:
        return Path(chosen).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "cobaltcore"


def digest(*parts: str | bytes | Path) -> str:
    """One short hash over texts and files (with their names), for the cache's keys."""
    total = hashlib.sha256()
    for part in parts:
        name, content = (part.name.encode(), part.read_bytes()) if isinstance(part, Path) else (b"", part)
        data = content.encode() if isinstance(content, str) else content
        total.update(b"%d %d " % (len(name), len(data)) + name + data)
    return total.hexdigest()[:16]


@contextlib.contextmanager
def locked() -> Generator[None]:
    """One set-up a user at a time; the lock goes with the process, however that ends."""
    root = folder()
    root.mkdir(parents=True, exist_ok=True)
    with (root / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another set-up is at work for this user; waiting for it to end.", file=sys.stderr)
            fcntl.flock(file, fcntl.LOCK_EX)
        shutil.rmtree(root / "tmp", ignore_errors=True)  # what a killed run left behind
        yield


@contextlib.contextmanager
def publishing(target: Path) -> Generator[Path]:
    """A scratch folder that becomes `target` in one step when the block ends well, and vanishes when it does not."""
    with scratch_folder() as scratch:
        yield scratch
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch.chmod(0o755)
        scratch.replace(target)


@contextlib.contextmanager
def scratch_folder() -> Generator[Path]:
    """A folder that ends with the block, or at the latest with the next set-up if this process is killed."""
    temporary = folder() / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=temporary))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def need_space(gigabytes: float, places: list[Path]) -> None:
    """Refuse at the start what would fail after a quarter of an hour."""
    for place in places:
        there = next(parent for parent in (place, *place.parents) if parent.exists())
        free = shutil.disk_usage(there).free / 1e9
        if free < gigabytes:
            raise Problem(
                f"The disk that holds {place} has {free:.1f} GB free, and what is still to be built needs about "
                f"{gigabytes:.0f} GB. Free some space there, or point COBALTCORE_CACHE (and GOCACHE, GOMODCACHE) at "
                f"a larger disk. {again('Nothing was built yet')}"
            )
