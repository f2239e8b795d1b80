"""Whatever a program writes, the pack answers; and what nobody knows yet never turns a refusal into advice."""

import copy
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest

from policies.policy import WhenUnknown
from policies.registry import POLICIES
from tests.policies.graphs import region
from tests.policies.judging import UNKNOWN, Plan, judge

OBJECTS = [
    ("Shoot", "st-pool-b"),
    ("Shoot", "eu-de-1-cp"),
    ("ControlPlane", "customer-b-staging"),
    ("CephBlockPool", "customer-b-staging-volumes"),
    ("CephClient", "nova-customer-b-staging"),
    ("HypervisorShare", "customer-b-staging"),
    ("ExternalSecret", "ceph-client-customer-b-staging"),
    ("PushSecret", "nova-customer-b-staging"),
]
STRANGE: list[Any] = [None, 5, -1.5, "", "x", [], ["x"], {}, {"x": "y"}, True, [[]], [{}]]
TIMES = 5  # for each object
ADVICE = {one.name for one in POLICIES if one.level == "advisory" or one.when_unknown is not WhenUnknown.REFUSE}
Path = tuple[str | int, ...]


def paths(tree: Any, path: Path = ()) -> Iterator[Path]:  # noqa: ANN401
    """Every value and every part of an object."""
    if path:
        yield path
    if isinstance(tree, dict):
        for key, below in cast("dict[str, Any]", tree).items():
            yield from paths(below, (*path, key))
    elif isinstance(tree, list):
        for at, below in enumerate(cast("list[Any]", tree)):
            yield from paths(below, (*path, at))


def smaller(kind: str, name: str) -> Plan:
    """The region without what no policy of a tenant looks at, so that a run is quick."""
    plan = region()
    kept = ("HelmRelease", "ConfigMap", "HelmRepository")
    plan.resources = [one for one in plan.resources if one.type.rpartition(":")[2] not in kept]
    assert plan.find(kind, name)
    return plan


@pytest.mark.parametrize(("kind", "name"), OBJECTS)
def test_what_nobody_knows_is_never_advice_only(kind: str, name: str) -> None:
    plan = smaller(kind, name)
    before = {one.says for one in judge(plan)}
    choose = random.Random(kind + name)
    every = list(paths(plan.find(kind, name).props))
    for path in choose.sample(every, min(TIMES, len(every))):
        changed = copy.deepcopy(plan)
        changed.find(kind, name).put(UNKNOWN, *path)
        said = [one for one in judge(changed) if one.level == "advisory" and one.says not in before]
        assert {one.policy for one in said} <= ADVICE, f"{path} unknown: {said}"


@pytest.mark.parametrize(("kind", "name"), OBJECTS)
def test_a_strange_value_is_judged_and_breaks_nothing(kind: str, name: str) -> None:
    plan = smaller(kind, name)
    choose = random.Random(name + kind)
    every = list(paths(plan.find(kind, name).props))
    for _ in range(TIMES):
        path, value = choose.choice(every), choose.choice(STRANGE)
        changed = copy.deepcopy(plan)
        changed.find(kind, name).put(value, *path)
        for one in judge(changed):
            assert one.says, f"{path} as {value!r}"
