"""The objects of the documents' tenants: on which cluster, in which namespace, under which name, with what in them."""

from typing import Any

import pytest

from tests.recorder import Recording, Registered
from tests.regions import loaded, stack
from tests.tenants import leaves, objects, of_tenant, place, recorded

FIRST = [
    "CephBlockPool {T}-volumes",
    "CephBlockPool {T}-images",
    "CephBlockPool {T}-ephemeral",
    "CephClient openstack-{T}",
    "CephClient glance-{T}",
    "CephClient nova-{T}",
]
FURTHER = ["CephBlockPool {T}-volumes", "CephClient openstack-{T}", "CephClient nova-{T}"]
# Region, tenant, and what it has on which storage pool.
TENANTS: list[tuple[str, str, dict[str, list[str]]]] = [
    ("eu-de-1", "customer-a-prod", {"st-pool-a": FIRST}),
    ("eu-de-1", "customer-b-staging", {"st-pool-a": FIRST}),
    ("eu-de-1", "internal-prod", {"st-pool-a": FIRST, "st-pool-b": FURTHER}),
    ("eu-de-1", "finance-prod", {"st-pool-encrypted": FIRST}),
    ("eu-de-1", "team-a-prod", {"st-pool-a": FIRST}),
    ("eu-de-1", "team-b-staging", {"st-pool-a": FIRST}),
    ("us-east-1", "internal-us-prod", {"st-pool-us": FIRST}),
]
PLANE = "{}-control-plane".format
# Of an object of a tenant, the value of a field.
FIELDS: list[tuple[str, str, str, object]] = [
    ("customer-a-prod", "namespace", "metadata.labels.c5c3*io/openstack-cluster", "true"),
    ("customer-a-prod", "namespace", "metadata.labels.c5c3*io/claim-namespace", "tenant-customer-a"),
    ("customer-a-prod", "namespace", "metadata.labels.c5c3*io/environment", "production"),
    ("customer-a-prod", "volumes@st-pool-a", "spec.failureDomain", "host"),
    ("customer-a-prod", "volumes@st-pool-a", "spec.deviceClass", "nvme"),
    ("customer-a-prod", "volumes@st-pool-a", "spec.replicated", {"size": 3, "requireSafeReplicaSize": True}),
    ("customer-a-prod", "volumes@st-pool-a", "spec.parameters", {"compression_mode": "aggressive"}),
    ("customer-a-prod", "volumes@st-pool-a", "spec.quotas", {"maxSize": "10000Gi"}),
    ("customer-a-prod", "images@st-pool-a", "spec.parameters", {"compression_mode": "aggressive"}),
    ("customer-a-prod", "images@st-pool-a", "spec.quotas", None),
    ("customer-a-prod", "ephemeral@st-pool-a", "spec.replicated.size", 2),
    ("customer-a-prod", "ephemeral@st-pool-a", "spec.parameters", {"compression_mode": "none"}),
    ("customer-a-prod", "control-plane", "spec.compute.hypervisorClusters", ["hv-pool-a", "hv-pool-b"]),
    ("customer-a-prod", "control-plane", "spec.services.octavia", {"enabled": True, "replicas": 3}),
    ("customer-a-prod", "control-plane", "spec.services.keystone", {"enabled": True, "replicas": 3}),
    ("customer-a-prod", "control-plane", "spec.services.placement", {"enabled": True, "replicas": 3}),
    ("customer-a-prod", "control-plane", "spec.services.nova.api.replicas", 5),
    ("customer-a-prod", "control-plane", "spec.services.manila", {"enabled": False}),
    ("customer-a-prod", "control-plane", "spec.cortex.pipelines", ["nova", "cinder"]),
    ("customer-a-prod", "control-plane", "spec.infrastructure.mariadb", {"replicas": 3, "storageSize": "100Gi"}),
    ("customer-a-prod", "control-plane", "spec.infrastructure.ovn", {"northbound": 3, "southbound": 3}),
    ("customer-a-prod", "control-plane", "spec.global.region", "eu-de-1"),
    ("customer-a-prod", "control-plane", "spec.global.tls.issuerRef.name", "letsencrypt-prod"),
    ("customer-a-prod", "control-plane", "spec.global.tls.issuerRef.kind", "ClusterIssuer"),
    (
        "customer-a-prod",
        "control-plane",
        "spec.storage.ceph",
        {
            "secretRef": {"name": "ceph-client-customer-a-prod", "key": "userKey"},
            "monitors": ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"],
            "pools": {
                "volumes": "customer-a-prod-volumes",
                "images": "customer-a-prod-images",
                "ephemeral": "customer-a-prod-ephemeral",
            },
        },
    ),
    ("customer-b-staging", "control-plane", "spec.infrastructure.rabbitmq", {"replicas": 1}),
    ("customer-b-staging", "control-plane", "spec.infrastructure.valkey.sentinel.enabled", False),
    ("customer-b-staging", "control-plane", "spec.global.tls.issuerRef.name", "selfsigned-cluster-issuer"),
    ("customer-b-staging", "control-plane", "spec.cortex", {"enabled": False}),
    ("internal-prod", "volumes@st-pool-b", "spec.deviceClass", "hdd"),
    ("internal-prod", "volumes@st-pool-b", "spec.quotas.maxSize", "200000Gi"),
    ("internal-prod", "control-plane", "spec.storage.storageClusters", ["st-pool-a", "st-pool-b"]),
    (
        "internal-prod",
        "control-plane",
        "spec.storage.ceph.clusters",
        [
            {
                "name": "st-pool-b",
                "secretRef": {"name": "ceph-client-internal-prod-st-pool-b", "key": "userKey"},
                "monitors": ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"],
                "pools": {"volumes": "internal-prod-volumes"},
            }
        ],
    ),
    (
        "internal-prod",
        "control-plane",
        "spec.services.cinder.backends",
        [
            {
                "name": f"ceph-{pool}",
                "type": "rbd",
                "pool": "internal-prod-volumes",
                "secretRef": secret,
                "storageCluster": pool,
            }
            for pool, secret in (
                ("st-pool-a", "ceph-client-internal-prod"),
                ("st-pool-b", "ceph-client-internal-prod-st-pool-b"),
            )
        ],
    ),
    ("finance-prod", "volumes@st-pool-encrypted", "spec.quotas", None),
]


