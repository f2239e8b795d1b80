"""The objects of the documents' tenants: on which cluster, in which namespace, under which name, with what in them."""

from typing import Any, NamedTuple

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
    (
        "customer-a-prod",
        "control-plane",
        "spec.infrastructure.ovn",
        {"northbound": 3, "southbound": 3, "southboundService": "LoadBalancer"},
    ),
    (
        "customer-a-prod",
        "control-plane",
        "spec.compute.pools",
        [
            {
                "name": "hv-pool-a",
                "nodes": 20,
                "hostAggregate": {
                    "name": "hv-pool-a",
                    "availabilityZone": "az-1",
                    "metadata": {"tier": "standard"},
                },
            },
            {
                "name": "hv-pool-b",
                "nodes": 30,
                "hostAggregate": {"name": "hv-pool-b", "availabilityZone": "az-2", "metadata": {"tier": "premium"}},
            },
        ],
    ),
    (
        "customer-a-prod",
        "nodes@hv-pool-a",
        "spec",
        {
            "openStackCluster": "customer-a-prod",
            "nodes": 20,
            "nodeLabels": {"c5c3.io/tenant": "customer-a-prod"},
            "nodeTaints": [{"key": "c5c3.io/tenant", "value": "customer-a-prod", "effect": "PreferNoSchedule"}],
            "hostAggregate": {"name": "hv-pool-a", "availabilityZone": "az-1"},
            "ovn": {
                "sbConnection": "ssl:ovn.example.com:6642",
                "encapsulation": "geneve",
                "tls": {"secretRef": {"name": "ovn-tls-certs"}},
            },
            "ceph": [
                {
                    "storageCluster": "st-pool-a",
                    "user": "nova-customer-a-prod",
                    "secretRef": {"name": "ceph-nova-customer-a-prod", "key": "userKey"},
                    "monitors": ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"],
                }
            ],
        },
    ),
    ("finance-prod", "nodes@hv-pool-compliance", "spec.nodes", None),
    (
        "internal-prod",
        "key-nova@st-pool-b",
        "spec",
        {
            "refreshInterval": "1h",
            "updatePolicy": "Replace",
            "deletionPolicy": "Delete",
            "secretStoreRefs": [{"kind": "ClusterSecretStore", "name": "openbao-cluster-store"}],
            "selector": {"secret": {"name": "rook-ceph-client-nova-internal-prod"}},
            "data": [
                {
                    "match": {
                        "secretKey": one,
                        "remoteRef": {
                            "remoteKey": "ceph/st-pool-b/internal-prod/nova-internal-prod",
                            "property": one,
                        },
                    }
                }
                for one in ("userID", "userKey")
            ],
        },
    ),
    (
        "internal-prod",
        "secret-nova@st-pool-b@hv-pool-b",
        "spec",
        {
            "refreshInterval": "1h",
            "secretStoreRef": {"kind": "ClusterSecretStore", "name": "openbao-cluster-store"},
            "target": {"name": "ceph-nova-internal-prod-st-pool-b", "creationPolicy": "Owner"},
            "data": [
                {
                    "secretKey": one,
                    "remoteRef": {"key": "ceph/st-pool-b/internal-prod/nova-internal-prod", "property": one},
                }
                for one in ("userID", "userKey")
            ],
        },
    ),
    (
        "internal-prod",
        "key-ovn",
        "spec",
        {
            "refreshInterval": "1h",
            "updatePolicy": "Replace",
            "deletionPolicy": "Delete",
            "secretStoreRefs": [{"kind": "ClusterSecretStore", "name": "openbao-cluster-store"}],
            "selector": {"secret": {"name": "ovn-tls-certs"}},
            "data": [
                {
                    "match": {
                        "secretKey": one,
                        "remoteRef": {"remoteKey": "openstack/ovn/internal-prod", "property": one},
                    }
                }
                for one in ("ca.crt", "tls.crt", "tls.key")
            ],
        },
    ),
    (
        "internal-prod",
        "secret-ovn@hv-pool-b",
        "spec",
        {
            "refreshInterval": "1h",
            "secretStoreRef": {"kind": "ClusterSecretStore", "name": "openbao-cluster-store"},
            "target": {"name": "ovn-tls-certs", "creationPolicy": "Owner"},
            "data": [
                {"secretKey": one, "remoteRef": {"key": "openstack/ovn/internal-prod", "property": one}}
                for one in ("ca.crt", "tls.crt", "tls.key")
            ],
        },
    ),
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


