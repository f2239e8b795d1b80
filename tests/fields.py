"""Where each field of the four claims is seen when it changes, and a region to change it in."""

import copy
from typing import Any

from pydantic import BaseModel

from model.pools import ControlPlane, HypervisorPool, StoragePool
from model.tenant import OpenStackCluster

Config = dict[str, Any]

REGION: Config = {
    "region": "eu-de-1",
    "garden": {"kubeconfig": "there-is-none.yaml"},
    "controlPlane": {"region": "eu-de-1", "name": "plane"},
    "hypervisorPools": [
        {"region": "eu-de-1", "name": name, "workers": 50, "ironcore": {"machinePool": f"servers-{name}"}}
        for name in ("hv-a", "hv-b")
    ],
    "storagePools": [
        {
            "region": "eu-de-1",
            "name": name,
            "workers": 4,
            "ironcore": {"machinePool": name},
            "ceph": {"rbdMirrors": 1, "targetCapacity": "100Ti"},
        }
        for name in ("st-a", "st-b")
    ],
    "openStackClusters": [
        {
            "region": "eu-de-1",
            "name": "customer",
            "size": "large",
            "hypervisorClusters": ["hv-a"],
            "storageClusters": ["st-a", "st-b"],
            "environment": "staging",  # so that production is another thing to be
            "storage": {
                "ceph": {
                    "volumePool": {"quotaGB": 10, "backends": {"st-a": {}, "st-b": {}}},
                    "imagePool": {"replication": 1, "storageCluster": "st-b"},
                    "filesystem": {"enabled": True},
                    "objectStore": {"enabled": True},
                }
            },
        }
    ],
}

WORKFORCE: Config = {
    "kubernetesVersion": "1.34",
    "zones": ["a", "b", "c"],
    "workers": 7,
    "maxWorkers": 90,
    "networking.type": "cilium",
    "networking.nodes": "10.1.0.0/16",
    "networking.pods": "10.2.0.0/16",
    "networking.services": "10.3.0.0/16",
    "machineImage.name": "ubuntu",
    "machineImage.version": "1.2.3",
    "maintenance.begin": "010000+0000",
    "maintenance.end": "020000+0000",
}
POOL: Config = {"ironcore.machinePool": "others", "ironcore.machineClass": "large", "labels": {"tier": "gold"}}

