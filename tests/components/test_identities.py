"""Pulumi knows a resource by its type, its name and its parents: whatever the code looks like, they stay."""

import difflib

import pytest

from tests.identities import file, identities
from tests.regions import STACKS

WHAT_TO_DO = """
A resource that is renamed, or gets another parent or type, is another one to Pulumi: the next update deletes a cluster
and makes a new one. If a resource is new or gone, or one that moved has the alias by which Pulumi finds it
(`aliases` of its options: see docs/architecture.md), take the difference over with `python -m tests.identities`.
"""


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_that_runs_gets_another_identity(stack: str) -> None:
    kept, found = file(stack).read_text().splitlines(), identities(stack)
    difference = difflib.unified_diff(kept, found, f"{file(stack).name}", "what the program plans", lineterm="", n=1)
    assert kept == found, "\n".join([*difference, WHAT_TO_DO])
