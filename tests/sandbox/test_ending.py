"""The end of a sandbox, without servers: who is ended, who is spared, and that nothing is taken from the living."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from sandbox import ending, pulumi, state
from sandbox.ending import down, end_group
from sandbox.pids import alive
from sandbox.state import Folder, Status, folder
from tests import interrupts
from tests.sandboxes import own_name, until
from tools import cache
from tools.problem import Problem

PARENT = "import subprocess; print(subprocess.Popen(['/bin/sleep', '600']).pid, flush=True); input()"
# Holds the lock, says who it is only after a second, ends when it is told to; a thread of it writes a last file.
LATE = """
import os, signal, sys, threading, time
from sandbox.state import Status, folder
home, asked = folder(sys.argv[1]), threading.Event()
signal.signal(signal.SIGTERM, lambda *_: asked.set())
with home.held():
    print("held", flush=True)
    asked.wait(1)
    home.write(Status(name=home.name, pid=os.getpid(), began=""))
    asked.wait(60)
    home.clear()
time.sleep(0.3)
home.kubeconfigs.mkdir(parents=True)
"""
# Writes into a sandbox's folder, as does a child of its own, until it is interrupted; then a last time.
RUN = """
import json, pathlib, subprocess, sys, time
state = pathlib.Path(sys.argv[1], "pulumi")
provider = subprocess.Popen([sys.executable, "-c", sys.argv[2], str(state.parent / "pulumi-tmp")])
try:
    print(provider.pid, flush=True)
    while True:
        state.mkdir(parents=True, exist_ok=True)
        (state / "state.json").write_text("{}")
        time.sleep(0.01)
except KeyboardInterrupt:
    time.sleep(0.5)
    state.mkdir(parents=True, exist_ok=True)
    (state / "interrupted.json").write_text("{}")
"""
PROVIDER = """
import pathlib, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
folder = pathlib.Path(sys.argv[1])
for _ in range(3000):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kubeconfig").write_text("")
    time.sleep(0.01)
"""


@pytest.fixture
def home() -> Generator[Folder]:
    one = folder(own_name("ending"))
    yield one
    one.clear()


@contextlib.contextmanager
def running(code: str, *words: str) -> "Generator[subprocess.Popen[str]]":
    """A program in a session of its own, once it has said something; gone afterwards."""
    command = [sys.executable, "-c", code, *words]
    with subprocess.Popen(
        command, cwd=cache.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_what_a_killed_supervisor_left_is_ended_with_its_group() -> None:
    """Only Linux ends it without being asked."""
    with running(PARENT) as leader:
        child = int(said(leader))
        leader.kill()
        leader.wait()
        assert alive(child), "it ended by itself: this shows nothing"
        end_group(Status(name="killed", pid=leader.pid, began="", processes={"etcd": child}))
        until(lambda: None if alive(child) else True, lambda: "the program goes on", 10)


def test_a_process_that_has_the_number_of_an_earlier_program_is_spared() -> None:
    with running(PARENT) as leader, running(PARENT) as stranger:
        left = [int(said(leader)), int(said(stranger))]
        end_group(Status(name="killed", pid=leader.pid, began="", processes={"etcd": stranger.pid}))
        assert [pid for pid in left if alive(pid)] == left, "somebody else's process is ended"
        for process, child in zip((leader, stranger), left, strict=True):
            end_group(Status(name="told", pid=process.pid, began="", processes={"child": child}))


def test_down_ends_a_supervisor_that_says_late_who_it_is(home: Folder) -> None:
    with running(LATE, home.name) as supervisor:
        assert said(supervisor) == "held"
        began = time.monotonic()
        down(home)
        assert supervisor.wait(10) == 0, "nobody asked it to end"
        assert time.monotonic() - began < ending.DOWN_SECONDS, "it was found by its group alone"
    assert not home.path.exists(), "files are left"


def test_down_takes_nothing_from_a_supervisor_that_does_not_end(home: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "DOWN_SECONDS", 0.3)
    with home.held():
        (home.path / "store").mkdir()
        with pytest.raises(Problem, match=r"does not end: a process that says nothing of itself holds .*/lock"):
            down(home)
        assert (home.path / "store").exists(), "its data is gone"
        assert home.running(), "its lock is gone, and another may begin in its place"


def test_a_start_bears_that_somebody_looks(home: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make status` in another terminal is no sandbox."""
    home.path.mkdir(parents=True)
    with (home.path / "lock").open("w") as asked:
        fcntl.flock(asked, fcntl.LOCK_SH)
        monkeypatch.setattr(state, "ASKED_SECONDS", 5.0)
        threading.Timer(0.3, lambda: fcntl.flock(asked, fcntl.LOCK_UN)).start()
        with home.held():
            assert home.running()


