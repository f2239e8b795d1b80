"""A disk that is full, or forbidden, is told as one sentence, and nothing half-made stays on it."""

import errno
import os
import shutil
import subprocess
import venv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from tests.tools.clone import Clone, sentence
from tools import cache, cli, problem, python_env
from tools.build import build
from tools.problem import Problem
from tools.programs import load

GO_SAYS = "go: writing output: write /var/small/go-build1/b001/_pkg_.a: no space left on device"


def full(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Usage(NamedTuple):
    """What shutil.disk_usage answers."""

    total: float
    used: float
    free: float


def disk(free: float) -> Callable[[Path], Usage]:
    """A disk of two terabytes, of which so much is free."""

    def usage(_: Path) -> Usage:
        return Usage(2e12, 2e12 - free, free)

    return usage


def use(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in clone.environment().items():
        monkeypatch.setenv(name, value)


def test_a_build_that_finds_the_disk_full_names_the_full_disk_and_leaves_nothing(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go(f'echo half > "$target"; echo "{GO_SAYS}"; exit 1')
    said = sentence(clone.run("setup", "sandbox"))
    assert said.startswith("The disk that holds /var/small/go-build1/b001/_pkg_.a is full."), said
    assert "COBALTCORE_CACHE (and GOCACHE, GOMODCACHE, TMPDIR) at a larger disk" in said, "the next step"
    assert "run the same command again" in said, "the next step"
    assert len(said.splitlines()) == 1, said
    assert clone.cached() == ["lock"], "half a program is not there at all"
    assert list(clone.cache.glob("tmp/*")) == [], "what was written makes no full disk fuller"


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "error: failed to write to file `/x`: No space left on device (os error 28)",
        "open /home/me/go/pkg/mod/cache/lock: disk quota exceeded",
    ],
)
def test_pip_uv_and_a_quota_say_in_other_words_that_the_disk_is_full(tmp_path: Path, line: str) -> None:
    assert "is full. Free some space" in str(problem.from_output("uv", line, tmp_path))


def test_a_full_disk_under_our_own_writing_is_a_sentence_and_the_unfinished_folder_vanishes(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.uv(generator=': > "$3/pyproject.toml"; /bin/ln -s /dev/full "$3/PINS"')  # which is full, really
    said = sentence(clone.run("setup", "sandbox"))
    assert said.startswith(f"The disk that holds {clone.cache} is full."), said
    assert [name for name in clone.cached() if "sdk" in name] == [], "half a package is not there at all"
    assert list(clone.cache.glob("tmp/*")) == [], "what was written makes no full disk fuller"


def test_a_full_disk_while_copying_a_folder_is_a_sentence_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """shutil.copytree gathers the errors of all files into one, which has no errno."""

    def copy(_: list[str]) -> int:
        shutil.copytree(cache.ROOT / "tools/go/etcd", tmp_path / "copy")
        return 0

    monkeypatch.setattr(shutil, "copyfile", full)
    monkeypatch.setattr(cli, "_run", copy)
    assert cli.main([]) == 1
    assert "is full. Free some space there" in capsys.readouterr().err


def test_a_full_disk_in_the_generator_of_the_crd_packages_is_a_sentence_too(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    trace = "Traceback (most recent call last):\n  File x\nOSError: [Errno 28] No space left on device"
    clone.uv(generator=f'echo "{trace}" >&2; exit 1'.replace("\n", "; "))
    said = sentence(clone.run("setup", "sandbox"))
    assert "is full. Free some space" in said, said


def test_a_full_disk_while_uv_gets_its_environment_is_not_taken_for_a_python_without_venv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment's pip is put there by a child, of which only the output says why it failed."""
    clone = Clone(tmp_path)
    clone.program("uv", "#!/bin/sh\necho uv 0.0.1\n")  # one of another version is as good as none
    use(clone, monkeypatch)
    output = b""

    def fail(*_: object, **__: object) -> NoReturn:
        raise subprocess.CalledProcessError(1, ["python", "-m", "ensurepip"], output=output)

    monkeypatch.setattr(venv, "create", fail)
    with pytest.raises(Problem, match=r"its ensurepip is missing.*apt install python3-venv"):
        python_env.uv()
    output = b"OSError: [Errno 28] No space left on device"
    with pytest.raises(Problem, match=r"is full\. Free some space"):
        python_env.uv()
    assert clone.cached() == [], "nothing is half-made"


def test_a_folder_that_cannot_be_written_is_named_with_the_next_step(tmp_path: Path) -> None:
    error = PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path / "cache"))
    said = str(problem.from_os_error(error, tmp_path))
    assert said.startswith(f"{tmp_path / 'cache'} cannot be written (Permission denied)"), said
    assert "point COBALTCORE_CACHE at a folder that is" in said


def test_an_error_that_is_no_disks_fault_keeps_its_traceback(tmp_path: Path) -> None:
    assert problem.from_os_error(FileNotFoundError(errno.ENOENT, "No such file"), tmp_path) is None


@pytest.mark.parametrize(("free", "refused"), [(1e9, True), (1e12, False)])
def test_too_little_space_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, *, refused: bool
) -> None:
    clone = Clone(tmp_path)
    use(clone, monkeypatch)
    monkeypatch.setattr(shutil, "disk_usage", disk(free))
    programs = [program for program in load() if program.set == "sandbox"]
    if not refused:
        build(programs)
        assert len(clone.built()) == len(programs)
        return
    with pytest.raises(Problem, match=r"has 1\.0 GB free, and what is still to be built needs about 9 GB\. Free some"):
        build(programs)
    assert clone.built() == [], "a quarter of an hour of building is spared"


def test_the_space_is_asked_of_each_disk_that_the_build_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Clone(tmp_path)
    use(clone, monkeypatch)
    asked: list[Path] = []

    def note(_: float, places: list[Path]) -> None:
        asked.extend(places)

    monkeypatch.setattr(cache, "need_space", note)
    build([program for program in load() if program.name == "etcd"])
    go = clone.home / "go"
    assert asked == [clone.cache, go / "GOMODCACHE", go / "GOCACHE"], "each may be a disk of its own"


def test_the_space_of_a_set_is_asked_even_if_another_set_is_built_or_a_program_came_from_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = Clone(tmp_path)
    use(clone, monkeypatch)
    etcd = next(program for program in load() if program.name == "etcd")
    clone.program("etcd", f"#!/bin/sh\necho etcd Version: {etcd.version}\n")
    next(program for program in load() if program.set == "preview").home.mkdir(parents=True)
    monkeypatch.setattr(shutil, "disk_usage", disk(1e9))
    with pytest.raises(Problem, match="needs about 9 GB"):
        build([program for program in load() if program.set == "sandbox"])


def test_a_set_of_which_something_is_built_is_not_refused_for_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Go's own caches are filled by then, and they are nearly all of it."""
    clone = Clone(tmp_path)
    use(clone, monkeypatch)
    programs = [program for program in load() if program.set == "sandbox"]
    programs[0].home.mkdir(parents=True)
    monkeypatch.setattr(shutil, "disk_usage", disk(1e9))
    build(programs)
    assert sorted(clone.built()) == sorted(program.name for program in programs[1:])