@pytest.fixture(name="regions", scope="module")
def recorded_regions() -> dict[str, Recording]:
    return {name: recorded(loaded(stack(name))) for name in ("eu-de-1", "us-east-1")}


def value(one: Registered, path: str) -> object:
    found: Any = one.inputs
    for key in path.split("."):
        found = found.get(key.replace("*", ".")) if found else None
    return found


@pytest.mark.parametrize(("region", "tenant", "storage"), TENANTS, ids=[one[1] for one in TENANTS])
def test_a_tenant_has_just_these_objects(
    regions: dict[str, Recording], region: str, tenant: str, storage: dict[str, list[str]]
) -> None:
    expected = [f"{PLANE(region)} - Namespace openstack-{tenant}"]
    expected += [f"{PLANE(region)} openstack-{tenant} ControlPlane {tenant}"]
    expected += [f"{pool} rook-ceph {one.format(T=tenant)}" for pool, kinds in storage.items() for one in kinds]
    assert sorted(place(one, region) for one in of_tenant(regions[region], tenant)) == sorted(expected)


def test_every_tenant_of_the_stack_files_is_in_the_table(regions: dict[str, Recording]) -> None:
    made = {
        (region, one.name) for region, all_ in regions.items() for one in all_ if one.type.endswith("OpenStackCluster")
    }
    assert made == {(region, tenant) for region, tenant, _ in TENANTS}


@pytest.mark.parametrize(("tenant", "what", "path", "expected"), FIELDS)
def test_a_tenant_s_object_has_this_field(
    regions: dict[str, Recording], tenant: str, what: str, path: str, expected: object
) -> None:
    found = value(regions["eu-de-1"].named(f"{tenant}-{what}"), path)
    assert found == expected


def test_numbers_are_numbers(regions: dict[str, Recording]) -> None:
    """The documents' table of sizes makes strings of them, which no API server takes."""
    for all_ in regions.values():
        for one in objects(all_):
            for path, leaf in leaves(one.inputs.get("spec", {})):
                if path.rpartition(".")[2] in {"replicas", "size", "northbound", "southbound", "mtu", "count"}:
                    assert isinstance(leaf, float | int), f"{one.name}: {path} is {leaf!r}"


def test_what_holds_data_is_protected_and_stays_unless_the_claim_says_otherwise() -> None:
    config = stack("us-east-1")
    for protection in (True, False):
        config["openStackClusters"][0]["deletionProtection"] = protection
        for one in of_tenant(recorded(loaded(config)), "internal-us-prod"):
            assert (one.protect, one.retain) == (protection, protection), one.name


def test_the_order_is_ceph_cluster_pools_clients_control_plane(regions: dict[str, Recording]) -> None:
    for one in of_tenant(regions["eu-de-1"], "internal-prod"):
        before = {urn.rpartition("::")[2].removeprefix("internal-prod-") for urn in one.depends_on}
        pool = one.name.rpartition("@")[2]
        if "@" in one.name:
            assert f"eu-de-1-{pool}-ceph" in before, f"{one.name} needs the Ceph cluster"
        if "client" in one.name:
            assert f"volumes@{pool}" in before, f"{one.name} has rights to the pool"
        if one.name.endswith("control-plane"):
            assert {"namespace", "volumes@st-pool-b", "client-cinder@st-pool-a", "client-nova@st-pool-b"} <= before
