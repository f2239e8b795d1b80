"""A sandbox begins once, ends whole, and bears others beside it."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from sandbox.state import Folder, Status, folder
from tests import interrupts
from tests.sandboxes import Running, alive, bare_metal, command, listening, own_name, reachable, until
from tools import cache

pytestmark = pytest.mark.servers


@pytest.fixture
def home(shared: Running) -> Generator[Folder]:
    """The place of a second sandbox, beside the shared one; empty afterwards."""
    one = folder(own_name("life"))
    assert one.name != shared.home.name, "both tests would use one sandbox"
    yield one
    command("down", "--name", one.name)


def test_a_second_up_finds_the_running_one(shared: Running) -> None:
    before = shared.status
    again = command("up", "--name", shared.home.name)
    assert again.returncode == 0, f"the second up failed: {again.stderr}"
    assert "runs already" in again.stderr, f"the second up does not say that it found one: {again.stderr}"
    assert shared.status.pid == before.pid, "the second up began another supervisor"
    assert shared.status.began == before.began, "the second up began the sandbox anew"


def test_two_live_side_by_side_and_down_leaves_nothing(shared: Running, home: Folder) -> None:
    up = command("up", "--name", home.name, "--owner", str(os.getpid()))
    assert up.returncode == 0, f"a second sandbox did not start: {up.stderr}"
    other = Running(home=home)
    try:
        for sandbox in (shared, other):
            assert reachable(sandbox.garden), f"the garden of {sandbox.home.name} does not answer"
        other.garden.create(bare_metal("second"))
        other.succeeded("second")
        assert "second" not in shared.status.clusters, "a Shoot of one sandbox shows in the other"
        ports = _ports(other.status)
        assert not set(ports) & set(_ports(shared.status)), "the sandboxes share a port"
        everywhere = _foreign_listeners(_pids(other.status))
        assert not everywhere, f"these listen beyond the loopback: {everywhere}"
        if sys.platform.startswith("linux"):  # elsewhere nobody tells which program listens where
            assert len(ports) > len(other.status.clusters), "the registry, the vault and Flux's source-controller too"
    finally:
        other.close()
    status = other.status
    down = command("down", "--name", home.name)
    assert down.returncode == 0, f"down failed: {down.stderr}"
    _assert_nothing_left(home, status, ports)
    assert not home.path.exists(), f"files are left: {list(home.path.iterdir())}"
    assert reachable(shared.garden), "the other sandbox ended too"


def test_killing_the_supervisor_ends_everything_and_up_begins_anew(home: Folder) -> None:
    """The second time it ends with its owner, as with a test run that was killed."""
    assert command("up", "--name", home.name, "--owner", str(os.getpid())).returncode == 0, "it did not start"
    status = Running(home=home).status
    assert len(status.processes) > 4, f"only these run: {status.processes}"
    ports = _ports(status)
    os.kill(status.pid, signal.SIGKILL)
    _assert_nothing_left(home, status, ports)
    said = command("status", "--name", home.name)
    assert f"The sandbox {home.name} does not run." in said.stderr, f"status says: {said.stderr or said.stdout}"

    with subprocess.Popen(["sleep", "600"]) as owner:  # noqa: S607
        again = command("up", "--name", home.name, "--owner", str(owner.pid))
        assert again.returncode == 0, f"up after a crash failed: {again.stderr}"
        anew = Running(home=home).status
        assert anew.pid != status.pid, "the dead supervisor's status is taken for a living one"
        assert anew.state == "ready", f"up returned while the sandbox is {anew.state}"
        ports = _ports(anew)
        owner.kill()
    _assert_nothing_left(home, anew, ports)
    until(lambda: None if home.path.exists() else True, lambda: "files are left")


@pytest.mark.parametrize("number", interrupts.ALL)
def test_an_interrupted_up_leaves_nothing(home: Folder, number: signal.Signals) -> None:
    words = [sys.executable, "-m", "sandbox", "up", "--name", home.name]
    with interrupts.heard():
        begun = subprocess.Popen(words, cwd=cache.ROOT, stderr=subprocess.PIPE, text=True)
    with begun as up:
        status = until(lambda: _started(home), lambda: "the start does not begin")
        ports = _ports(status)
        up.send_signal(number)
        said = up.communicate(timeout=60)[1]
    assert up.returncode == 130, f"an interrupt ends with {up.returncode}"
    assert "Traceback" not in said, f"a traceback: {said}"
    _assert_nothing_left(home, status, ports)
    assert not home.path.exists(), "files are left"


def test_a_terminal_that_closes_leaves_nothing(home: Folder) -> None:
    """It says so to the command, and from then on takes no word of it."""
    own = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", own, sys.executable, "-m", "sandbox", "up", "--name", home.name]
    terminal, end = pty.openpty()
    with interrupts.heard():
        begun = subprocess.Popen(words, cwd=cache.ROOT, stdin=end, stdout=end, stderr=end, start_new_session=True)
    os.close(end)
    with begun as up:
        while b"done after" not in os.read(terminal, 1000):  # then it shows the next phase
            pass
        status = until(lambda: _started(home), lambda: "the start does not begin")
        os.close(terminal)
        assert up.wait(60) == 130, f"a closed terminal ends it with {up.returncode}"
    _assert_nothing_left(home, status, _ports(status))
    assert not home.path.exists(), "files are left"


def _started(home: Folder) -> Status | None:
    status = home.status()
    return status if status and len(status.processes) > 1 else None


def _assert_nothing_left(home: Folder, status: Status, ports: Sequence[int]) -> None:
    """The kernel needs a moment to end what is left of a killed process."""
    pids = _pids(status)
    until(lambda: None if alive(pids) else True, lambda: f"these processes live on: {alive(pids)}")
    until(lambda: None if listening(ports) else True, lambda: f"these ports are open: {listening(ports)}")
    assert not home.running(), "the lock is held"


def _ports(status: Status) -> list[int]:
    """All that the sandbox listens on: of its clusters, and on Linux of every program."""
    clusters = [int(cluster.url.rpartition(":")[2]) for cluster in status.clusters.values()]
    return sorted({*clusters, *(port for _, port in _listeners(_pids(status)))})


def _pids(status: Status) -> list[int]:
    return [status.pid, *status.processes.values()]


def _foreign_listeners(pids: list[int]) -> list[tuple[str, int]]:
    """Those whose address is not the loopback's."""
    return [one for one in _listeners(pids) if one[0] != "0100007F"]


def _listeners(pids: list[int]) -> list[tuple[str, int]]:
    """Address and port of the TCP listeners of these processes, from Linux's own tables."""
    if not sys.platform.startswith("linux"):
        return []
    inodes: set[str] = set()
    for handle in (handle for pid in pids for handle in _handles(pid)):
        with contextlib.suppress(OSError):
            target = str(handle.readlink())
            inodes |= {target[8:-1]} if target.startswith("socket:[") else set()
    rows = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()]
    there = [row[1].split(":") for row in rows if row[3] == "0A" and row[9] in inodes]
    return [(address, int(port, 16)) for address, port in there]


def _handles(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return []  # it ended
