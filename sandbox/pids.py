"""Processes of which nothing is known but the number: a sandbox's owner, a run of pulumi, a supervisor."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tools.problem import Problem


def alive(pid: int) -> bool:
    """Of another person's too; one that ended and that nobody asked after is dead where Linux tells."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is somebody else's
        pass
    with contextlib.suppress(OSError):
        return _state(Path(f"/proc/{pid}/stat").read_text()) != "Z"
    return True


def tell(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def command_of(pid: int) -> str:
    """Its words, however wide the terminal is; none when there is no such process."""
    return ps("-ww", "-o", "args=", "-p", str(pid)).strip()


def commands() -> dict[int, str]:
    """The words of every process."""
    rows = (line.strip().partition(" ") for line in ps("-A", "-ww", "-o", "pid=,args=").splitlines())
    return {int(pid): command for pid, _, command in rows}


def was_given(pid: int, variable: str, value: str) -> bool:
    """Whether it began with this in its environment; of another person's nobody knows."""
    wanted = f"{variable}={value}"
    with contextlib.suppress(OSError):
        return wanted in Path(f"/proc/{pid}/environ").read_text(errors="replace").split("\0")
    if Path("/proc/self/environ").exists():
        return False
    return wanted in ps("-E", "-ww", "-o", "command=", "-p", str(pid)).split()


def families(parents: Iterable[int]) -> list[int]:
    """They and all that they have begun, directly or not."""
    rows = [(int(pid), int(parent)) for pid, parent in map(str.split, ps("-A", "-o", "pid=,ppid=").splitlines())]
    found = list(parents)
    for member in found:  # grows on the way
        found += [pid for pid, parent in rows if parent == member]
    return found


def ps(*words: str) -> str:
    """What it prints: nothing about a process that is no more."""
    try:
        return subprocess.run(["ps", *words], capture_output=True, text=True, check=False).stdout  # noqa: S607
    except FileNotFoundError:
        raise Problem(
            "ps is not on PATH, and the sandbox looks with it for what an earlier run left. Install it (Debian and "
            "Ubuntu: apt install procps) and run the same command again."
        ) from None


def _state(stat: str) -> str:
    """One letter, behind the program's name, which may have blanks and brackets in it."""
    return stat.rpartition(")")[2].split()[0]
