"""A wrong Python gets a sentence, whatever its age."""

import ast
import subprocess
import sys

import pytest

from tests.tools.clone import sentence
from tools import cache

ENTRY = cache.ROOT / "tools/__main__.py"

# The entry as an older Python would run it.
PRETEND = """
import runpy, sys
sys.version_info = {version}
sys.argv = ["tools", "setup", "preview"]
runpy.run_module("tools", run_name="__main__")
"""


def pretend(version: tuple[int, int, int, str, int]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PRETEND.format(version=version)]
    return subprocess.run(command, cwd=cache.ROOT, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("minor", [6, 10])
def test_a_python_that_is_too_old_gets_one_sentence_with_what_it_is_what_is_needed_and_the_next_step(
    minor: int,
) -> None:
    said = sentence(pretend((3, minor, 4, "final", 0)))
    assert f"this is Python 3.{minor}" in said, "the version found"
    assert sys.executable in said, "which Python it is: several are usual"
    assert "needs 3.11 or newer" in said, "the version needed"
    assert "make PYTHON=" in said, "the next step"
    assert len(said.splitlines()) == 1, f"one sentence, not an excerpt of the machinery: {said}"


def test_the_entry_parses_on_any_python_3_so_that_an_old_one_gets_the_sentence_and_no_syntax_error() -> None:
    ast.parse(ENTRY.read_text(), feature_version=(3, 4))


def test_the_entry_imports_nothing_but_sys_before_it_has_looked_at_the_version() -> None:
    statements = ast.parse(ENTRY.read_text()).body
    look = next(number for number, statement in enumerate(statements) if isinstance(statement, ast.If))
    before = [ast.unparse(statement) for statement in statements[1:look]]
    assert before == ["import sys"], "any other import may fail on an old Python, with a traceback"


def test_the_oldest_python_of_the_entry_is_that_of_the_project() -> None:
    project = (cache.ROOT / "pyproject.toml").read_text()
    assert 'requires-python = ">=3.11"' in project, "pyproject.toml and tools/__main__.py must name the same version"
    assert "(3, 11)" in ENTRY.read_text(), "pyproject.toml and tools/__main__.py must name the same version"