# Seen in a Shoot: the inputs of the resources that the region registers differ.
SHOOT: dict[str, Config] = {
    "controlPlane": {
        **WORKFORCE,
        "name": "other",
        "machineType": "m6",
        "volumeSize": "300Gi",
        "highAvailability": False,
        "deletionProtection": False,
    },
    "hypervisorPools": {**WORKFORCE, **POOL, "deletionProtection": False},
    "storagePools": {**WORKFORCE, **POOL, "deletionProtection": False},
}
# Seen in a tenant's Ceph pools.
CEPH: Config = {
    "name": "another",
    "storageClusters": ["st-b", "st-a"],
    "services.cinder": False,
    "services.nova": False,
    "storage.ceph.volumePool.replication": 4,
    "storage.ceph.volumePool.compression": "none",
    "storage.ceph.volumePool.quotaGB": 5,
    "storage.ceph.volumePool.backends.st-b.replication": 2,
    "storage.ceph.volumePool.backends.st-b.compression": "force",
    "storage.ceph.volumePool.backends.st-b.quotaGB": 6,
    "storage.ceph.imagePool.replication": 4,
    "storage.ceph.imagePool.compression": "none",
    "storage.ceph.imagePool.storageCluster": "st-a",
    "storage.ceph.ephemeralPool.enabled": False,
    "storage.ceph.ephemeralPool.replication": 4,
    "storage.ceph.ephemeralPool.storageCluster": "st-b",
    "storage.ceph.filesystem.enabled": False,
    "storage.ceph.filesystem.dataPoolReplication": 4,
    "storage.ceph.filesystem.metadataPoolReplication": 4,
    "storage.ceph.filesystem.storageCluster": "st-b",
    "storage.ceph.objectStore.enabled": False,
    "storage.ceph.objectStore.dataPoolReplication": 4,
    "storage.ceph.objectStore.metadataPoolReplication": 4,
    "storage.ceph.objectStore.storageCluster": "st-b",
}
COUNTED = 5  # every number of the table of sizes becomes this one
# Seen in a tenant's replicas and capacities.
SIZED: Config = {
    "size": "xlarge",
    **{
        f"sizing.{key}": COUNTED
        for key in (
            *("mariadb.replicas", "rabbitmq.replicas", "memcached.replicas"),
            *("ovn.northbound", "ovn.southbound", "keystone.replicas", "placement.replicas", "glance.replicas"),
            *("nova.scheduler", "nova.conductor", "neutron.api", "neutron.server"),
            *("cinder.api", "cinder.scheduler", "cinder.volume", "horizon.replicas"),
            *("octavia.replicas", "manila.replicas", "cortex.replicas"),
        )
    },
    "sizing.nova.api": 6,
    "sizing.mariadb.storageSize": "1Ti",
    "sizing.mariadb.storageClass": "fast",
    "sizing.rabbitmq.storageClass": "fast",
    "sizing.valkey.sentinel": False,
}
# Seen by a rule: with the changed value the region is refused.
RULE: dict[str, Config] = {
    "controlPlane": {"region": "us-east-1"},
    "hypervisorPools": {"region": "us-east-1", "name": "other"},
    "storagePools": {
        "region": "us-east-1",
        "name": "other",
        "arbiterCluster": "st-a",
        "ceph.replicationFactor": 5,
        "ceph.monCount": 5,
        "ceph.failureDomain": "zone",
        "ceph.targetCapacity": "1Gi",
    },
    "openStackClusters": {
        "region": "us-east-1",
        "environment": "production",
        "controlPlaneCluster": "another",
        "services.neutron": False,
        "services.glance": False,
        "sizing.valkey.replicas": 2,
    },
}
IMAGE: Config = {"repository": "ghcr.io/c5c3/image", "tag": "v1", "digest": f"sha256:{'0' * 64}"}
SERVICES = [
    "keystone",
    "placement",
    "glance",
    "nova",
    "neutron",
    "cinder",
    "horizon",
    "octavia",
    "manila",
    "cortex",
    "tempest",
]
# Seen only in the objects of a tenant or of a Ceph cluster; every other field of a tenant is seen there too.
OBJECTS: dict[str, Config] = {
    "controlPlane": {"issuerRef.name": "ours", "issuerRef.kind": "Issuer"},
    "storagePools": {"ceph.osdCount": 3, "ceph.deviceClass": "hdd", "ceph.encrypted": True, "ceph.rbdMirrors": 2},
    "openStackClusters": {
        "namespace": "tenant",
        "services.octavia": True,
        "services.manila": True,
        "services.horizon": False,
        "cortex.enabled": True,
        "cortex.pipelines": ["nova"],
        "tempest.enabled": True,
        "tempest.schedule": "0 5 * * *",
        "tls.enabled": False,
        "tls.issuerRef.name": "ours",
        "tls.issuerRef.kind": "Issuer",
        "network.externalNetwork": "internet",
        "network.mtu": 9000,
        "storage.ceph.volumePool.mirroring.enabled": True,
        "storage.ceph.volumePool.mirroring.mode": "pool",
        "storage.ceph.objectStore.instances": 3,
        "storage.ceph.objectStore.sslCertificateRef": "certificate",
        **{f"images.{service}.{key}": value for service in SERVICES for key, value in IMAGE.items()},
        "hypervisorClusters": ["hv-a", "hv-b"],
        "nodeShares": {"hv-a": 20},
        "labels": {"team": "a"},
        "monitoring": False,
        "deletionProtection": False,
    },
}
BESIDE = {"repository": "ghcr.io/c5c3/other", "tag": "v0"}  # what an image cannot be without
MIRRORING = "storage.ceph.volumePool.mirroring"
# What must be on for a field to have a meaning; it is on before the field changes, too.
NEEDS = {
    "cortex.pipelines": "cortex.enabled",
    "tempest.schedule": "tempest.enabled",
    f"{MIRRORING}.mode": f"{MIRRORING}.enabled",
    **{f"{of}.{name}": f"services.{name}" for of in ("images", "sizing") for name in ("octavia", "manila")},
    **{f"{of}.{name}": f"{name}.enabled" for of in ("images", "sizing") for name in ("cortex", "tempest")},
}

TENANT = "openStackClusters"
POOLS = {"hypervisorPools": HypervisorPool, "storagePools": StoragePool}
MODELS: dict[str, type[BaseModel]] = {"controlPlane": ControlPlane, **POOLS, TENANT: OpenStackCluster}
TABLES: dict[str, dict[str, Config]] = {
    "Shoot": SHOOT,
    "Ceph pools": {TENANT: CEPH},
    "sizes": {TENANT: SIZED},
    "rule": RULE,
    "objects": OBJECTS,
}


def with_field(claim: str, field: str, value: object) -> Config:
    config = base_of(field) if claim == TENANT else copy.deepcopy(REGION)
    put(config, claim, field, value)
    return config


def put(config: Config, claim: str, field: str, value: object) -> None:
    place: Config = config[claim][0] if isinstance(config[claim], list) else config[claim]
    *above, last = field.split(".")
    for key in above:
        place = place.setdefault(key, {})
    if above[-1:] == ["issuerRef"]:
        place["name"] = "theirs"
    if above[:1] == ["images"]:
        place.update(BESIDE)
    place[last] = value


def base_of(field: str) -> Config:
    """The region that a changed field of the tenant is compared with."""
    config = copy.deepcopy(REGION)
    for begin, needed in NEEDS.items():
        if field.startswith(begin):
            put(config, TENANT, needed, value=True)
    if field.startswith("images."):
        put(config, TENANT, f"{field.rpartition('.')[0]}.tag", "v0")
    return config
