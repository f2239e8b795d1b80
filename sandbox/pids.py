"""Processes of which nothing is known but the number: a sandbox's owner, a run of pulumi, a supervisor."""

import contextlib
import os
import signal
from pathlib import Path


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


def _state(stat: str) -> str:
    """One letter, behind the program's name, which may have blanks and brackets in it."""
    return stat.rpartition(")")[2].split()[0]
