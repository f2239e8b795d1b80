"""The tenants of a region: what each waits for in its clusters, and what a change of one does to the others."""

from typing import Any

import pytest

from tests.plans import heard, plan
from tests.recorder import Recording, Registered
from tests.regions import loaded, small
from tests.tenants import changed_objects, of_tenant, seen_objects

MANAGEMENT = {
    "kubeconfig": "there-is-none-either.yaml",
    "issuer": "https://issuer.example.com",
    "secretStore": {"server": "https://bao.example.com:8200"},
}
WITH_EVERYTHING: dict[str, Any] = {"management": MANAGEMENT, "chartMirror": "oci://mirror.example.com/charts"}
TENANT: dict[str, Any] = {
    "region": "eu-de-1",
    "name": "a",
    "size": "small",
    "environment": "staging",
    "hypervisorClusters": ["hv-pool-a"],
    "storageClusters": ["st-pool-a"],
    "nodeShares": {"hv-pool-a": 2},
    "storage": {"ceph": {"volumePool": {"quotaGB": 100}}},
}
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
    "eu-de-1-control-plane": "c5c3-operator external-secrets secret-store",
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


def test_a_tenant_more_among_twenty_changes_nothing_of_the_others() -> None:
    config = small(openStackClusters=[{**TENANT, "name": f"tenant-{number}"} for number in range(MANY)])
    more = {**config, "openStackClusters": [*config["openStackClusters"], {**TENANT, "name": "one-more"}]}
    was, becomes = seen_objects(loaded(config)), seen_objects(loaded(more))
    changed = changed_objects(was, becomes)
    assert changed == becomes.keys() - was.keys(), "nothing but creations"
    assert changed == {name for name in becomes if name.startswith("one-more-")}, "and all of them the new tenant's"
    assert len(changed) == len(was.keys() - {name for name in was if "tenant-" not in name}) / MANY
