"""Builds that run beside each other."""

import signal
from pathlib import Path

from tests.tools.clone import BUILDS, WORKS, Clone, sentence, until

# Each says that it is at work, and lives on until it is ended or, where the test wants that, until the other is there.
STAYS = f"""trap ': > "$HOME/ended-${{target##*/}}"; exit 143' TERM; : > "$HOME/at-work-${{target##*/}}"; {WORKS}"""
MEETS = 'while [ ! -e "$HOME/at-work-etcd" ]; do /bin/sleep 0.02; done; '


def at_work(clone: Clone, state: str = "at-work") -> set[str]:
    return {file.name.removeprefix(f"{state}-") for file in clone.home.glob(f"{state}-*")}


def two_at_once(place: Path, build: str) -> Clone:
    clone = Clone(place)
    clone.setting("AT_ONCE", "2")
    clone.go(build)
    return clone


def test_two_folders_are_built_at_a_time_and_the_programs_of_one_folder_in_turn(tmp_path: Path) -> None:
    clone = two_at_once(tmp_path, STAYS)
    with clone.started("setup", "sandbox") as process:
        until(lambda: len(at_work(clone)) == 2, "the second build has not begun")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 128 + signal.SIGINT, clone.said()
    assert at_work(clone) == {"etcd", "kube-apiserver"}, (
        "kube-controller-manager profits from what kube-apiserver compiles"
    )
    until(lambda: at_work(clone, "ended") == {"etcd", "kube-apiserver"}, "Ctrl-C ends both")
    assert list(clone.cache.glob("tmp/*")) == [], "nothing is half-made"


def test_a_failed_build_ends_the_one_beside_it_and_is_the_one_that_is_told(tmp_path: Path) -> None:
    fails = MEETS + 'echo "main.go:1: syntax error"; exit 1'
    clone = two_at_once(tmp_path, f'case "$target" in */etcd) {STAYS} ;; */kube-apiserver) {fails} ;; esac; {BUILDS}')
    said = sentence(clone.run("setup", "sandbox"))
    assert said == "kube-apiserver 1.35.4 failed. Its last words were:\n  main.go:1: syntax error", said
    assert at_work(clone, "ended") == {"etcd"}, "it is not left to burn the processor"
    assert list(clone.cache.glob("tmp/*")) == [], "nothing is half-made"
    clone.go()
    assert clone.run("setup", "sandbox").returncode == 0, "and the next run goes on"
