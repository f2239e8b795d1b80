"""The tenants of a region: what each waits for in its clusters, and what a change of one does to the others."""

import dataclasses
import json
from typing import Any

import pytest

from tests.plans import heard, plan
from tests.recorder import Recording, Registered
from tests.regions import small, small_tenant
from tests.tenants import of_tenant

MANAGEMENT = {
    "kubeconfig": "there-is-none-either.yaml",
    "issuer": "https://issuer.example.com",
    "secretStore": {"server": "https://bao.example.com:8200"},
}
WITH_EVERYTHING: dict[str, Any] = {"management": MANAGEMENT, "chartMirror": "oci://mirror.example.com/charts"}
TENANT = small_tenant(
    environment="staging", nodeShares={"hv-pool-a": 2}, storage={"ceph": {"volumePool": {"quotaGB": 100}}}
)
MANY = 20


@pytest.fixture(name="region", scope="module")
def planned() -> Recording:
    return plan(small(openStackClusters=[TENANT], **WITH_EVERYTHING))


def before(one: Registered) -> set[str]:
    return {urn.rpartition("::")[2] for urn in one.depends_on}


# An object of the tenant, and what it waits for in its cluster.
FIRST = [
    ("a-namespace", "eu-de-1-control-plane-c5c3-operator eu-de-1-control-plane-secret-store"),
    ("a-volumes@st-pool-a", "st-pool-a-ceph st-pool-a-rook-ceph st-pool-a-secret-store a-namespace"),
    ("a-key-nova@st-pool-a", "st-pool-a-external-secrets st-pool-a-secret-store a-client-nova@st-pool-a"),
    ("a-namespace@hv-pool-a", "hv-pool-a-hypervisor-share-operator hv-pool-a-secret-store"),
    ("a-nodes@hv-pool-a", "hv-pool-a-hypervisor-share-operator a-control-plane"),
]


@pytest.mark.parametrize(("name", "first"), FIRST, ids=[one[0] for one in FIRST])
def test_it_waits_for_the_objects_that_it_needs(region: Recording, name: str, first: str) -> None:
    assert set(first.split()) <= before(region.named(name))


CLUSTERS = {
    "eu-de-1-control-plane": "c5c3-operator external-secrets secret-store issuer",
    "hv-pool-a": "hypervisor-share-operator external-secrets secret-store",
    "st-pool-a": "rook-ceph external-secrets secret-store ceph ceph-own monitors",
}


def test_it_waits_for_no_whole_cluster_and_no_other_system(region: Recording) -> None:
    """A component would mean everything in it, down to what exports metrics."""
    waits = {name for one in of_tenant(region, "a") for name in before(one) if not name.startswith("a-")}
    assert waits == {f"{cluster}-{name}" for cluster, names in CLUSTERS.items() for name in names.split()}


def test_it_stands_below_the_region_and_is_told_with_it(region: Recording) -> None:
    assert region.named("a").parent.endswith("Region::eu-de-1")
    assert set(region.named("eu-de-1").outputs["tenants"]) == {"a"}
    assert {one.parent.rpartition("::")[2] for one in region if one.name.startswith("a-")} == {"a"}


@pytest.mark.parametrize(
    ("without", "says"),
    [
        ("chartMirror", "nobody has published hypervisor-share-operator"),
        ("secretStore", "no cluster knows where that is. Say so in cobaltcore:management.secretStore"),
    ],
)
def test_where_it_cannot_come_up_it_is_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, without: str, says: str
) -> None:
    config = small(openStackClusters=[TENANT], **WITH_EVERYTHING)
    config["management"] = {key: value for key, value in MANAGEMENT.items() if key != without}
    config = {key: value for key, value in config.items() if key != without}
    said = heard(monkeypatch, "warn")
    assert not of_tenant(plan(config), "a")
    assert [text for text in said if says in text], said


def test_without_a_management_cluster_there_is_none() -> None:
    assert not of_tenant(plan(small(openStackClusters=[TENANT])), "a")


def everything(*tenants: dict[str, Any]) -> dict[str, str]:
    """What a plan of the whole region has, its components and providers too: each with all that Pulumi compares."""
    found: dict[str, str] = {}
    for one in plan(small(openStackClusters=list(tenants), **WITH_EVERYTHING)):
        row = dataclasses.asdict(one)
        row.pop("outputs")  # what a component tells changes nothing in a cluster
        row["depends_on"] = sorted(one.depends_on)
        key = f"{one.type}::{one.name}"
        assert key not in found, f"{key} is there twice"
        found[key] = json.dumps(row, sort_keys=True, default=_unknown)
    return found


def _unknown(_: object) -> str:
    return "unknown"


def added_and_changed(was: dict[str, str], becomes: dict[str, str]) -> tuple[set[str], set[str]]:
    """By name: what is new in a plan, and what was there and is otherwise now. Nothing may be gone."""
    assert not was.keys() - becomes.keys()
    added = {key.rpartition("::")[2] for key in becomes.keys() - was.keys()}
    return added, {key.rpartition("::")[2] for key in was if was[key] != becomes[key]}


def test_a_tenant_more_among_twenty_is_creations_alone_and_all_below_it() -> None:
    twenty = [{**TENANT, "name": f"tenant-{number}"} for number in range(MANY)]
    was = everything(*twenty)
    added, changed = added_and_changed(was, everything(*twenty, {**TENANT, "name": "one-more"}))
    assert changed == set()
    below = {name for name in added if name != "one-more"}
    assert {name.removeprefix("one-more-") for name in below} == {
        key.rpartition("::")[2].removeprefix("tenant-0-") for key in was if "::tenant-0-" in key
    }, "what every other tenant has, and all of it the new one's"


OPERATOR = "eu-de-1-control-plane-{}".format
CORTEX_CHARTS = "eu-de-1-source-ghcr-io-cobaltcore-dev-cortex-charts"
# What the first tenant of its sort brings to the region's clusters beside what is its own (docs/tenants.md).
FIRST_OF_ITS_SORT: list[tuple[dict[str, Any], set[str], set[str]]] = [
    (
        {"cortex": {"enabled": True}},
        {*map(OPERATOR, ("cortex-operator", "cortex-crds", "cortex-postgres")), CORTEX_CHARTS},
        {OPERATOR("c5c3-operator")},
    ),
    ({"tempest": {"enabled": True}}, {OPERATOR("tempest-operator")}, {OPERATOR("c5c3-operator")}),
    (
        {"size": "large"},
        set(),
        {f"{one}-prometheus" for one in ("eu-de-1-management", "eu-de-1-control-plane", "hv-pool-a", "st-pool-a")},
    ),
]


@pytest.mark.parametrize(("asks", "brings", "changes"), FIRST_OF_ITS_SORT, ids=["cortex", "tempest", "size"])
def test_the_first_tenant_of_its_sort_brings_systems_and_the_second_none(
    asks: dict[str, Any], brings: set[str], changes: set[str]
) -> None:
    first, second = ({**TENANT, "name": name, **asks} for name in ("first", "second"))
    was, one, two = everything(TENANT), everything(TENANT, first), everything(TENANT, first, second)
    added, changed = added_and_changed(was, one)
    assert {name for name in added if not name.startswith("first")} == brings
    assert changed == changes
    added, changed = added_and_changed(one, two)
    assert {name for name in added if not name.startswith("second")} == set()
    assert changed == set()
