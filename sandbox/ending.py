"""The end of a sandbox: of who works on it, of its supervisor, of its folder."""

import os
import signal
import sys
import time

from sandbox import pulumi
from sandbox.pids import alive, tell
from sandbox.state import Folder, Status
from tools.problem import Problem
from tools.progress import Step

LOOK_SECONDS = 0.1
DOWN_SECONDS = 30.0
GONE_SECONDS = 5.0  # from the end of a supervisor's lock to its own


def down(home: Folder) -> None:
    if not home.path.exists():
        print(f"There is no sandbox {home.name}.", file=sys.stderr)
        return
    pulumi.end_runs(home)
    with Step(f"Removing the sandbox {home.name}"):
        _end_supervisor(home)
        home.remove()


def _end_supervisor(home: Folder) -> None:
    """As soon as it says who it is, which one that begins just now does not do at once."""
    told, end = home.status(), time.monotonic() + DOWN_SECONDS
    signalled: int | None = None
    while home.running() and time.monotonic() < end:
        told = home.status() or told
        if told and told.pid != signalled:
            tell(told.pid, signal.SIGTERM)
            signalled = told.pid
        time.sleep(LOOK_SECONDS)
    if told:
        end_group(told)
        while home.running() and time.monotonic() < end + DOWN_SECONDS:
            time.sleep(LOOK_SECONDS)
    if home.running():
        who = f"process {told.pid}" if told else "a process that says nothing of itself"
        raise Problem(
            f"The sandbox {home.name} does not end: {who} holds {home.path / 'lock'}, and nothing was removed. End "
            f"that process, then the same command again."
        )
    end = time.monotonic() + GONE_SECONDS
    while signalled and alive(signalled) and time.monotonic() < end:  # a cluster that it begins just now has files too
        time.sleep(LOOK_SECONDS)


def end_group(status: Status) -> None:
    """End what may be left of a supervisor that was killed where the kernel does not do it.

    Its group has its process number; a number that the system gave to a later process leads no group of ours, so the
    programs' own numbers are held against the group first.
    """
    for pid in status.processes.values():
        try:
            if os.getpgid(pid) == status.pid:
                os.killpg(status.pid, signal.SIGKILL)
                return
        except OSError:
            continue
