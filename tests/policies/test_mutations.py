"""Every violation that is planted into a good region is caught at the preview, by its policy and no other."""

import copy
from collections import Counter
from functools import cache

import pytest

from policies.registry import POLICIES
from tests.policies.cases import CASES, Case
from tests.policies.graphs import planned_region, region
from tests.policies.judging import Said, judge
from tests.regions import STACKS, namesakes

BROKEN = [case for case in CASES if case.says]
FINE = [case for case in CASES if not case.says]
LEAST = 3


def _key(one: Said) -> tuple[str, str, str]:
    return one.policy, one.level, one.says


@cache
def found_in(stack: str) -> set[tuple[str, str, str]]:
    """What is said of a region before anything is planted in it."""
    return {_key(one) for one in judge(region(stack))}


@pytest.mark.parametrize("name", STACKS)
def test_the_documents_regions_break_nothing_mandatory(name: str) -> None:
    said = judge(region(name))
    assert not [one for one in said if one.level == "mandatory"], "these are the regions that have to pass"


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_what_is_planted_is_caught_by_its_policy_and_no_other(case: Case) -> None:
    plan = region(case.stack)
    case.change(plan)
    new = [one for one in judge(plan) if _key(one) not in found_in(case.stack)]
    levels = {one.level for one in new if one.policy == case.policy}
    assert {one.policy for one in new} == {case.policy, *case.also}, [(one.policy, one.says) for one in new]
    assert levels == {case.level}, [one.says for one in new]
    mine = [one.says for one in new if one.policy == case.policy]
    assert any(all(part in text for part in case.says) for text in mine), f"no message has {case.says}: {mine}"


@pytest.mark.parametrize("case", FINE, ids=str)
def test_what_is_at_the_border_is_left_alone(case: Case) -> None:
    plan = region(case.stack)
    untouched = copy.deepcopy(plan)
    case.change(plan)
    assert case.seen or plan != untouched, "a case that changes nothing shows nothing"
    found = [one.says for one in judge(plan) if one.policy == case.policy and _key(one) not in found_in(case.stack)]
    assert not found, "it is allowed"


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_every_policy_has_its_cases(policy: object) -> None:
    name = getattr(policy, "name", "")
    times = Counter(case.policy for case in BROKEN)
    if name == "exemptions-are-current":
        return  # test_exemptions.py has them: a region without a configuration cannot break it
    assert times[name] >= LEAST, "three violations, so that it is not one field by chance that is looked at"
    assert [case for case in FINE if case.policy == name], "and one case that is only just right"


def test_names_that_look_like_another_tenant_s_are_one_s_own() -> None:
    """Nothing of tenants that are called like each other's pools, clients and services is anybody else's."""
    said = judge(planned_region(namesakes("nova", "ceph")))
    assert not [one.says for one in said if one.level == "mandatory"]
