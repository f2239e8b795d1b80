"""A whole set-up: what it puts where, what it repairs, and that a clone that is ready waits for nothing."""

import os
from pathlib import Path

import pytest

from tests.tools.clone import FETCHED, Clone, sentence


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone in which the program that embeds a file holds that file."""
    made = Clone(tmp_path)
    made.go('{ echo program; [ ! -e schema.json ] || read -r line < schema.json; echo "$line"; } > "$target"')
    done = made.run("setup", "preview")
    assert done.returncode == 0, done.stderr
    return made


def test_the_programs_lie_side_by_side_with_the_files_that_belong_to_them(clone: Clone) -> None:
    folder = clone.root / ".tools/bin"
    assert sorted(file.name for file in folder.iterdir()) == [
        "cobaltcore-access",
        "controller-gen",
        "crd-schema",
        "pulumi",
        "pulumi-language-python",
        "pulumi-language-python-exec",
        "pulumi-resource-kubernetes",
        "uv",
    ]
    assert os.access(folder / "pulumi-language-python-exec", os.X_OK), "the language host starts it"
    embedded = (folder / "pulumi-resource-kubernetes").read_text()
    assert embedded == f"program\n{FETCHED[1]}\n", "the schema is the one of the pinned module"


def test_a_clone_that_is_ready_is_left_alone(clone: Clone) -> None:
    (clone.path / "go").unlink()
    (clone.path / "uv").unlink()
    again = clone.run("setup", "preview")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", ""), "it needs neither go nor uv, and says nothing"


@pytest.mark.parametrize("name", ["pulumi", "pulumi-language-python-exec", "uv"])
def test_a_program_that_was_removed_from_a_clone_comes_back_from_the_cache(clone: Clone, name: str) -> None:
    before = clone.built()
    (clone.path / "uv").unlink()  # it was taken from PATH, and is in the cache as well
    (clone.root / ".tools/bin" / name).unlink()
    assert clone.run("setup", "preview").returncode == 0
    assert (clone.root / ".tools/bin" / name).exists()
    assert clone.built() == before, "nothing is built for it"


def test_a_second_clone_of_the_same_user_builds_nothing(clone: Clone, tmp_path: Path) -> None:
    second = Clone(tmp_path / "second")
    second.cache = clone.cache
    assert second.run("setup", "preview").returncode == 0
    assert second.built() == []
    assert (second.root / "crds/generated/pyproject.toml").exists(), "the CRD packages come from the cache too"


def test_a_generator_that_fails_says_its_own_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.uv(generator="echo crds/lock.toml: x has no kind Y. >&2; exit 1")
    said = sentence(clone.run("setup", "sandbox"))
    assert said == "The typed CRD packages could not be made. crds/lock.toml: x has no kind Y."
    assert [name for name in clone.cached() if "sdk" in name] == [], "half a package is not there at all"
    assert not (clone.root / "crds/generated").exists()
