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
WHOLE = ("spec", "compute", "storageClusters", "provider", "replicated")
DEMANDED = ("Shoot", "ControlPlane", "CephBlockPool")  # a key or a right that says nothing opens nothing
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


GROUP: Path = ("spec", "provider", "workers", 0)
# What mandatory policies ask for. That one of these is not known must be said, and not passed over.
ASKED: list[tuple[str, str, list[Path]]] = [
    (
        "Shoot",
        "st-pool-b",
        [
            ("apiVersion",),
            ("kind",),
            ("metadata",),
            ("metadata", "name"),
            ("metadata", "namespace"),
            ("metadata", "labels"),
            ("spec",),
            ("spec", "provider"),
            GROUP,
            (*GROUP, "minimum"),
            (*GROUP, "maximum"),
            (*GROUP, "providerConfig"),
            ("spec", "maintenance"),
            ("spec", "kubernetes", "version"),
        ],
    ),
    ("Shoot", "eu-de-1-cp", [("spec", "controlPlane"), (*GROUP, "zones")]),
    (
        "ControlPlane",
        "customer-b-staging",
        [
            ("kind",),
            ("metadata",),
            ("metadata", "name"),
            ("metadata", "namespace"),
            ("metadata", "labels"),
            ("spec",),
            ("spec", "services"),
            ("spec", "infrastructure"),
            ("spec", "storage", "storageClusters"),
            ("spec", "compute"),
        ],
    ),
    (
        "CephBlockPool",
        "customer-b-staging-volumes",
        [
            ("apiVersion",),
            ("metadata",),
            ("metadata", "name"),
            ("metadata", "namespace"),
            ("spec",),
            ("spec", "quotas"),
            ("spec", "replicated"),
        ],
    ),
    ("CephClient", "nova-customer-b-staging", [("kind",), ("metadata", "name"), ("spec",), ("spec", "caps")]),
    ("HypervisorShare", "customer-b-staging", [("metadata", "namespace"), ("spec",), ("spec", "nodes")]),
    (
        "ExternalSecret",
        "ceph-client-customer-b-staging",
        [
            ("metadata",),
            ("metadata", "namespace"),
            ("spec",),
            ("spec", "data"),
            ("spec", "data", 0, "remoteRef", "key"),
        ],
    ),
    (
        "PushSecret",
        "nova-customer-b-staging",
        [("metadata", "namespace"), ("spec",), ("spec", "selector"), ("spec", "data", 0, "match")],
    ),
]


@pytest.mark.parametrize(("kind", "name", "asked"), ASKED)
def test_what_is_asked_for_and_not_known_is_refused(kind: str, name: str, asked: list[Path]) -> None:
    plan = smaller(kind, name)
    before = {one.says for one in judge(plan)}
    silent: list[Path] = []
    for path in asked:
        changed = copy.deepcopy(plan)
        changed.find(kind, name).put(UNKNOWN, *path)
        if not [one for one in judge(changed) if one.level == "mandatory" and one.says not in before]:
            silent.append(path)
    assert not silent, "nobody can judge it, and nobody says so"


@pytest.mark.parametrize(("kind", "name"), OBJECTS)
def test_a_strange_value_is_judged_and_breaks_nothing(kind: str, name: str) -> None:
    plan = smaller(kind, name)
    choose = random.Random(name + kind)
    every = list(paths(plan.find(kind, name).props))
    for _ in range(TIMES):
        path, value = choose.choice(every), choose.choice(STRANGE)
        changed = copy.deepcopy(plan)
        changed.find(kind, name).put(value, *path)
        said = judge(changed)  # the engine gets an answer, and of every object that it has asked for
        assert all(one.says and one.level in ("mandatory", "advisory") for one in said), f"{path} as {value!r}"


@pytest.mark.parametrize(("kind", "name", "asked"), [one for one in ASKED if one[0] in DEMANDED])
def test_a_text_where_a_part_of_an_object_belongs_is_refused(kind: str, name: str, asked: list[Path]) -> None:
    """`spec: x` is no spec: what was to be said in it is missing, and that is said."""
    plan = smaller(kind, name)
    before = {one.says for one in judge(plan)}
    for path in asked:
        if path[-1] in WHOLE:
            changed = copy.deepcopy(plan)
            changed.find(kind, name).put("x", *path)
            said = [one.policy for one in judge(changed) if one.level == "mandatory" and one.says not in before]
            assert said, f"{path} as 'x'"
