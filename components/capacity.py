"""What a pool has to give, with the workers that it has at least."""

from collections.abc import Mapping
from typing import Any

import pulumi

from model.pools import HypervisorPool, StoragePool
from model.words import in_bytes

GIGA = 1000**3


def computing(pool: HypervisorPool, machine: pulumi.Output[Mapping[str, str]]) -> dict[str, Any]:
    """From the machine type in the cloud profile."""
    return {
        "vcpus": machine.apply(lambda one: pool.workers * int(one["cpu"]) if one else 0),
        "memoryGB": machine.apply(lambda one: pool.workers * in_bytes(one["memory"]) // GIGA if one else 0),
    }


def storing(pool: StoragePool) -> dict[str, Any]:
    """As the claim promises it; what Ceph really has is in its CephCluster."""
    ceph = pool.ceph
    usable = {"total": ceph.target_capacity} if ceph.target_capacity else {}
    return {**usable, "osds": pool.workers * ceph.osd_count, "replicationFactor": ceph.replication_factor}
