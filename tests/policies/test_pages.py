"""What is written about the policies is what they are."""

import re
from typing import Any

import jsonschema
import pytest

from policies.pages import files, schema
from policies.policy import Policy
from policies.registry import POLICIES
from policies.rules import __path__ as rules
from tests.regions import ROOT


def test_the_pages_are_those_of_the_policies() -> None:
    old = [file.name for file, text in files().items() if file.read_text() != text]
    assert not old, "make reference writes them anew"


def test_every_module_is_in_the_pack() -> None:
    modules = {file.stem for file in (ROOT / "policies/rules").glob("[a-z]*.py")}
    assert {one.name.replace("-", "_") for one in POLICIES} == modules, (
        f"a policy in {list(rules)} that nobody asks is none"
    )


@pytest.mark.parametrize("policy", POLICIES, ids=lambda one: one.name)
def test_a_policy_says_what_a_person_needs(policy: Policy) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", policy.name)
    for text in (policy.description, policy.remedy):
        assert text.endswith("."), "a sentence"
        assert len(text) > 20, "and not a word"
    assert policy.tags


@pytest.mark.parametrize(
    ("config", "good"),
    [
        ({"premium-pools": "disabled"}, True),
        ({"pools-exist": "mandatory"}, True),
        ({"pools-exist": "advisory"}, False),
        ({"pools-exist": {"enforcementLevel": "disabled"}}, False),
        ({"pools-exist": {"enforcementLevel": "disabled", "reason": "it has to be so"}}, False),
        ({"pools-exist": {"enforcementLevel": "disabled", "reason": "it has to be so", "expires": "2027-01-01"}}, True),
        (
            {
                "exemptions-are-current": {
                    "enforcementLevel": "disabled",
                    "reason": "it has to be so",
                    "expires": "2027-01-01",
                }
            },
            False,
        ),
        ({"all": "disabled"}, False),
        ({"pools-exist": {"exemptions": []}}, True),
        ({"pools-exist": "remediate"}, False),
        ({"pool-exists": "advisory"}, False),
        ({"pools-exist": {"exemptions": [{"resource": "a", "reason": "it has to be so"}]}}, False),
        ({"pools-exist": {"exemptions": [{"resource": "a", "reason": "why", "expires": "2027-01-01"}]}}, False),
        ({"pools-exist": {"exemptions": [{"resource": "a", "reason": "it has to be so", "expires": "soon"}]}}, False),
        ({"pools-exist": {"exemptions": [{"resource": "a", "reason": "it is so", "expires": "2027-01-01"}]}}, False),
        (
            {"pools-exist": {"exemptions": [{"resource": "a", "reason": "it has to be so", "expires": "2027-01-01"}]}},
            True,
        ),
    ],
)
def test_the_schema_takes_what_the_pack_takes(config: dict[str, object], *, good: bool) -> None:
    validator: Any = jsonschema.Draft202012Validator(schema())
    assert validator.is_valid(config) is good
