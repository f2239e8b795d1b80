"""The page for the person who writes a stack file: complete, plain, and with an example that works."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from jsonschema import Draft7Validator
from pydantic import BaseModel

from model import RegionSpec, stack_file
from model.claim import Claim
from model.places import PREFIX
from model.schema import stack_schema
from tests.regions import ROOT

PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_the_page_begins_with_a_stack_file_that_works(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert found, "a reader wants to see a whole file first"
    (tmp_path / "Pulumi.page.yaml").write_text(found[1])
    assert stack_file("page", tmp_path).open_stack_clusters, "it shows a tenant, too"
    editor = Draft7Validator(stack_schema())
    marked = list(editor.iter_errors(yaml.safe_load(found[1])))  # pyright: ignore[reportUnknownMemberType]
    assert marked == [], "and no editor marks a thing in it"


def models(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401  (any annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for below in get_args(annotation):
        yield from models(below)


def rows() -> dict[str, dict[str, list[str]]]:
    """The page's tables: of each claim every key's cells."""
    found: dict[str, dict[str, list[str]]] = {"": {}}
    claim = ""
    for line in PAGE.splitlines():
        if line.startswith("## "):
            claim = line.removeprefix("## ").removeprefix(PREFIX)
            found[claim] = {}
        elif line.startswith("| `"):
            key, *cells = line[2:-2].split(" | ")
            found[claim][key.strip("`")] = cells
    return found


def fields(model: type[BaseModel], path: str, told: dict[str, list[str]]) -> Iterator[str]:
    """Every field's path, down to blocks that the page tells elsewhere."""
    for name, field in model.model_fields.items():
        here = f"{path}{field.alias or name}"
        yield here
        if " As " not in told.get(here, [""])[-1]:
            step = ".<name>." if "dict[" in str(field.annotation) else "."
            for below in models(field.annotation):
                yield from fields(below, f"{here}{step}", told)


@pytest.mark.parametrize("key", ["garden", "controlPlane", "hypervisorPools", "storagePools", "openStackClusters"])
def test_the_page_has_every_field_with_its_meaning(key: str) -> None:
    told = rows()[key]
    named = {field.alias or name: field for name, field in RegionSpec.model_fields.items()}
    (model,) = models(named[key].annotation)
    expected = list(fields(model, "", told))
    assert sorted(told) == sorted(expected), "a reader looks for each of them, and for nothing else"
    for path, (kind, default, meaning) in told.items():
        assert all((kind, default, meaning)), f"{path} needs a docstring below its field"


def test_the_page_has_every_key_of_the_configuration() -> None:
    told = rows()["The keys of config"]
    assert list(told) == [f"{PREFIX}{field.alias or name}" for name, field in RegionSpec.model_fields.items()]


def test_the_page_speaks_no_python() -> None:
    def below(model: type[BaseModel]) -> Iterator[str]:
        for one in model.__subclasses__():
            yield one.__name__
            yield from below(one)

    kinds = {"ControlPlane", "OpenStackCluster", "IronCore"}  # words of the documents
    compound = {name for name in below(Claim) if re.search("[a-z][A-Z]", name)} - kinds
    assert not compound & set(re.findall(r"\w+", PAGE)), "names of classes say nothing to a reader"
    assert not re.search(r"\b(None|null|True|dict|str|int|tuple|anyOf)\b", PAGE), "nor do Python's and JSON's words"


def test_every_link_of_the_page_leads_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = [re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings]
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert links, "the page is long; it needs links"
    assert not links - set(anchors), "these lead nowhere"
    assert len(set(anchors)) == len(anchors), "two headings with one anchor: a link would lead to the wrong one"
