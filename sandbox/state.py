"""What a sandbox keeps on disk: one folder, gone when the sandbox is down."""

import contextlib
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Generator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tools import cache
from tools.problem import Problem

ROOT = cache.ROOT / ".sandbox"
ASKED_SECONDS = 1.0  # for which somebody who looks may seem to hold a lock


@dataclass(kw_only=True)
class Phase:
    """One step of the start, as the terminal shows it."""

    title: str
    state: str = "waiting"  # waiting, running, done, failed
    seconds: float = 0.0
    detail: str = ""


@dataclass(kw_only=True)
class Cluster:
    url: str
    aliases: list[str] = field(default_factory=list[str])


@dataclass(kw_only=True)
class Status:
    """What the supervisor tells those who look, in status.json.

    Several threads write it and look at it: what is in it is replaced, never changed.
    """

    name: str
    pid: int
    began: str
    state: str = "starting"  # starting, ready, failed, stopping
    problem: str = ""
    phases: list[Phase] = field(default_factory=list[Phase])
    clusters: dict[str, Cluster] = field(default_factory=dict[str, Cluster])
    endpoints: dict[str, str] = field(default_factory=dict[str, str])  # what is no cluster: chartMirror, vault
    faults: list[str] = field(default_factory=list[str])  # of API servers, that somebody wished for
    fault_problems: list[str] = field(default_factory=list[str])  # what could not be brought about, or taken back
    wish: int = 0  # the number of the last wish for such faults that was looked at
    failures: list[dict[str, str]] = field(default_factory=list[dict[str, str]])  # those of objects that hold
    processes: dict[str, int] = field(default_factory=dict[str, int])
    ended: dict[str, str] = field(default_factory=dict[str, str])  # that ended although nobody asked them to


@dataclass(frozen=True, kw_only=True)
class Folder:
    """The paths of one sandbox."""

    name: str

    @property
    def path(self) -> Path:
        return ROOT / self.name

    @property
    def status_file(self) -> Path:
        return self.path / "status.json"

    @property
    def log(self) -> Path:
        return self.path / "supervisor.log"

    @property
    def kubeconfigs(self) -> Path:
        return self.path / "kubeconfigs"

    def write(self, status: Status) -> None:
        scratch = self.status_file.with_suffix(".new")
        scratch.write_text(json.dumps(asdict(status), indent=1))
        scratch.replace(self.status_file)

    def status(self) -> Status | None:
        with contextlib.suppress(OSError, json.JSONDecodeError):
            return _status(json.loads(self.status_file.read_text()))
        return None

    def running(self) -> bool:
        """Whether a supervisor holds the lock; the kernel takes it from one that ended, however it ended.

        Who asks shares the lock for a moment, so that two who ask do not take each other for a supervisor.
        """
        with contextlib.suppress(OSError), (self.path / "lock").open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    @contextlib.contextmanager
    def held(self) -> Generator[None]:
        """The lock and a fresh folder, for the supervisor's life; the folder goes with it."""
        file = self._lock()
        try:
            self.clear(keep=("lock", self.log.name))
            self.kubeconfigs.mkdir()
            yield
        finally:
            file.close()

    def remove(self) -> None:
        """Everything, while nobody can begin in it; a living supervisor's folder is refused."""
        with contextlib.closing(self._lock()):
            self.clear()

    def clear(self, keep: tuple[str, ...] = ()) -> None:
        """What an earlier run left, or everything; the lock, which is yours, goes last: who finds none begins."""
        with contextlib.suppress(FileNotFoundError):
            for entry in sorted(self.path.iterdir(), key=lambda entry: entry.name == "lock"):
                if entry.name not in keep:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink(missing_ok=True)
        if not keep:
            for empty in (self.path, ROOT):
                with contextlib.suppress(OSError):  # other sandboxes live beside it
                    empty.rmdir()

    def _lock(self) -> TextIO:
        """Who asks whether it is held has it for a moment, and so is no reason to give up at once."""
        end = time.monotonic() + ASKED_SECONDS
        while (file := self._locked()) is None:
            if time.monotonic() > end:
                raise Problem(f"The sandbox {self.name} is running already.")
            time.sleep(ASKED_SECONDS / 20)
        return file

    def _locked(self) -> TextIO | None:
        with contextlib.suppress(FileNotFoundError, BlockingIOError), contextlib.ExitStack() as unless_held:
            self.path.mkdir(parents=True, exist_ok=True)
            file = unless_held.enter_context((self.path / "lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_ino == (self.path / "lock").stat().st_ino:
                unless_held.pop_all()
                return file
        return None  # it is held, or a `down` removed it meanwhile


def folder(name: str) -> Folder:
    if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?", name):
        raise Problem(f"A sandbox cannot be called {name!r}: use up to 40 lower-case letters, digits and hyphens.")
    return Folder(name=name)


def all_folders() -> list[Folder]:
    with contextlib.suppress(FileNotFoundError):
        return [Folder(name=path.name) for path in sorted(ROOT.iterdir()) if path.is_dir()]
    return []


def status_of(home: Folder) -> Status:
    """What a running sandbox tells."""
    said = home.status()
    if said is None or not home.running():
        others = ", ".join(one.name for one in all_folders() if one.running())
        there = f" There runs {others}: choose it with STACK or --name." if others else ""
        raise Problem(f"The sandbox {home.name} does not run. `make up STACK={home.name}` starts it.{there}")
    return said


def tail(log: Path, lines: int = 15) -> str:
    """The end of a log, for an error message."""
    with contextlib.suppress(OSError):
        last = log.read_text(errors="replace").splitlines()[-lines:]
        if last:
            return f"The log {_relative(log)} ends with\n  " + "\n  ".join(line[:300] for line in last)
    return f"The log {_relative(log)} is empty."


def _relative(path: Path) -> Path:
    return path.relative_to(cache.ROOT) if path.is_relative_to(cache.ROOT) else path


def _status(raw: dict[str, Any]) -> Status:
    phases = [Phase(**phase) for phase in raw.pop("phases")]
    clusters = {name: Cluster(**cluster) for name, cluster in raw.pop("clusters").items()}
    return Status(**raw, phases=phases, clusters=clusters)
