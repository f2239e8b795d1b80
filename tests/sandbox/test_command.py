"""The command line of the sandbox where no sandbox is needed: what it refuses, and what it leaves."""

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from sandbox import cli, pulumi, state
from sandbox.operators import failures
from sandbox.state import Folder, Phase, folder
from tests import interrupts
from tests.parts import status, told
from tests.sandboxes import alive, own_name, until
from tools import cache
from tools.problem import Problem


@pytest.mark.parametrize("number", interrupts.ALL)
def test_an_interrupt_before_the_first_word_leaves_no_sandbox(number: signal.Signals) -> None:
    """As soon as there is a supervisor, which has told nothing of itself yet."""
    with early() as home:
        with interrupts.heard():
            begun = subprocess.Popen(words(home), cwd=cache.ROOT, stderr=subprocess.PIPE, text=True)
        with begun as up:
            pids = until(lambda: children(up.pid) or None, lambda: "the start does not begin")
            up.send_signal(number)
            said = up.communicate(timeout=60)[1]
        assert up.returncode == 130, f"an interrupt ends with {up.returncode}: {said}"
        assert "Stopped." in said
        assert "Traceback" not in said, f"a traceback: {said}"
        assert not alive(pids), "the supervisor goes on"
        assert not home.path.exists(), f"files are left: {list(home.path.iterdir())}"


def test_what_ignores_a_closed_terminal_goes_on_ignoring_it() -> None:
    """As with nohup."""
    code = (
        "import os, signal\nfrom sandbox import interrupts\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with interrupts.alike():\n with interrupts.held(): os.kill(os.getpid(), signal.SIGHUP)\n"
        " os.kill(os.getpid(), signal.SIGHUP)\nprint('goes on')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=cache.ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "goes on\n", f"it ends with {done.returncode}: {done.stderr}"


@contextlib.contextmanager
def early() -> Generator[Folder]:
    home = folder(own_name("early"))
    try:
        yield home
    finally:
        cli.down(home)


def words(home: Folder) -> list[str]:
    return [sys.executable, "-m", "sandbox", "up", "--name", home.name]


def children(pid: int) -> list[int]:
    done = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)  # noqa: S607
    rows = [line.split() for line in done.stdout.splitlines()]
    return [int(child) for child, parent in rows if int(parent) == pid]


def test_a_second_up_says_which_program_is_missing_and_what_to_do() -> None:
    with (
        told(status(ended={"helm-controller": "ended with -9. The log helm-controller.log is empty."})) as home,
        pytest.raises(Problem) as caught,
    ):
        cli.up(home)
    assert "helm-controller ended with -9" in str(caught.value)
    assert f"`make down STACK={home.name}`, then the same command again" in str(caught.value)


@contextlib.contextmanager
def beginning(**outcome: object) -> Generator[Folder]:
    """A sandbox whose supervisor begins, passes each phase and then says that it is ready."""
    titles = ("Store", "Garden: API server")

    def tell() -> None:
        for at, title in enumerate(titles):
            phases[at] = Phase(title=title, state="done")
            home.write(status(state="starting", phases=phases))
            time.sleep(2 * cli.LOOK_SECONDS)
        home.write(status(phases=phases, **outcome))

    phases = [Phase(title=title) for title in titles]
    with told(status(state="starting", phases=phases)) as home:
        telling = threading.Thread(target=tell)
        telling.start()
        try:
            yield home
        finally:
            telling.join()


def test_up_shows_each_phase_until_the_sandbox_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    with beginning() as home:
        cli.up(home)
    said = capsys.readouterr().err
    steps = ["Store  done", "Garden: API server  done", f"The sandbox {home.name} is ready"]
    places = [said.find(step) for step in steps]
    assert -1 not in places, f"up does not show {steps}: {said}"
    assert places == sorted(places), f"not in their order: {said}"


def test_the_first_up_says_too_which_program_ended(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody would look for it when all systems of one kind wait without end."""
    with (
        beginning(ended={"helm-controller": "ended with 2. The log helm-controller.log is empty."}) as home,
        pytest.raises(Problem, match="helm-controller ended with 2"),
    ):
        cli.up(home)
    assert "is ready" not in capsys.readouterr().err


def test_a_second_up_finds_a_sandbox_that_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    with told(status()) as home:
        cli.up(home)
    assert "runs already" in capsys.readouterr().err


def test_a_sandbox_that_somebody_takes_down_meanwhile_was_stopped() -> None:
    """Its log says nothing of that, and is gone a moment later."""
    with told(status(state="stopping")) as home, pytest.raises(Problem, match=r"was stopped\. Start it anew"):
        cli.up(home)


def test_whoever_reads_only_the_first_line_is_told_no_more() -> None:
    with told(status()) as home:
        words = [sys.executable, "-m", "sandbox", "status", "--name", home.name]
        with subprocess.Popen(words, cwd=cache.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as show:
            assert show.stdout
            show.stdout.close()
            assert show.stderr
            assert show.stderr.read() == b""
        assert show.returncode == 0


def test_a_second_up_says_which_faults_hold(capsys: pytest.CaptureFixture[str]) -> None:
    with told(status(faults=["hv-pool-a: pause"])) as home:
        failures.write(home.path / failures.FILE, [failures.Failure(cluster="*", kind="ControlPlane")])
        cli.up(home)
    said = capsys.readouterr().err
    for fault in ("hv-pool-a: pause", "fail ControlPlane *, in every cluster"):
        assert f"\n  a fault that you wished for: {fault}\n" in said


def test_make_up_checks_the_model_before_it_starts_anything() -> None:
    """And nothing else: what each of its steps does is tested where that is."""
    make = ["make", "-n", "--no-print-directory", "up", "STACK=us-east-1"]
    done = subprocess.run(make, cwd=cache.ROOT, capture_output=True, text=True, check=False)
    first, *steps = done.stdout.splitlines() or [""]
    assert first.endswith(" -m tools setup preview sandbox"), f"make up begins with {first}{done.stderr}"
    assert steps == [
        f".venv/bin/python -m {step}"
        for step in (
            "model check us-east-1",
            "sandbox up --name us-east-1",
            "sandbox pulumi --name us-east-1 up --yes --skip-preview --suppress-outputs",
            "sandbox pulumi --name us-east-1 stack output readme",
        )
    ]


def test_a_passphrase_that_the_person_has_for_other_stacks_is_not_the_sandbox_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The committed stack files have the salt of the empty one."""
    monkeypatch.setattr(state, "ROOT", tmp_path)
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "of something else")
    monkeypatch.setenv("PULUMI_BACKEND_URL", "s3://of-something-else")
    env = pulumi.environment(folder("told"))
    assert {key: env[key] for key in env if key.startswith("PULUMI_CONFIG_PASSPHRASE")} == {
        "PULUMI_CONFIG_PASSPHRASE": ""
    }
    assert env["PULUMI_BACKEND_URL"].startswith("file://")
