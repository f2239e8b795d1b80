"""What a tenant's objects name: its own pools, clients, Secrets and namespace, and never another's."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from model import RegionSpec
from model.ceph import ceph_pools
from model.ceph_clients import ceph_clients
from model.tenant import OpenStackCluster
from tests.random_regions import regions
from tests.recorder import Registered
from tests.regions import loaded, small, stack
from tests.tenants import leaves, objects, of_tenant, place, recorded

BLOCK = re.compile(r"profile (?P<profile>rbd|rbd-read-only) pool=(?P<pool>[a-z0-9-]+)")
FILESYSTEM = {
    "mon": re.compile(r"allow r fsname=(?P<pool>[a-z0-9-]+)"),
    "mgr": re.compile(r"allow module volumes with vol_name=(?P<pool>[a-z0-9-]+) rw"),
    "mds": re.compile(r"allow rw fsname=(?P<pool>[a-z0-9-]+)"),
    "osd": re.compile(r"allow rw tag cephfs data=(?P<pool>[a-z0-9-]+)"),
}
WORD = re.compile(r"[A-Za-z0-9][-A-Za-z0-9]*")


def own_names(tenant: OpenStackCluster) -> set[str]:
    """Everything that carries the tenant's name."""
    pools = {pool.name for pool in ceph_pools(tenant)}
    clients = {name for one in ceph_clients(tenant) for name in (one.name, one.secret)}
    return {tenant.name, f"openstack-{tenant.name}", f"swift-{tenant.name}", *pools, *clients}


def rights(client: Registered) -> Iterator[tuple[str, str, str]]:
    """Daemon, what may be done, and where: each right of a client. A right that is not understood fails."""
    service = client.name.partition("client-")[2].partition("@")[0]
    caps: dict[str, str] = client.inputs["spec"]["caps"]
    for daemon, text in caps.items():
        for right in text.split(", "):
            found = (FILESYSTEM[daemon] if service == "manila" else BLOCK).fullmatch(right)
            if found is None:
                assert (daemon, right) == ("mon", "profile rbd"), f"{client.name}: {daemon} {right!r} opens too much"
                continue
            yield daemon, found.groupdict().get("profile", "filesystem"), found["pool"]


def check(spec: RegionSpec) -> None:
    recording = recorded(spec)
    names = {tenant.name: own_names(tenant) for tenant in spec.open_stack_clusters}
    found = [place(one, spec.region) for one in objects(recording)]
    assert len(found) == len(set(found)), "one object, one owner"
    for tenant in spec.open_stack_clusters:
        others = {name for one in names if one != tenant.name for name in names[one]}
        for one in of_tenant(recording, tenant.name):
            words = {word for _, leaf in leaves(one.inputs) for word in WORD.findall(str(leaf))}
            strange = words & (others - names[tenant.name])
            assert not strange, f"{one.name} of {tenant.name} names {sorted(strange)} of another tenant"
            if one.inputs["kind"] == "CephClient":
                at = one.name.partition("@")[2]
                mine = {pool.name for pool in ceph_pools(tenant) if pool.storage_cluster == at}
                assert {pool for _, _, pool in rights(one)} <= mine, f"{one.name} opens what is not on {at}"


@pytest.mark.parametrize("name", ["eu-de-1", "us-east-1"])
def test_no_tenant_of_a_stack_file_names_what_is_another_s(name: str) -> None:
    check(loaded(stack(name)))


def test_names_that_look_like_another_tenant_s_are_none() -> None:
    config = small()
    config["storagePools"].append({**config["storagePools"][0], "name": "volumes", "ironcore": {"machinePool": "more"}})
    config["openStackClusters"] = [
        {
            "region": "eu-de-1",
            "name": name,
            "size": "small",
            "hypervisorClusters": ["hv-pool-a"],
            "storageClusters": ["volumes", "st-pool-a"],
            "nodeShares": {"hv-pool-a": 1},
            "services": {"manila": True},
            "storage": {"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True}}},
        }
        for name in ("a", "a-volumes", "a-st-pool-a", "nova-a", "openstack-a", "a-rgw")
    ]
    check(loaded(config))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(config=regions(most_pools=3, most_tenants=4))
def test_no_tenant_of_any_region_names_what_is_another_s(config: dict[str, Any]) -> None:
    check(loaded(config))


def client_rights(name: str, **storage: Any) -> dict[str, set[tuple[str, str, str]]]:  # noqa: ANN401
    tenant = {
        "region": "eu-de-1",
        "name": name,
        "size": "small",
        "hypervisorClusters": ["hv-pool-a"],
        "storageClusters": ["st-pool-a"],
        "services": {"manila": True},
        "storage": {"ceph": {"filesystem": {"enabled": True}, **storage}},
    }
    recording = recorded(loaded(small(openStackClusters=[tenant])))
    clients = [one for one in recording if one.type.endswith("CephClient")]
    return {one.inputs["metadata"]["name"]: set(rights(one)) for one in clients}


def test_each_service_may_do_what_it_needs_and_no_more() -> None:
    write, read = "rbd", "rbd-read-only"
    assert client_rights("a") == {
        "openstack-a": {("mgr", write, "a-volumes"), ("osd", write, "a-volumes"), ("osd", read, "a-images")},
        "glance-a": {("mgr", write, "a-images"), ("osd", write, "a-images")},
        "nova-a": {
            *{(daemon, write, pool) for daemon in ("mgr", "osd") for pool in ("a-volumes", "a-ephemeral")},
            ("osd", read, "a-images"),
        },
        "manila-a": {(daemon, "filesystem", "a-cephfs") for daemon in ("mon", "mgr", "mds", "osd")},
    }


def test_a_right_to_a_pool_goes_with_the_pool() -> None:
    for client, found in client_rights("a", ephemeralPool={"enabled": False}).items():
        assert not [right for right in found if right[2] == "a-ephemeral"], f"{client} names a pool that is not there"
