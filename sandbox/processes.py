"""Processes that cannot outlive the supervisor, and ports that nobody else is given."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.state import tail
from tools import cache
from tools.problem import Problem

LOOPBACK = "127.0.0.1"
READY_SECONDS = 120.0  # seconds are usual; a machine that builds something at the same time needs more
STOP_SECONDS = 5.0
POLL_SECONDS = 0.1

# Becomes the program, which the kernel then ends with the supervisor, however that ends (PR_SET_PDEATHSIG is 1).
# Elsewhere than on Linux, `down` and the next `up` end what a killed supervisor left.
LAUNCHER = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the supervisor ended first")
os.execv(sys.argv[2], sys.argv[2:])
"""

Ready = Callable[[], bool]


@dataclass(kw_only=True)
class Process:
    """A running program with its log; stopping it is part of its life, any other end is news."""

    name: str
    log: Path
    popen: "subprocess.Popen[bytes]"
    wanted: bool = True

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def running(self) -> bool:
        return self.popen.poll() is None

    def stop(self) -> None:
        """End it, politely first; it is gone afterwards."""
        self.wanted = False
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(signal.SIGCONT)  # a paused one hears nothing
            self.popen.terminate()
        try:
            self.popen.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()

    def kill(self) -> None:
        """End it at once, as a crash would; `wanted` is yours to set."""
        with contextlib.suppress(ProcessLookupError):
            self.popen.kill()
        self.popen.wait()

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(number)

    def await_ready(self, ready: Ready, seconds: float = READY_SECONDS) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if not self.running:
                self.wanted = False
                raise Problem(f"{self.name} ended with {self.popen.returncode} while it started. {tail(self.log)}")
            if time.monotonic() > end:
                raise Problem(f"{self.name} was not ready after {seconds:.0f} s. {tail(self.log)}")
            time.sleep(POLL_SECONDS)


@dataclass(kw_only=True)
class Processes:
    """Starts every program from one thread that lasts: the kernel's death signal follows the thread that forked."""

    folder: Path
    running: list[Process] = field(default_factory=list[Process])
    _orders: "queue.SimpleQueue[tuple[Callable[[], Process], Future[Process]]]" = field(
        default_factory=queue.SimpleQueue
    )

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def __post_init__(self) -> None:
        threading.Thread(target=self._work, daemon=True, name="starter").start()

    def start(
        self,
        name: str,
        command: list[str],
        *,
        env: Mapping[str, str] | None = None,
        ready: Ready | None = None,
        seconds: float = READY_SECONDS,
    ) -> Process:
        """Start a command in the sandbox's folder, its output in logs/NAME.log, and wait until it is ready."""
        future: Future[Process] = Future()
        self._orders.put((lambda: self._start(name, command, env or {}), future))
        process = future.result()
        try:
            if ready:
                process.await_ready(ready, seconds)
        except BaseException:  # whoever asked for it knows nothing of it, and may start another in its place
            process.wanted = False
            process.kill()
            self.forget(process)
            raise
        return process

    def forget(self, process: Process) -> None:
        with contextlib.suppress(ValueError):
            self.running.remove(process)

    def stop_all(self) -> None:
        """At once, the last one started first: nothing of what they hold is wanted any more."""
        with self._lock:
            self._closed = True
        for process in reversed(self.running):
            process.wanted = False
            process.kill()

    def _work(self) -> None:
        while True:
            order, future = self._orders.get()
            try:
                future.set_result(order())
            except BaseException as error:  # noqa: BLE001  (it is raised where it was ordered)
                future.set_exception(error)

    def _start(self, name: str, command: list[str], env: Mapping[str, str]) -> Process:
        log = self.folder / "logs" / f"{name}.log"
        log.parent.mkdir(exist_ok=True)
        temporary = self.folder / "tmp"  # who is killed clears nothing away: it goes with the sandbox's folder
        temporary.mkdir(exist_ok=True)
        launch = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), *command]
        with self._lock, log.open("ab") as output:
            if self._closed:
                raise Problem(f"{name} is not started any more: the sandbox is being stopped.")
            popen = subprocess.Popen(
                launch,
                cwd=self.folder,
                env={**os.environ, "TMPDIR": str(temporary), **env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            process = Process(name=name, log=log, popen=popen)
            self.running.append(process)
        return process


def program(name: str) -> str:
    """The path of one of the pinned programs (tools/programs.toml)."""
    path = cache.LINKS / "bin" / name
    if not path.exists():
        raise Problem(f"{name} is not built yet: `make setup-all` builds it, then run the same command again.")
    return str(path)


def flags(values: Mapping[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in values.items()]


@dataclass(kw_only=True)
class Port:
    """A free port that stays this sandbox's: the socket is bound and never listens.

    A server that permits port sharing can listen on it, end, and come back to the same one.
    """

    number: int
    _reserved: socket.socket

    @classmethod
    def reserve(cls) -> "Port":
        reserved = socket.socket()
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((LOOPBACK, 0))
        return cls(number=reserved.getsockname()[1], _reserved=reserved)

    def release(self) -> None:
        """For a program that cannot share ports: release it just before the start."""
        self._reserved.close()