def test_two_who_look_do_not_see_each_other(home: Folder) -> None:
    home.path.mkdir(parents=True)
    with (home.path / "lock").open("w") as asked:
        fcntl.flock(asked, fcntl.LOCK_SH)
        assert not home.running(), "nobody runs, and somebody looks"


def begin(home: Folder) -> None:
    with home.held():
        pass


@pytest.mark.parametrize("act", [begin, Folder.remove])
def test_whoever_comes_second_is_refused_and_takes_nothing(home: Folder, act: Callable[[Folder], None]) -> None:
    with home.held():
        (home.path / "store").mkdir()
        with pytest.raises(Problem, match="is running already"):
            act(home)
        assert (home.path / "store").exists(), "the second one cleared the first one's folder"


def test_the_lock_is_removed_last(home: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervisor that begins as soon as there is none would lose what it has written by then."""
    locked: list[bool] = []
    home.path.mkdir(parents=True)
    for name in ("etcd", "logs", "pulumi", "zone"):
        (home.path / name).mkdir()
    remove = shutil.rmtree

    def removing(path: Path) -> None:
        locked.append(home.running())
        remove(path)

    monkeypatch.setattr(shutil, "rmtree", removing)
    home.remove()
    assert locked == [True] * 4
    assert not home.path.exists(), "files are left"


@pytest.mark.parametrize("deaf", [False, True], ids=["hears", "deaf"])
def test_down_ends_who_works_on_the_sandbox(home: Folder, monkeypatch: pytest.MonkeyPatch, *, deaf: bool) -> None:
    """A pulumi would write its state again, and its provider a file, when the folder is gone."""
    monkeypatch.setattr(pulumi, "END_SECONDS", 6.0)
    begin = contextlib.nullcontext() if not deaf else deafened()
    with interrupts.heard(), begin, running(RUN, str(home.path), PROVIDER, "pulumi") as run:
        provider = int(said(run))
        lock(home, run.pid)
        down(home)
        assert not home.path.exists(), f"files are left: {list(home.path.iterdir())}"
        assert run.wait(1) == (-signal.SIGKILL if deaf else 0), "it had no time to end, or ended by itself"
        until(lambda: None if alive(provider) else True, lambda: "its provider goes on", 5)
        assert not home.path.exists(), "somebody made the folder anew"


def test_down_spares_a_process_that_has_the_number_of_a_killed_pulumi(home: Folder) -> None:
    with running(PARENT) as stranger:
        assert said(stranger)
        lock(home, stranger.pid)
        down(home)
        assert stranger.poll() is None, "somebody else's process was interrupted"
    assert not home.path.exists(), "files are left"


SLEEP = "import time; time.sleep(600)"


@contextlib.contextmanager
def worker(home: Folder, name: str) -> Generator[int]:
    """A program that was started for a sandbox; its number."""
    env = {**os.environ, "PULUMI_HOME": str(home.path / "pulumi-home")}
    with subprocess.Popen([sys.executable, "-c", SLEEP, name], env=env, start_new_session=True) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def test_down_ends_the_plugins_of_a_killed_pulumi(home: Folder) -> None:
    other = folder(own_name("another"))
    home.path.mkdir(parents=True)
    with (
        worker(home, "pulumi-resource-kubernetes") as plugin,
        worker(other, "pulumi-resource-kubernetes") as of_another,
        worker(home, "vi") as of_a_person,
    ):
        down(home)
        assert [pid for pid in (plugin, of_another, of_a_person) if alive(pid)] == [of_another, of_a_person]


def test_down_interrupts_a_preview_which_holds_no_lock(home: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    home.path.mkdir(parents=True)
    with interrupts.heard(), worker(home, "pulumi") as preview:
        down(home)
        assert not alive(preview)
    assert f"A pulumi works on it (process {preview}), and is interrupted." in capsys.readouterr().err


def test_a_run_ends_what_a_killed_one_left_and_spares_who_works(home: Folder) -> None:
    home.path.mkdir(parents=True)
    with worker(home, "pulumi-language-python") as left, worker(home, "pulumi") as works:
        pulumi.forget_dead_runs(home)
        assert [pid for pid in (left, works) if alive(pid)] == [works]


def lock(home: Folder, pid: int) -> None:
    """As pulumi writes it."""
    file = home.path / "pulumi/.pulumi/locks/organization/cobaltcore/eu-de-1/one.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"pid": pid, "username": "c5c3", "hostname": "here", "timestamp": ""}))


@contextlib.contextmanager
def deafened() -> Generator[None]:
    """What begins here ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