HOLD_DATA = {"ControlPlane", "CephBlockPool", "CephFilesystem", "CephObjectStore", "CephObjectStoreUser"}


def test_all_of_a_protected_tenant_is_protected_and_what_holds_data_stays() -> None:
    """All: Pulumi would delete nodes and keys, which nothing else depends on, before it met what it must not delete."""
    config = stack("us-east-1")
    tenant = config["openStackClusters"][0]
    tenant["services"] = {"manila": True}
    tenant["storage"] = {"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True}}}
    for protection in (True, False):
        tenant["deletionProtection"] = protection
        kept: set[str] = set()
        made = of_tenant(recorded(loaded(config)), tenant["name"])
        assert {one.inputs["kind"] for one in made} >= {"HypervisorShare", "PushSecret", "ExternalSecret", "CephClient"}
        for one in made:
            assert one.protect == protection, f"{one.name} must go with no other, and stay with all"
            kept |= {one.inputs["kind"]} if one.retain else set()
        assert kept == ({*HOLD_DATA, "Namespace"} if protection else set())
        noted = {
            one.name: one.inputs["metadata"]["annotations"] for one in made if one.inputs["kind"] == "ControlPlane"
        }
        (annotations,) = noted.values()
        assert annotations.get("c5c3.io/deletion-protection") == ("true" if protection else None), "for the next plan"


def before(one: Registered) -> set[str]:
    """What an object waits for, by name without the tenant's."""
    return {urn.rpartition("::")[2].removeprefix("internal-prod-") for urn in one.depends_on}


ORDER = [
    ("volumes@st-pool-b", "namespace eu-de-1-st-pool-b-ceph"),
    ("client-nova@st-pool-b", "volumes@st-pool-b"),
    ("key-nova@st-pool-b", "client-nova@st-pool-b"),
    ("secret-cinder@st-pool-b", "key-cinder@st-pool-b namespace"),
    ("secret-nova@st-pool-b@hv-pool-b", "key-nova@st-pool-b namespace@hv-pool-b"),
    (
        "control-plane",
        "namespace volumes@st-pool-b secret-cinder@st-pool-a secret-cinder@st-pool-b secret-nova@st-pool-a",
    ),
    (
        "nodes@hv-pool-b",
        "control-plane secret-nova@st-pool-a@hv-pool-b secret-nova@st-pool-b@hv-pool-b secret-ovn@hv-pool-b",
    ),
    ("key-ovn", "namespace control-plane"),
    ("secret-ovn@hv-pool-b", "key-ovn namespace@hv-pool-b"),
]


@pytest.mark.parametrize(("what", "first"), ORDER, ids=[one[0] for one in ORDER])
def test_the_order_is_namespace_pools_clients_keys_control_plane_nodes(
    regions: dict[str, Recording], what: str, first: str
) -> None:
    """And so the other way round when a tenant goes."""
    assert set(first.split()) <= before(regions["eu-de-1"].named(f"internal-prod-{what}"))


@pytest.mark.parametrize("changes", [{"tls": {"enabled": False}}, {"services": {"nova": False}}], ids=["tls", "nova"])
def test_without_tls_or_nodes_no_certificates_travel(changes: dict[str, Any]) -> None:
    config = stack("us-east-1")
    tenant = config["openStackClusters"][0]
    config["openStackClusters"] = [{**tenant, **changes}]
    made = of_tenant(recorded(loaded(config)), tenant["name"])
    assert not [one.name for one in made if OVN in str(one.inputs)], "nobody makes them, or nobody needs them"
