"""What a tenant is, in one row, and, once for each kind, what is in such a tenant's objects."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.tenants import MONITORS, SOUTHBOUND

Spec = dict[str, Any]


class On(NamedTuple):
    """A tenant's share of a hypervisor pool, and what the pool's labels say."""

    nodes: int | None
    zone: str | None
    metadata: dict[str, str]


class Tenant(NamedTuple):
    region: str
    name: str
    size: str
    hypervisors: dict[str, On]
    storage: dict[str, tuple[str, int]]  # device class and quota of the volumes, on each storage pool
    owner: str
    environment: str = "production"
    issuer: str = "selfsigned-cluster-issuer"
    octavia: bool = False
    cortex: tuple[str, ...] = ()


# Replicas for small, medium and large.
SIZES = ["small", "medium", "large"]
INFRASTRUCTURE = {"mariadb": (1, 3, 3), "rabbitmq": (1, 3, 3), "valkey": (1, 3, 3), "memcached": (1, 3, 3)}
SERVICES = {
    "keystone": (1, 3, 3),
    "placement": (1, 2, 3),
    "glance": (1, 2, 3),
    "horizon": (1, 2, 3),
    "nova.api": (1, 3, 5),
    "nova.scheduler": (1, 2, 2),
    "nova.conductor": (1, 2, 3),
    "neutron.api": (1, 3, 3),
    "neutron.server": (1, 3, 3),
    "cinder.api": (1, 2, 3),
    "cinder.scheduler": (1, 2, 2),
    "cinder.volume": (1, 2, 2),
}
KEY = ("userID", "userKey")
OVN, CERTIFICATES = "ovn-tls-certs", ("ca.crt", "tls.crt", "tls.key")
WRITE, READ = "profile rbd pool={}".format, "profile rbd-read-only pool={}".format


def specs(tenant: Tenant) -> Iterator[tuple[str, Spec | None]]:
    """What is in each object, by its place."""
    name, plane = tenant.name, f"{tenant.region}-control-plane"
    space = f"openstack-{name}"
    yield f"{plane} - Namespace {space}", None
    for at, (pool, (disks, quota)) in enumerate(tenant.storage.items()):
        first, suffix = at == 0, "" if at == 0 else f"-{pool}"
        for kind, spec in ceph_pools(tenant, disks, quota, first=first):
            yield f"{pool} rook-ceph CephBlockPool {kind}", spec
        for client, caps in clients(name, first=first).items():
            path = f"ceph/{pool}/{name}/{client}"
            yield f"{pool} rook-ceph CephClient {client}", {"caps": caps}
            yield f"{pool} rook-ceph PushSecret {client}", push_secret(f"rook-ceph-client-{client}", path)
            secret = client.replace("openstack-", "ceph-client-", 1) if client == space else f"ceph-{client}"
            at_home = [plane] if first or client == space else []  # Nova makes disks on the first pool alone
            on_nodes = list(tenant.hypervisors) if client == f"nova-{name}" else []
            for cluster in [*at_home, *on_nodes]:
                found = f"{secret}{suffix}"
                yield f"{cluster} {space} ExternalSecret {found}", external_secret(found, path)
    yield f"{plane} {space} ControlPlane {name}", control_plane(tenant)
    for pool, on in tenant.hypervisors.items():
        yield f"{pool} - Namespace {space}", None
        yield f"{pool} {space} HypervisorShare {name}", hypervisor_share(tenant, pool, on)
        yield f"{pool} {space} ExternalSecret {OVN}", external_secret(OVN, f"openstack/ovn/{name}", CERTIFICATES)
    yield f"{plane} {space} PushSecret {OVN}", push_secret(OVN, f"openstack/ovn/{name}", CERTIFICATES)


def ceph_pools(tenant: Tenant, disks: str, quota: int, *, first: bool) -> Iterator[tuple[str, Spec]]:
    rows = [("volumes", 3, "aggressive"), *([("images", 3, "aggressive"), ("ephemeral", 2, "none")] if first else [])]
    for purpose, copies, compression in rows:
        spec: Spec = {
            "failureDomain": "host",
            "deviceClass": disks,
            "replicated": {"size": copies, "requireSafeReplicaSize": True},
            "parameters": {"compression_mode": compression},
        }
        limit = {"quotas": {"maxSize": f"{quota}Gi"}} if quota and purpose == "volumes" else {}
        yield f"{tenant.name}-{purpose}", {**spec, **limit}


def clients(name: str, *, first: bool) -> dict[str, dict[str, str]]:
    """Their rights: a service writes what is its own, and Cinder and Nova read images."""
    volumes, images, disks = (f"{name}-{purpose}" for purpose in ("volumes", "images", "ephemeral"))
    if not first:
        only = {"mon": "profile rbd", "mgr": WRITE(volumes), "osd": WRITE(volumes)}
        return {f"openstack-{name}": only, f"nova-{name}": only}
    machines = f"{WRITE(volumes)}, {WRITE(disks)}"
    return {
        f"openstack-{name}": {
            "mon": "profile rbd",
            "mgr": WRITE(volumes),
            "osd": f"{WRITE(volumes)}, {READ(images)}",
        },
        f"glance-{name}": {"mon": "profile rbd", "mgr": WRITE(images), "osd": WRITE(images)},
        f"nova-{name}": {"mon": "profile rbd", "mgr": machines, "osd": f"{machines}, {READ(images)}"},
    }


def push_secret(source: str, path: str, properties: tuple[str, ...] = KEY) -> Spec:
    return {
        "refreshInterval": "1h",
        "updatePolicy": "Replace",
        "deletionPolicy": "Delete",
        "secretStoreRefs": [{"kind": "ClusterSecretStore", "name": "openbao-cluster-store"}],
        "selector": {"secret": {"name": source}},
        "data": [
            {"match": {"secretKey": one, "remoteRef": {"remoteKey": path, "property": one}}} for one in properties
        ],
    }


def external_secret(name: str, path: str, properties: tuple[str, ...] = KEY) -> Spec:
    return {
        "refreshInterval": "1h",
        "secretStoreRef": {"kind": "ClusterSecretStore", "name": "openbao-cluster-store"},
        "target": {"name": name, "creationPolicy": "Owner"},
        "data": [{"secretKey": one, "remoteRef": {"key": path, "property": one}} for one in properties],
    }


def hypervisor_share(tenant: Tenant, pool: str, on: On) -> Spec:
    name = tenant.name
    zone = {"availabilityZone": on.zone} if on.zone else {}
    return {
        "openStackCluster": name,
        **({"nodes": on.nodes} if on.nodes else {}),
        "nodeLabels": {"c5c3.io/tenant": name},
        "nodeTaints": [{"key": "c5c3.io/tenant", "value": name, "effect": "PreferNoSchedule"}],
        "hostAggregate": {"name": pool, **zone},
        "ovn": {"sbConnection": SOUTHBOUND, "encapsulation": "geneve", "tls": {"secretRef": {"name": OVN}}},
        "ceph": [
            {
                "storageCluster": storage,
                "user": f"nova-{name}",
                "secretRef": {"name": f"ceph-nova-{name}{'' if at == 0 else f'-{storage}'}", "key": "userKey"},
                "monitors": MONITORS,
            }
            for at, storage in enumerate(tenant.storage)
        ],
    }


def control_plane(tenant: Tenant) -> Spec:
    small = tenant.size == "small"
    infrastructure: Spec = {name: {"replicas": of(tenant, row)} for name, row in INFRASTRUCTURE.items()}
    infrastructure["mariadb"]["storageSize"] = "100Gi"
    infrastructure["valkey"]["sentinel"] = {"enabled": not small}
    databases = 1 if small else 3
    infrastructure["ovn"] = {
        "northbound": databases,
        "southbound": databases,
        "southboundService": "LoadBalancer",
    }
    issuer = {"name": tenant.issuer, "kind": "ClusterIssuer"}
    cortex: Spec = {"enabled": True, "replicas": 2, "pipelines": list(tenant.cortex)}
    return {
        "compute": {
            "hypervisorClusters": list(tenant.hypervisors),
            "pools": [
                {
                    "name": pool,
                    **({"nodes": on.nodes} if on.nodes else {}),
                    "hostAggregate": {
                        "name": pool,
                        **({"availabilityZone": on.zone} if on.zone else {}),
                        "metadata": on.metadata,
                    },
                }
                for pool, on in tenant.hypervisors.items()
            ],
        },
        "storage": {"storageClusters": list(tenant.storage), "ceph": storage(tenant)},
        "infrastructure": infrastructure,
        "services": services(tenant),
        "cortex": cortex if tenant.cortex else {"enabled": False},
        "tempest": {"enabled": False},
        "korc": {"enabled": True, "bootstrapResources": ["domains", "projects", "roles"]},
        "global": {
            "region": tenant.region,
            "tls": {"enabled": True, "issuerRef": issuer},
            "monitoring": {"enabled": True},
        },
        "network": {"mtu": 1500},
    }


def storage(tenant: Tenant) -> Spec:
    name = tenant.name
    _, *further = tenant.storage
    found: Spec = {
        "secretRef": {"name": f"ceph-client-{name}", "key": "userKey"},
        "monitors": MONITORS,
        "pools": {purpose: f"{name}-{purpose}" for purpose in ("volumes", "images", "ephemeral")},
    }
    clusters = [
        {
            "name": pool,
            "secretRef": {"name": f"ceph-client-{name}-{pool}", "key": "userKey"},
            "monitors": MONITORS,
            "pools": {"volumes": f"{name}-volumes"},
        }
        for pool in further
    ]
    return {**found, **({"clusters": clusters} if clusters else {})}


def services(tenant: Tenant) -> Spec:
    name, (first, *_) = tenant.name, tenant.storage
    found: Spec = {}
    for path, row in SERVICES.items():
        service, _, part = path.partition(".")
        place: Spec = found.setdefault(service, {"enabled": True})
        (place.setdefault(part, {}) if part else place)["replicas"] = of(tenant, row)
    found["glance"]["backend"] = {
        "type": "rbd",
        "pool": f"{name}-images",
        "secretRef": f"ceph-glance-{name}",
        "storageCluster": first,
    }
    found["nova"]["ephemeral"] = {
        "backend": "rbd",
        "pool": f"{name}-ephemeral",
        "secretRef": f"ceph-nova-{name}",
        "storageCluster": first,
    }
    found["cinder"]["backends"] = [
        {
            "name": f"ceph-{pool}",
            "type": "rbd",
            "pool": f"{name}-volumes",
            "secretRef": f"ceph-client-{name}{'' if pool == first else f'-{pool}'}",
            "storageCluster": pool,
        }
        for pool in tenant.storage
    ]
    found["octavia"] = {"enabled": True, "replicas": 3} if tenant.octavia else {"enabled": False}
    found["manila"] = {"enabled": False}
    return found


def of(tenant: Tenant, row: tuple[int, int, int]) -> int:
    return row[SIZES.index(tenant.size)]
