"""Which go builds the programs, and which programs need no go since they are on PATH."""

import subprocess
from pathlib import Path

import pytest

from tests.tools.clone import Clone, sentence
from tools.programs import Program, load

SAYS = '#!/bin/sh\necho "etcd Version: {version}"\necho "Git SHA: Not provided (use ./build.sh)"\n'
ETCD = next(program for program in load() if program.name == "etcd")


def test_without_go_the_set_up_says_so_in_one_sentence_and_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    (clone.path / "go").unlink()
    said = sentence(clone.run("setup", "preview"))
    assert said.startswith("go is not on PATH"), said
    assert "Install Go 1.21 or newer" in said, "the next step"
    assert "\n" not in said, "one sentence"
    assert clone.cached() == ["lock"], "nothing was made, so nothing is there"


@pytest.mark.parametrize("version", ["go1.20.5", "go1.9", ""])
def test_a_go_that_is_too_old_is_named_with_its_version_and_nothing_is_built(tmp_path: Path, version: str) -> None:
    clone = Clone(tmp_path)
    go = clone.program("go", f'#!/bin/sh\necho "{version}"\n')
    said = sentence(clone.run("setup", "preview"))
    assert f"{go} is {version or 'too old to say its version'}" in said, "which go it is, and which version"
    assert "1.21 is the oldest" in said, "the version needed"
    assert "Install a newer Go" in said, "the next step"
    assert clone.cached() == ["lock"], "nothing was made, so nothing is there"


@pytest.mark.parametrize("version", ["go1.21.0", "go1.26.8 X:nocoverageredesign", "devel go1.27-2f7c1ad Tue Jan 6"])
def test_a_go_that_is_new_enough_builds_the_programs(tmp_path: Path, version: str) -> None:
    clone = Clone(tmp_path)
    go = clone.path / "go"
    go.write_text(go.read_text().replace("go1.26.8", version))
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, done.stderr
    assert "etcd" in clone.built()


def test_a_gotoolchain_of_the_person_does_not_count_as_the_version_of_their_go(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    go = clone.path / "go"
    chosen = '[ "$GOTOOLCHAIN" = local ] || { echo go1.20.5; exit; }'
    go.write_text(go.read_text().replace('"env GOVERSION") ', f'"env GOVERSION") {chosen}; '))
    done = clone.run("setup", "sandbox", GOTOOLCHAIN="go1.20.5")
    assert done.returncode == 0, f"each program is built by its own toolchain, whatever the person set: {done.stderr}"


def test_a_person_who_builds_for_another_system_gets_programs_for_this_one(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.go('echo "for $GOOS $GOARCH" > "$target"; /bin/chmod 755 "$target"')
    assert clone.run("setup", "sandbox", GOOS="plan9", GOARCH="arm").returncode == 0
    assert (clone.root / ".tools/bin/etcd").read_text() == "for  \n", "go's default is this system"


def test_a_program_of_the_pinned_version_on_path_is_taken_instead_of_built(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    etcd = clone.program("etcd", SAYS.format(version=ETCD.version))
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, done.stderr
    assert "etcd" not in clone.built(), "building what is there wastes minutes"
    assert f"etcd {ETCD.version}: using {etcd}" in done.stderr, "the person is told which one it is"
    assert (clone.root / ".tools/bin/etcd").read_text() == etcd.read_text(), "it is what the project then runs"


@pytest.mark.parametrize("version", ["3.6.11", "3.6.120", "13.6.12"])
def test_a_program_of_another_version_on_path_is_not_taken(tmp_path: Path, version: str) -> None:
    clone = Clone(tmp_path)
    clone.program("etcd", SAYS.format(version=version))
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, done.stderr
    assert "etcd" in clone.built(), f"{version} is not the pinned {ETCD.version}"


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 3\n", "#!/no/such/interpreter\n", "not a program"])
def test_a_program_on_path_that_does_not_start_is_not_taken(tmp_path: Path, text: str) -> None:
    clone = Clone(tmp_path)
    clone.program("etcd", text)
    done = clone.run("setup", "sandbox")
    assert done.returncode == 0, done.stderr
    assert "etcd" in clone.built(), "what does not start cannot be used"


def test_a_program_that_was_taken_from_path_stays_of_its_version_when_the_person_upgrades_or_removes_it(
    tmp_path: Path,
) -> None:
    clone = Clone(tmp_path)
    pinned = SAYS.format(version=ETCD.version)
    etcd = clone.program("etcd", pinned)
    assert clone.run("setup", "sandbox").returncode == 0
    etcd.write_text(SAYS.format(version="3.7.0"))  # in place, as cp and go install do
    (clone.root / ".tools/bin/etcd").unlink()
    assert clone.run("setup", "sandbox").returncode == 0
    assert (clone.root / ".tools/bin/etcd").read_text() == pinned, "the cache's key promises the pinned version"
    etcd.unlink()
    (clone.root / ".tools/bin/etcd").unlink()
    again = clone.run("setup", "sandbox")
    assert again.returncode == 0, f"a program that is gone from PATH must not break the set-up: {again.stderr}"


def test_every_program_that_may_be_taken_from_path_says_its_own_pinned_version() -> None:
    def wrong(program: Program) -> bool:
        return (
            bool(program.ask) != bool(program.says) or (program.says or program.version).lstrip("v") != program.version
        )

    assert [program.name for program in load() if wrong(program)] == [], "`ask` and `says` in programs.toml disagree"


def test_what_the_set_up_tells_is_not_mixed_into_the_lines_that_a_shell_evaluates(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.program("etcd", SAYS.format(version=ETCD.version))
    done = clone.run("setup", "sandbox")
    assert done.stdout == "", 'eval "$(make -s env)" would run these lines as commands'


def test_the_lines_for_a_shell_are_what_a_shell_reads_whatever_the_folders_are_called(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "a person's $HOME; exit 3")
    lines = clone.run("env").stdout
    assert [line for line in lines.splitlines() if not line.startswith("export ")] == []
    done = subprocess.run(
        ["/bin/sh", "-c", lines + 'echo "$PULUMI_BACKEND_URL"; echo "${PATH%%:*}"'],
        env=clone.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [f"file://{clone.root}/.state", f"{clone.root}/.tools/bin"], done.stderr
