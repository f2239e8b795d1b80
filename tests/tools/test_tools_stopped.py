"""A set-up that is killed, stopped or started twice never leaves a half-made program, and never builds one twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.clone import BUILDS, WORKS, Clone, sentence, until
from tools import cache

HALF = 'echo half > "$target"; echo half > "${target%/*}/src/half"; '
# A child that lives on until it is ended, and says how it ended.
STAYS = f"""{HALF} trap 'echo TERM > "$HOME/ended"; exit 143' TERM; echo $$ > "$HOME/pid"; {WORKS}"""

FETCH = """
from crds.generator import modules
from crds.generator.lock import Module
modules.verified(Module(module="example.test/tiny", version="v1.0.0", h1="h1:" + "A" * 43 + "="))
"""


def at_work(clone: Clone) -> bool:
    return (clone.home / "pid").exists() and (clone.home / "pid").read_text().endswith("\n")


def test_a_killed_set_up_leaves_nothing_that_the_next_one_stumbles_over(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go(STAYS)
    with clone.started("setup", "sandbox") as process:
        until(lambda: at_work(clone), "the build has not begun")
        process.kill()
        process.wait()
        os.kill(int((clone.home / "pid").read_text()), signal.SIGTERM)  # only go itself is left over
    assert list(clone.cache.glob("tmp/*/etcd")), "the test is about something that was left behind"
    assert [name for name in clone.cached() if "programs" in name] == [], "half a program is not there at all"
    clone.go()
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, done.stderr
    assert list(clone.cache.glob("tmp/*")) == [], "what the killed run left is gone"
    etcd = next(clone.cache.glob("programs/etcd-*"))
    assert [(file.name, file.read_text()) for file in etcd.iterdir()] == [("etcd", "program\n")], "whole, and only that"


def test_a_killed_download_of_a_crd_module_is_cleared_away_by_the_next_set_up(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    proxy = tmp_path / "proxy"
    served = proxy / "example.test/tiny/@v/v1.0.0.zip"
    served.parent.mkdir(parents=True)
    os.mkfifo(served)  # a download that never ends
    environment = clone.environment(GOPROXY=proxy.as_uri())
    command = [sys.executable, "-c", FETCH]
    with subprocess.Popen(command, cwd=cache.ROOT, env=environment, stderr=subprocess.DEVNULL) as process:
        until(lambda: list(clone.cache.rglob("tmp*")) not in ([], [clone.cache / "tmp"]), "the download has not begun")
        process.kill()
    assert clone.run("setup", "sandbox").returncode == 0
    assert [path for path in clone.cache.rglob("tmp*") if path != clone.cache / "tmp"] == [], "it is cleared away"


def test_a_program_appears_in_the_cache_whole_and_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COBALTCORE_CACHE", str(tmp_path))
    target = tmp_path / "programs/etcd"
    with cache.publishing(target) as scratch:
        (scratch / "etcd").write_text("program")
        folder = scratch.stat().st_ino
        assert not target.exists(), "who looks now must not find half of it"
    assert target.stat().st_ino == folder, "it was renamed: a copy can be seen, or killed, when it is half done"
    assert not scratch.exists()


def test_ctrl_c_gives_a_sentence_and_ends_the_build_with_the_set_up(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go(STAYS)
    with clone.started("setup", "sandbox") as process:
        until(lambda: at_work(clone), "the build has not begun")
        process.send_signal(signal.SIGINT)  # to the set-up alone: a terminal would send it to go as well
        assert process.wait(timeout=20) == 128 + signal.SIGINT, clone.said()
    said = clone.said()
    assert said.endswith("\n\nStopped. What is already built is kept: run the same command again afterwards.\n"), said
    assert "Traceback" not in said
    until((clone.home / "ended").exists, "go was not ended, and burns the processor for nobody")
    assert list(clone.cache.glob("tmp/*")) == [], "nothing is half-made"


def test_a_build_whose_go_closes_its_output_early_is_waited_for_and_not_ended(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go('case "$target" in */etcd) exec >&- 2>&-; /bin/sleep 0.2 ;; esac; ' + BUILDS)
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, f"the end of the output is not the end of the build: {done.stderr}"


def test_two_set_ups_at_once_build_each_program_once(tmp_path: Path) -> None:
    first, second = (Clone(tmp_path / name) for name in ("first", "second"))
    second.cache = first.cache  # two clones of one user
    gate = first.home / "gate"
    first.go(f'echo $$ > "$HOME/pid"; while [ ! -e "{gate}" ]; do /bin/sleep 0.02; done; ' + BUILDS)
    with first.started("setup", "sandbox") as one:
        until(lambda: at_work(first), "the first set-up has not begun")
        with second.started("setup", "sandbox") as two:
            until(lambda: "waiting for it to end" in second.said(), "the second does not say that it waits")
            gate.touch()
            assert one.wait(timeout=20) == 0, first.said()
            assert two.wait(timeout=20) == 0, second.said()
    assert len(first.built()) == len(set(first.built())), "once each"
    assert second.built() == [], "the second finds the work done"
    assert (second.root / ".tools/bin/etcd").exists(), "and uses it"


def test_the_lock_goes_with_a_killed_set_up_even_while_its_go_lives_on(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go(STAYS)
    with clone.started("setup", "sandbox") as process:
        until(lambda: at_work(clone), "the build has not begun")
        process.kill()
        process.wait()
        clone.go()
        done = clone.run("setup", "sandbox")
        os.kill(int((clone.home / "pid").read_text()), signal.SIGTERM)
    assert done.returncode == 0, done.stderr
    assert "waiting" not in done.stderr, "nobody is at work any more"


def test_a_failed_build_keeps_the_programs_that_were_built_before_it(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go('case "$target" in */crane) echo "crane.go:1: syntax error"; exit 1 ;; esac; ' + BUILDS)
    said = sentence(clone.run("setup", "sandbox"))
    assert said.startswith("crane 0.20.6 failed. Its last words were:\n  crane.go:1: syntax error"), said
    before = len(clone.built())
    clone.go()
    assert clone.run("setup", "sandbox").returncode == 0
    assert clone.built()[before:][0] == "crane", "the next run goes on where this one failed"
    assert clone.built().count("etcd") == 1, "what is built is kept"
