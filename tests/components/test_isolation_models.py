"""The documents' four models of isolation, each from the stack file alone: shared, dedicated, hybrid, tiered."""

from typing import Any

import pytest

from model import Problems
from tests.recorder import Recording, Registered
from tests.regions import loaded, small
from tests.tenants import cluster_of, objects, of_tenant, recorded

Config = dict[str, Any]


def region(tenants: list[Config], *, labels: dict[str, Config] | None = None) -> Config:
    """Two hypervisor pools and two storage pools of different kinds, with the tenants on them."""
    marks = labels or {}
    base = {"region": "eu-de-1"}
    hypervisors = [
        {
            **base,
            "name": name,
            "workers": 10,
            "ironcore": {"machinePool": name},
            "labels": {**own, **marks.get(name, {})},
        }
        for name, own in (
            ("hv-standard", {"tier": "standard", "availability-zone": "az-1"}),
            ("hv-premium", {"tier": "premium", "availability-zone": "az-2"}),
        )
    ]
    storage = [
        {
            **base,
            "name": name,
            "ironcore": {"machinePool": name},
            "ceph": {"deviceClass": device, "encrypted": True, "targetCapacity": "100Ti"},
            "labels": marks.get(name, {}),
        }
        for name, device in (("st-nvme", "nvme"), ("st-hdd", "hdd"))
    ]
    return small(hypervisorPools=hypervisors, storagePools=storage, openStackClusters=tenants)


def tenant(name: str, runs_on: list[str], keeps_on: list[str], **more: Any) -> Config:  # noqa: ANN401
    given: Config = {"region": "eu-de-1", "name": name, "size": "small", "environment": "staging"}
    return {**given, "hypervisorClusters": runs_on, "storageClusters": keeps_on, **more}


def shares(recording: Recording, name: str) -> dict[str, Registered]:
    """The nodes of a tenant by pool."""
    found = [one for one in of_tenant(recording, name) if one.inputs["kind"] == "HypervisorShare"]
    return {cluster_of(one, "eu-de-1"): one for one in found}


def used(recording: Recording, name: str) -> set[str]:
    return {cluster_of(one, "eu-de-1") for one in of_tenant(recording, name)} - {"eu-de-1-control-plane"}


def test_shared_each_has_its_nodes_pools_and_quota_on_the_same_clusters() -> None:
    quota = {"ceph": {"volumePool": {"quotaGB": 100}}}
    made = recorded(
        loaded(
            region(
                [
                    tenant(name, ["hv-standard"], ["st-nvme"], nodeShares={"hv-standard": nodes}, storage=quota)
                    for name, nodes in (("a", 6), ("b", 4))
                ]
            )
        )
    )
    assert used(made, "a") == used(made, "b") == {"hv-standard", "st-nvme"}
    nodes = {name: shares(made, name)["hv-standard"].inputs["spec"] for name in ("a", "b")}
    assert {name: spec["nodes"] for name, spec in nodes.items()} == {"a": 6, "b": 4}
    assert nodes["a"]["nodeLabels"] != nodes["b"]["nodeLabels"], "agents of the one never run where the other's do"
    pools = [one.inputs for one in objects(made) if one.name.endswith("-volumes@st-nvme")]
    assert {pool["metadata"]["name"]: pool["spec"]["quotas"]["maxSize"] for pool in pools} == {
        "a-volumes": "100Gi",
        "b-volumes": "100Gi",
    }


def test_shared_nodes_are_enough_or_the_plan_says_so() -> None:
    claims = [tenant(name, ["hv-standard"], ["st-nvme"], nodeShares={"hv-standard": 6}) for name in ("a", "b")]
    with pytest.raises(Problems, match="12 nodes of hv-standard are promised, which has 10 workers"):
        loaded(region(claims))


SEALED = {"dedicated": "true", "compliance": "sox", "isolation": "physical"}
ONLY = {"hv-premium": SEALED, "st-nvme": {"dedicated": "true", "compliance": "sox"}}


def test_dedicated_pools_are_one_tenant_s_whole_and_nobody_else_s() -> None:
    finance = tenant("finance", ["hv-premium"], ["st-nvme"], environment="production", size="medium")
    made = recorded(loaded(region([finance], labels=ONLY)))
    assert "nodes" not in shares(made, "finance")["hv-premium"].inputs["spec"], "all of them"
    assert used(made, "finance") == {"hv-premium", "st-nvme"}
    intruder = tenant("b", ["hv-premium"], ["st-hdd"])
    with pytest.raises(Problems, match="dedicated to one tenant, and finance has it"):
        loaded(region([finance, intruder], labels=ONLY))
    with pytest.raises(Problems, match="not labelled compliance=sox as hv-premium is"):
        loaded(region([{**finance, "storageClusters": ["st-hdd"]}], labels=ONLY))


def test_hybrid_is_a_pool_of_its_own_and_a_part_of_a_shared_one() -> None:
    """ "Standard and burst capacity": the own nodes, and some beside them."""
    labels = {"hv-premium": {"dedicated": "true"}}
    both = tenant("a", ["hv-premium", "hv-standard"], ["st-nvme"], nodeShares={"hv-standard": 3})
    other = tenant("b", ["hv-standard"], ["st-nvme"], nodeShares={"hv-standard": 7})
    made = recorded(loaded(region([both, other], labels=labels)))
    mine = {pool: one.inputs["spec"].get("nodes") for pool, one in shares(made, "a").items()}
    assert mine == {"hv-premium": None, "hv-standard": 3}
    assert used(made, "b") == {"hv-standard", "st-nvme"}, "the other tenant has nothing on the dedicated pool"
    compute = made.named("a-control-plane").inputs["spec"]["compute"]
    assert [pool["hostAggregate"]["name"] for pool in compute["pools"]] == ["hv-premium", "hv-standard"]


def test_tiered_flavors_and_volume_types_find_the_kind_of_server_and_disk() -> None:
    volumes = {"ceph": {"volumePool": {"backends": {"st-nvme": {"quotaGB": 10}, "st-hdd": {"quotaGB": 1000}}}}}
    made = recorded(
        loaded(region([tenant("a", ["hv-premium", "hv-standard"], ["st-nvme", "st-hdd"], storage=volumes)]))
    )
    spec = made.named("a-control-plane").inputs["spec"]
    tiers = {
        pool["hostAggregate"]["availabilityZone"]: pool["hostAggregate"]["metadata"]
        for pool in spec["compute"]["pools"]
    }
    assert tiers == {"az-2": {"tier": "premium"}, "az-1": {"tier": "standard"}}
    assert [one["name"] for one in spec["services"]["cinder"]["backends"]] == ["ceph-st-nvme", "ceph-st-hdd"]
    for pool, device, quota in (("st-nvme", "nvme", "10Gi"), ("st-hdd", "hdd", "1000Gi")):
        made_there = made.named(f"a-volumes@{pool}").inputs["spec"]
        assert (made_there["deviceClass"], made_there["quotas"]["maxSize"]) == (device, quota)
    zones = {pool: one.inputs["spec"]["hostAggregate"]["availabilityZone"] for pool, one in shares(made, "a").items()}
    assert zones == {"hv-premium": "az-2", "hv-standard": "az-1"}
