"""Long work says which it is and for how long, in a log as on a terminal."""

import os
import pty
import re
import subprocess
import sys
import time

import pytest

from tools import cache, progress
from tools.progress import Step, clock

ON_TERMINAL = """
import time
from tools.progress import Step
with Step("[2/5] etcd") as step:
    step.detail = "7 modules fetched"
    time.sleep(1.2)
"""


def test_a_step_in_a_log_has_a_start_lines_with_the_time_gone_and_an_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY", 0.05)
    with Step("[2/5] etcd 3.6.12") as step:
        step.detail = "7 modules fetched"
        time.sleep(0.2)
    out, err = capsys.readouterr()
    first, *between, last = err.splitlines()
    assert first == "[2/5] etcd 3.6.12 ...", "which of how many, at once"
    assert between, "a log that is silent for minutes looks as if the work hung"
    for line in between:  # of a machine at work, 0.2 s may become one
        assert re.fullmatch(r"\[2/5\] etcd 3\.6\.12  \ds  7 modules fetched", line), "the time gone, and what is done"
    assert re.fullmatch(r"\[2/5\] etcd 3\.6\.12  done after \ds", last), "the time it took"
    assert "\r" not in err, "a log has no living line"
    assert out == "", "standard output belongs to the command"


def test_a_step_that_fails_says_that_it_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), Step("etcd"):
        raise ZeroDivisionError
    assert re.fullmatch(r"etcd  stopped after \ds", capsys.readouterr().err.splitlines()[-1])


def test_a_log_of_a_long_build_stays_short() -> None:
    assert progress.LOG_EVERY >= 10.0, "a quarter of an hour must not be a thousand lines"


def test_the_time_is_told_in_minutes_and_seconds() -> None:
    assert [clock(seconds) for seconds in (0.4, 59.4, 59.6, 61, 3725)] == ["0s", "59s", "1m00s", "1m01s", "62m05s"]


def test_a_step_on_a_terminal_is_one_living_line() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", ON_TERMINAL]
    subprocess.run(command, cwd=cache.ROOT, stderr=theirs, timeout=30, check=True)
    os.close(theirs)
    shown = os.read(ours, 4096).decode()
    os.close(ours)
    assert re.search(r"\r\x1b\[K\[2/5\] etcd  \d+s  7 modules fetched", shown), shown
    assert shown.count("\n") == 1, "each state is written over the one before; only the last stays"
    assert re.search(r"\r\x1b\[K\[2/5\] etcd  done after \d+s\r?\n$", shown), shown
