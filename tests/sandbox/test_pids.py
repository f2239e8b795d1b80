"""Processes of which nothing is known but the number."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import pids
from tests.sandboxes import until
from tools.problem import Problem


def test_another_person_s_process_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of a sandbox may be one, and nobody may signal it."""

    def refuse(_pid: int, _number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert pids.alive(1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nobody tells cheaply")
def test_a_process_that_ended_is_dead_although_nobody_asked_after_it() -> None:
    """Else a sandbox outlives an owner whose parent does not care."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert pids.alive(child.pid)
        child.kill()
        until(lambda: None if pids.alive(child.pid) else True, lambda: "it is taken for alive", 10)
    assert not pids.alive(child.pid)


def test_a_machine_without_ps_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As most container images are: no traceback."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match=r"ps is not on PATH.* apt install procps"):
        pids.commands()
