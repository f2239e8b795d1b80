"""What the pages name is there."""

import re
from pathlib import Path

import pytest

from tests.regions import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TESTS = "\n".join(file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    gone = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not gone, "a reader would follow it"


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_named_test_is_there(page: Path) -> None:
    named = set(re.findall(r"`(test_\w+)`", page.read_text()))
    gone = sorted(name for name in named if f"def {name}(" not in TESTS)
    assert not gone, "a line that says what holds it must be held"


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_command_of_make_is_one(page: Path) -> None:
    named = set(re.findall(r"(?:^ {4}|`)make (?:-s )?([a-z][a-z-]*)", page.read_text(), re.MULTILINE))
    assert named <= TARGETS, "a reader would type it"
