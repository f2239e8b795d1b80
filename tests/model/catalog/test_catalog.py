"""The catalogue's loader: what it refuses and how it says so."""

import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from model.catalog import FOLDER, Catalog, load_catalog
from model.catalog.files import read
from model.problems import Problems

CATALOG = load_catalog()
MISTAKES: dict[str, Any] = yaml.load((Path(__file__).parent / "mistakes.yaml").read_text(), yaml.CSafeLoader)


def entry(change: dict[str, Any] | None = None) -> dict[str, Any]:
    """A good entry; a change to None removes a key."""
    good: dict[str, Any] = {
        "description": "Something that works.",
        "clusters": ["control-plane"],
        "namespace": "some-system",
        "phase": "F2",
        "source": {"kind": "helm", "url": "https://charts.example.org"},
        "version": ">=1.0.0 <2.0.0",
    }
    return {key: value for key, value in {**good, **(change or {})}.items() if value is not None}


def loaded(folder: Path, **files: dict[str, Any] | str) -> Catalog:
    """The catalogue of these files, one an entry."""
    folder = folder / "catalog"
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
        (folder / f"{name}.yaml").write_text(text)
    return load_catalog(folder)


@pytest.mark.parametrize("mistake", MISTAKES["one file"], ids=lambda mistake: mistake["says"][:60])
def test_a_mistake_in_a_file_is_one_sentence_with_the_remedy(tmp_path: Path, mistake: dict[str, Any]) -> None:
    with pytest.raises(Problems) as caught:
        loaded(tmp_path, one=entry(mistake["change"]), two=entry())
    assert caught.value.sentences == (mistake["says"],)


@pytest.mark.parametrize("title", MISTAKES["between files"])
def test_a_mistake_between_files_is_one_sentence_with_the_remedy(tmp_path: Path, title: str) -> None:
    mistake = MISTAKES["between files"][title]
    with pytest.raises(Problems) as caught:
        loaded(tmp_path, **{name: entry(change) for name, change in mistake["files"].items()})
    assert caught.value.sentences == (mistake["says"],)


NO_ENTRY = "catalog/one.yaml is no entry: write keys and values, as in the folder's other files."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("description: [", "catalog/one.yaml:2 is not YAML here: did not find expected node content"),
        ("- a\n- b\n", NO_ENTRY),
        ("", NO_ENTRY),
        ("phase: F1\n---\nphase: F2\n", NO_ENTRY),
        ("phase: F1\nphase: F2\n", "catalog/one.yaml:2 has the key 'phase' a second time: remove one of the two."),
        ("values:\n  a: 1\n  a: 2\n", "catalog/one.yaml:3 has the key 'a' a second time: remove one of the two."),
        ("values: {b: [{a: 1, a: 2}]}\n", "catalog/one.yaml:1 has the key 'a' a second time: remove one of the two."),
        ("a: *b\n", "catalog/one.yaml:1 is not YAML here: found undefined alias"),
        ("values: &v {a: *v}\n", "catalog/one.yaml:1 is nested deeper than 40 levels, or in itself"),
        ("\0", "catalog/one.yaml:1 holds the character '\\x00', which YAML does not allow: remove it."),
    ],
)
def test_a_file_that_is_no_entry_is_said_to_be_none(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(Problems) as caught:
        loaded(tmp_path, one=text, two=entry())
    (said,) = caught.value.sentences
    assert said.startswith(sentence)


def test_words_are_words_as_in_the_stack_file(tmp_path: Path) -> None:
    catalog = loaded(tmp_path, one=entry({"values": {"a": "?"}}), two=yaml.safe_dump(entry()) + "values: {a: on}\n")
    assert catalog.by_name["two"].values == {"a": "on"}


def test_a_folder_without_entries_is_no_catalogue(tmp_path: Path) -> None:
    with pytest.raises(Problems) as caught:
        loaded(tmp_path)
    assert caught.value.sentences == ("catalog has no file that ends in .yaml: it must be the catalogue's folder.",)


def test_a_file_that_would_not_be_read_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "rook.yml").write_text("")
    with pytest.raises(Problems) as caught:
        loaded(tmp_path, one=entry())
    assert caught.value.sentences == (
        "catalog/rook.yml is not read, as only .yaml is: rename it to rook.yaml, or move it.",
    )


def test_a_damaged_file_gives_sentences_or_a_catalogue_and_nothing_else(tmp_path: Path) -> None:
    chance = random.Random(4)
    texts = [file.read_text() for file in sorted(FOLDER.glob("*.yaml"))]
    for at in range(400):
        lines = chance.choice(texts).splitlines()
        for _ in range(chance.randrange(1, 4)):
            line = chance.randrange(len(lines))
            cut = chance.randrange(len(lines[line]) + 1)
            lines[line] = lines[line][:cut] + chance.choice(
                [":", "[", "&a", "*a", "? ", "- ", "'", "", "1", "{}", "\t"]
            )
        (tmp_path / f"{at}.yaml").write_text("\n".join(lines))
    problems = read(tmp_path).sentences
    assert len(problems) > 200, "most of them are broken"
    assert all(problem.endswith((".", "?")) and "\n" not in problem for problem in problems)


def test_a_file_s_name_must_be_a_name(tmp_path: Path) -> None:
    with pytest.raises(Problems, match=r"catalog/One.yaml:1: name is 'One': use lower-case letters"):
        loaded(tmp_path, One=entry())


def test_all_mistakes_are_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(Problems) as caught:
        loaded(tmp_path, one=entry({"phase": "F9", "version": "*"}), two=entry({"namespace": None}))
    assert len(caught.value.sentences) == 3


def test_the_mistakes_of_one_entry_are_said_at_once_too(tmp_path: Path) -> None:
    values = {"tag": "latest", "deeper": {"imageTag": 1.5}}
    with pytest.raises(Problems) as caught:
        loaded(
            tmp_path,
            one=entry({"workload": "Deployment", "skipCrds": True, "crds": ["a.b"]}),
            two=entry({"values": values}),
        )
    said = [re.sub(r" (is|needs|contradicts) .*", "", sentence) for sentence in caught.value.sentences]
    assert said == [
        "catalog/one.yaml:10: workload",
        "catalog/one.yaml:10: workload",
        "catalog/one.yaml:11: skipCrds",
        "catalog/two.yaml:11: values.tag",
        "catalog/two.yaml:13: values.deeper.imageTag",
    ]


def test_the_catalogue_loads_in_no_time() -> None:
    def load() -> float:
        began = time.process_time()
        load_catalog()
        return time.process_time() - began

    assert min(load() for _ in range(4)) < 0.15, "every preview loads it"


def test_a_loaded_catalogue_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(CATALOG.entries[0], "phase", "F1")  # noqa: B010  (the type checker refuses the plain form)
    values: Any = CATALOG.by_name["cert-manager"].values_for("production")
    values["crds"]["enabled"] = False
    again: Any = CATALOG.by_name["cert-manager"].values_for("production")
    assert again["crds"]["enabled"] is True, "values that somebody was given are their own"


def test_what_nobody_publishes_says_why_and_is_known_to_be_so() -> None:
    for one in CATALOG.entries:
        assert one.published == (one.source is not None)
        assert one.published or one.unpublished
