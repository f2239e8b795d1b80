"""Whatever a person does to a stack file, the answer is a region or sentences: no traceback, no hang.

MUTATIONS=20000 .venv/bin/pytest tests/model/test_mutations.py tries that many; the suite itself a few hundred.
"""

import copy
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from hypothesis import HealthCheck, given, settings, strategies as st

from model import Problems, RegionSpec, stack_file
from tests.random_regions import regions
from tests.regions import ROOT, STACKS, loaded
from tests.stackfiles import GOOD, NAME

MUTATIONS = int(os.environ.get("MUTATIONS", "300"))
LONGEST = 2.0  # seconds of the processor for one file
CLAIMS = "\n---\n".join(file.read_text() for file in sorted((Path(__file__).parent / "claims").glob("*.yaml")))
TEXTS = [GOOD, *((ROOT / f"Pulumi.{name}.yaml").read_text() for name in STACKS)]
CONFIGS = [yaml.safe_load(text)["config"] for text in TEXTS]

place = st.integers(0, 2**16)
characters = st.sampled_from(list(" \t\n:-#'\"[]{},&*!|>%@`?~<0aA.\\\x00\x07\x85é\u2028\ufeff😀"))
edits = st.lists(
    st.tuples(
        st.sampled_from(["delete", "double", "swap", "indent", "outdent", "put", "replace", "cut"]), place, place
    ),
    min_size=1,
    max_size=4,
)
odd = st.sampled_from(
    [
        *("", "hv-pool-a", "st-pool-a", "eu-de-1", "us-east-1", "customer-a-prod", "true", "0", "-1", "1e999", "500Ti"),
        *("10.0.0.0/8", "::/0", "latest", "a" * 300, "\n", "\x00", "[key]", "secure", "{", '{"a": [', "🜁", "<<", "~"),
    ]
)
plain = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), odd)
values = st.recursive(
    plain, lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=4) | odd, below, max_size=3)
)
changes = st.lists(
    st.tuples(st.sampled_from(["set", "copy", "delete", "add", "rename", "double"]), place, place, values),
    min_size=1,
    max_size=4,
)


def mutations(share: float) -> Any:  # noqa: ANN401  (Hypothesis's decorator)
    return settings(
        max_examples=max(1, int(MUTATIONS * share)),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


def edited(text: str, steps: list[tuple[str, int, int]], character: str) -> str:
    """The text after a slip of the hand or two."""
    for what, one, other in steps:
        lines = text.split("\n")
        at, elsewhere, offset = one % len(lines), other % len(lines), other % (len(text) + 1)
        match what:
            case "delete":
                del lines[at]
            case "double":
                lines.insert(elsewhere, lines[at])
            case "swap":
                lines[at], lines[elsewhere] = lines[elsewhere], lines[at]
            case "indent":
                lines[at] = " " * (1 + other % 3) + lines[at]
            case "outdent":
                lines[at] = lines[at][1 + other % 3 :]
            case "cut":
                lines = lines[: at + 1]
            case _:
                end = offset + (what == "replace")
                lines = (text[:offset] + character + text[end:]).split("\n")
        text = "\n".join(lines)
    return text


def holders(value: object) -> Iterator[tuple[Any, Any]]:
    """Every place below a value: what holds it, and its key or index there."""
    below: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        below = list(cast("dict[Any, Any]", value).items())
    elif isinstance(value, list):
        below = list(enumerate(cast("list[Any]", value)))
    for key, one in below:
        yield value, key
        yield from holders(one)


def changed(config: dict[str, Any], steps: list[tuple[str, int, int, Any]]) -> dict[str, Any]:
    """The configuration with other values at some of its places."""
    config = copy.deepcopy(config)
    for what, one, other, value in steps:
        places = list(holders(config))
        if not places:
            break
        holder, key = places[one % len(places)]
        source, of = places[other % len(places)]
        here = copy.deepcopy(holder[key])
        match what:
            case "set":
                holder[key] = value
            case "copy":
                holder[key] = copy.deepcopy(source[of])
            case "delete":
                del holder[key]
            case "add" if isinstance(holder, dict):
                cast("dict[Any, Any]", holder)[str(of)] = value
            case "rename" if isinstance(holder, dict):
                holder[str(of)] = cast("dict[Any, Any]", holder).pop(key)
            case _ if isinstance(holder, list):
                cast("list[Any]", holder).append(here)
            case _:
                cast("dict[Any, Any]", holder)[f"{key}{key}"] = here
    return config


def answer(folder: Path, text: str) -> RegionSpec | None:
    """The region of a text, or nothing if there are sentences that say why not."""
    (folder / NAME).write_text(text, encoding="utf-8", newline="")
    began = time.process_time()
    region, said = None, ("",)
    try:
        region = stack_file("test", folder)
    except Problems as problems:
        said = problems.sentences
    assert time.process_time() - began < LONGEST, "nobody waits longer for the answer"
    assert said, "a refusal says why"
    for sentence in said if region is None else ():
        assert re.fullmatch(r"[^\n]+[.?]", sentence), f"a sentence is one line and ends as one: {sentence!r}"
        assert sentence.startswith((f"{NAME} ", f"{NAME}:", "claims/")), f"it names its file: {sentence!r}"
    return region


def again(region: RegionSpec) -> RegionSpec:
    return loaded(region.model_dump(by_alias=True, mode="json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stack")


@mutations(0.45)
@given(text=st.sampled_from(TEXTS), steps=edits, character=characters)
def test_a_slip_in_the_text_gives_a_region_or_sentences(
    folder: Path, text: str, steps: list[tuple[str, int, int]], character: str
) -> None:
    answer(folder, edited(text, steps, character))


@mutations(0.45)
@given(config=st.sampled_from(CONFIGS), steps=changes)
def test_any_value_at_any_place_gives_a_region_that_loads_again_or_sentences(
    folder: Path, config: dict[str, Any], steps: list[tuple[str, int, int, Any]]
) -> None:
    text = yaml.dump({"config": changed(config, steps)}, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
    if region := answer(folder, text):
        assert again(region) == region, "what a region says of itself describes the same region"


@mutations(0.1)
@given(steps=edits, character=characters)
def test_a_slip_in_claim_manifests_gives_a_region_or_sentences(
    folder: Path, steps: list[tuple[str, int, int]], character: str
) -> None:
    below = folder / "below"
    (below / "claims").mkdir(parents=True, exist_ok=True)
    (below / "claims" / "all.yaml").write_text(edited(CLAIMS, steps, character), encoding="utf-8", newline="")
    answer(below, GOOD.replace("cobaltcore:environment: production", "cobaltcore:claims: claims"))


@mutations(0.1)
@given(config=regions())
def test_a_region_of_any_shape_loads_and_what_it_dumps_loads_as_the_same(folder: Path, config: dict[str, Any]) -> None:
    keys = {f"cobaltcore:{key}": value for key, value in config.items()}
    text = yaml.dump({"config": keys}, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
    region = answer(folder, text)
    assert region == loaded(config), "a file says the same as its values"
    assert region is not None
    assert again(region) == region, "what a region says of itself describes the same region"
    assert len(region.open_stack_clusters) == len(config["openStackClusters"]), "and nothing is lost"
