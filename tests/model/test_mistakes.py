"""Every mistake gives one sentence, with file, line, key, value and what would be right, and no second one."""

from pathlib import Path

import pytest
import yaml

from model import Problems, stack_file
from tests.stackfiles import GOOD, NAME, changed, line_of, region_of, sentences

MISTAKES = [
    pytest.param(mistake, id=f"{file.stem}: {mistake['mistake']}")
    for file in sorted((Path(__file__).parent / "mistakes").glob("*.yaml"))
    for mistake in yaml.safe_load(file.read_text())
]

# What makes a file unreadable, or readable in two ways: the sentence cannot name a path to a value that is not there.
UNREADABLE = [
    ("size: large", "size: [large", ":56 is not YAML here: did not find expected ',' or ']'; mend the line or the one"),
    ("    workers: 5\n", "\tworkers: 5\n", ":11 is not YAML here: found character that cannot start any token"),
    ("size: large", "size: *large", ":55 is not YAML here: found undefined alias; mend the line or the one before it."),
    ("size: large", "size: large\n      size: small", ":56 has the key 'size' a second time: remove one of the two."),
    ("size: large", "size: large\n      <<: [small]", ":56 merges (<<) something other than keys and values: name an"),
    ("size: large", "size: &size [*size]", ":55 is nested deeper than 40 levels, or in itself: write it out flat."),
    ("size: large", f"size: {'[' * 99}{']' * 99}", ":55 is nested deeper than 40 levels: write it out flat."),
    ("size: large", f"size: {'[' * 99_999}", ":55 is nested deeper than 40 levels: write it out flat."),
    ("size: large", "size: \x07", ":55 holds the character '\\x07', which YAML does not allow: remove it."),
    (
        "size: large",
        r'size: "\ud800"',
        ":55 is not YAML here: found invalid Unicode character escape code; mend the line",
    ),
    ("config:", "configuration:", " has no configuration: begin it with config: and the keys cobaltcore:… below."),
    (GOOD, "", " has no configuration: begin it with config: and the keys cobaltcore:… below."),
    (GOOD, "- config:\n", " has no configuration: begin it with config: and the keys cobaltcore:… below."),
    (GOOD, f"{GOOD}---\n{GOOD}", " holds 2 documents, of which Pulumi reads the first: use one."),
]


def test_the_region_that_the_mistakes_are_made_in_is_good(tmp_path: Path) -> None:
    assert [one.name for one in region_of(tmp_path, GOOD).pools] == [
        "hv-pool-a",
        "hv-pool-sox",
        "st-pool-a",
        "st-pool-sox",
    ]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gives_one_sentence_with_file_line_key_value_and_remedy(
    tmp_path: Path, mistake: dict[str, str | dict[str, str]]
) -> None:
    text, beside = GOOD, mistake.get("beside", {})
    assert isinstance(beside, dict)
    for old, new in beside.items():
        text = changed(old, new, text)
    text = changed(str(mistake["change"]), str(mistake["to"]), text)
    assert sentences(tmp_path, text) == [f"{NAME}:{line_of(text)}: cobaltcore:{mistake['says']}"], (
        "a person corrects one place, and reads where it is and what to write there"
    )


@pytest.mark.parametrize(("old", "new", "says"), UNREADABLE, ids=[says[:60] for _, _, says in UNREADABLE])
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(tmp_path: Path, old: str, new: str, says: str) -> None:
    (sentence,) = sentences(tmp_path, changed(old, new))
    assert sentence.startswith(NAME + says), "nothing can be said of what could not be read, but where that begins"
    assert "\n" not in sentence, "each sentence is a line"


def test_aliases_cannot_make_a_small_file_large(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    (sentence,) = sentences(tmp_path, "\n".join([*lines, GOOD]))
    assert sentence == (f"{NAME}:4 stands, with its aliases, for more than 100000 values: write out what is meant."), (
        "ten lines for ten thousand million values would fill the memory"
    )


def test_a_file_that_is_no_text_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.test.yaml").write_bytes(b"config:\n  caf\xe9: 1\n")
    with pytest.raises(Problems, match=r"^Pulumi.test.yaml is not text in UTF-8 \(byte 13\): save it as UTF-8\.$"):
        stack_file("test", tmp_path)


def test_a_stack_without_a_file_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Problems, match=r"^Pulumi.none.yaml is not here: name a stack that has a file, or write that"):
        stack_file("none", tmp_path)
