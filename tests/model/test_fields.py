"""Every field of the four claims acts: a changed value is seen in what is planned or derived.

A field in none of the tables below fails the test, and so does an entry whose field is gone.
"""

import copy
import functools
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from components import Region, RegionArgs
from model import Problems, RegionSpec
from model.ceph import ceph_pools
from model.pools import ControlPlane, HypervisorPool, StoragePool
from model.tenant import OpenStackCluster
from tests.recorder import record
from tests.regions import loaded

Config = dict[str, Any]

REGION: Config = {
    "region": "eu-de-1",
    "garden": {"kubeconfig": "there-is-none.yaml"},
    "controlPlane": {"region": "eu-de-1", "name": "plane"},
    "hypervisorPools": [{"region": "eu-de-1", "name": "hv-a", "workers": 50, "ironcore": {"machinePool": "servers"}}],
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
    "hypervisorPools": {**WORKFORCE, **POOL, "deletionProtection": True},
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
        "hypervisorClusters": ["hv-b"],
        "controlPlaneCluster": "another",
        "nodeShares": {"hv-a": 51},
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
# Validated and kept, and seen in nothing yet: what renders the tenants and Ceph takes its fields out of here.
NOT_PLANNED_YET: dict[str, Config] = {
    "controlPlane": {"issuerRef.name": "ours", "issuerRef.kind": "Issuer"},
    "hypervisorPools": {},
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
        "labels": {"team": "a"},
        "monitoring": False,
        "deletionProtection": False,
    },
}
BESIDE = {"repository": "ghcr.io/c5c3/other", "tag": "v0"}  # what an image cannot be without

TENANT = "openStackClusters"
POOLS = {"hypervisorPools": HypervisorPool, "storagePools": StoragePool}
MODELS: dict[str, type[BaseModel]] = {"controlPlane": ControlPlane, **POOLS, TENANT: OpenStackCluster}
TABLES: dict[str, dict[str, Config]] = {
    "Shoot": SHOOT,
    "Ceph pools": {TENANT: CEPH},
    "sizes": {TENANT: SIZED},
    "rule": RULE,
    "nothing yet": NOT_PLANNED_YET,
}
ROWS = [
    pytest.param(seen, claim, field, value, id=f"{claim}.{field} in {seen}")
    for seen, table in TABLES.items()
    for claim, fields in table.items()
    for field, value in fields.items()
]


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)


def leaf_fields(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Every field that holds a value of its own, by the names of the stack file."""
    for name, field in model.model_fields.items():
        here = f"{path}{field.alias or name}"
        below = next(models_in(field.annotation), None)
        if below is None:
            yield here
        else:
            yield from leaf_fields(below, f"{here}.st-b." if here.endswith(".backends") else f"{here}.")


def with_field(claim: str, field: str, value: object) -> Config:
    config = copy.deepcopy(REGION)
    place: Config = config[claim][0] if isinstance(config[claim], list) else config[claim]
    *above, last = field.split(".")
    for key in above:
        place = place.setdefault(key, {})
    if above[-1:] == ["issuerRef"]:
        place["name"] = "theirs"
    if above[:1] == ["images"]:
        place.update(BESIDE)
    place[last] = value
    return config


def base_of(field: str) -> Config:
    """The region that a changed field is compared with."""
    return with_field(TENANT, f"{field.rpartition('.')[0]}.tag", "v0") if field.startswith("images.") else REGION


ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # of an unknown value


def planned(region: RegionSpec) -> list[tuple[str, str, str]]:
    recording = record(lambda: Region(region.region, RegionArgs(spec=region)), preview=True)
    shoots = [one for one in recording if one.type.endswith(":Shoot")]  # the provider's unknown kubeconfig has no value
    return sorted((one.type, one.name, ADDRESS.sub("", f"{one.inputs} {one.protect}")) for one in shoots)


def derived(region: RegionSpec) -> dict[str, object]:
    (tenant,) = region.open_stack_clusters
    return {"Ceph pools": [asdict(pool) for pool in ceph_pools(tenant)], "sizes": tenant.sized}


@functools.cache
def plan_of_the_base() -> list[tuple[str, str, str]]:
    return planned(loaded(REGION))


def test_every_field_of_the_four_claims_stands_in_exactly_one_table() -> None:
    for claim, model in MODELS.items():
        listed = [field for table in TABLES.values() for field in table.get(claim, {})]
        assert sorted(listed) == sorted(leaf_fields(model)), f"say for each field of {claim} where it is seen, once"


@pytest.mark.parametrize(("seen", "claim", "field", "value"), ROWS)
def test_a_changed_field_is_seen_where_its_table_says_and_nowhere_if_that_is_said(
    seen: str, claim: str, field: str, value: object
) -> None:
    config = with_field(claim, field, value)
    if seen == "rule":
        with pytest.raises(Problems):
            loaded(config)
        return
    changed, base = loaded(config), loaded(base_of(field))
    assert changed.model_dump() != base.model_dump(), "the region keeps what the file says"
    before, after = derived(base), derived(changed)
    differs = {what for what in before if before[what] != after[what]}
    if claim != TENANT and planned(changed) != plan_of_the_base():
        differs.add("Shoot")
    assert differs == ({seen} - {"nothing yet"}), (
        "a field that acts nowhere is a promise not kept, and one that acts now is no longer in NOT_PLANNED_YET"
    )
