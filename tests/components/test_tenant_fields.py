"""Single fields of the documents' tenants, as the documents have them."""

from typing import Any

import pytest

from tests.recorder import Recording, Registered
from tests.tenant_specs import CERTIFICATES, external_secret, push_secret
from tests.tenants import leaves, objects

NOVA, NETWORKS = "ceph/st-pool-b/internal-prod/nova-internal-prod", "openstack/ovn/internal-prod"  # paths in OpenBao
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
    ("internal-prod", "key-nova@st-pool-b", "spec", push_secret("rook-ceph-client-nova-internal-prod", NOVA)),
    (
        "internal-prod",
        "secret-nova@st-pool-b@hv-pool-b",
        "spec",
        external_secret("ceph-nova-internal-prod-st-pool-b", NOVA),
    ),
    ("internal-prod", "key-ovn", "spec", push_secret("ovn-tls-certs", NETWORKS, CERTIFICATES)),
    ("internal-prod", "secret-ovn@hv-pool-b", "spec", external_secret("ovn-tls-certs", NETWORKS, CERTIFICATES)),
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


def value(one: Registered, path: str) -> object:
    found: Any = one.inputs
    for key in path.split("."):
        found = found.get(key.replace("*", ".")) if found else None
    return found


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
