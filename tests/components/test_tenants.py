"""The objects of the documents' tenants: on which cluster, in which namespace, under which name."""

from typing import Any, NamedTuple

import pytest

from tests.recorder import Recording
from tests.regions import loaded, stack
from tests.tenants import of_tenant, place, recorded

FIRST = [
    "CephBlockPool {T}-volumes",
    "CephBlockPool {T}-images",
    "CephBlockPool {T}-ephemeral",
    "CephClient openstack-{T}",
    "CephClient glance-{T}",
    "CephClient nova-{T}",
    "PushSecret openstack-{T}",
    "PushSecret glance-{T}",
    "PushSecret nova-{T}",
]
FURTHER = [
    "CephBlockPool {T}-volumes",
    "CephClient openstack-{T}",
    "CephClient nova-{T}",
    "PushSecret openstack-{T}",
    "PushSecret nova-{T}",
]
FIRST_SECRETS = ["ceph-client-{T}", "ceph-glance-{T}", "ceph-nova-{T}"]
NOVA = ["ceph-nova-{T}"]  # on each hypervisor pool, one for each storage pool
OVN = "ovn-tls-certs"  # from the control plane to each hypervisor pool


class Expected(NamedTuple):
    """A tenant, what it has on which storage pool, its Secrets on the control plane, and Nova's on the hypervisors."""

    region: str
    tenant: str
    storage: dict[str, list[str]]
    secrets: list[str]
    hypervisors: dict[str, list[str]]


TENANTS = [
    Expected("eu-de-1", "customer-a-prod", {"st-pool-a": FIRST}, FIRST_SECRETS, {"hv-pool-a": NOVA, "hv-pool-b": NOVA}),
    Expected("eu-de-1", "customer-b-staging", {"st-pool-a": FIRST}, FIRST_SECRETS, {"hv-pool-a": NOVA}),
    Expected(
        "eu-de-1",
        "internal-prod",
        {"st-pool-a": FIRST, "st-pool-b": FURTHER},
        [*FIRST_SECRETS, "ceph-client-{T}-st-pool-b"],
        {"hv-pool-b": [*NOVA, "ceph-nova-{T}-st-pool-b"]},
    ),
    Expected("eu-de-1", "finance-prod", {"st-pool-encrypted": FIRST}, FIRST_SECRETS, {"hv-pool-compliance": NOVA}),
    Expected("eu-de-1", "team-a-prod", {"st-pool-a": FIRST}, FIRST_SECRETS, {"hv-pool-a": NOVA, "hv-pool-b": NOVA}),
    Expected("eu-de-1", "team-b-staging", {"st-pool-a": FIRST}, FIRST_SECRETS, {"hv-pool-a": NOVA}),
    Expected("us-east-1", "internal-us-prod", {"st-pool-us": FIRST}, FIRST_SECRETS, {"hv-pool-us": NOVA}),
]
PLANE = "{}-control-plane".format


@pytest.mark.parametrize("expected", TENANTS, ids=lambda one: one.tenant)
def test_a_tenant_has_just_these_objects(regions: dict[str, Recording], expected: Expected) -> None:
    region, tenant = expected.region, expected.tenant
    space, plane = f"openstack-{tenant}", PLANE(region)
    found = [f"{plane} - Namespace {space}", f"{plane} {space} ControlPlane {tenant}"]
    found += [f"{plane} {space} PushSecret {OVN}"]
    found += [f"{plane} {space} ExternalSecret {one.format(T=tenant)}" for one in expected.secrets]
    found += [f"{pool} rook-ceph {one.format(T=tenant)}" for pool, kinds in expected.storage.items() for one in kinds]
    for pool, secrets in expected.hypervisors.items():
        found += [f"{pool} - Namespace {space}", f"{pool} {space} HypervisorShare {tenant}"]
        found += [f"{pool} {space} ExternalSecret {one.format(T=tenant)}" for one in [*secrets, OVN]]
    assert sorted(place(one, region) for one in of_tenant(regions[region], tenant)) == sorted(found)


def test_every_tenant_of_the_stack_files_is_in_the_table(regions: dict[str, Recording]) -> None:
    made = {
        (region, one.name) for region, all_ in regions.items() for one in all_ if one.type.endswith("OpenStackCluster")
    }
    assert made == {(one.region, one.tenant) for one in TENANTS}


@pytest.mark.parametrize("changes", [{"tls": {"enabled": False}}, {"services": {"nova": False}}], ids=["tls", "nova"])
def test_without_tls_or_nodes_no_certificates_travel(changes: dict[str, Any]) -> None:
    config = stack("us-east-1")
    tenant = config["openStackClusters"][0]
    config["openStackClusters"] = [{**tenant, **changes}]
    made = of_tenant(recorded(loaded(config)), tenant["name"])
    assert not [one.name for one in made if OVN in str(one.inputs)], "nobody makes them, or nobody needs them"
