"""What a pool has to give."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from components.told import ComputeCapacity, Nodes, StorageCapacity
from crds import rook
from model.pools import Cluster, HypervisorPool, StoragePool
from model.quantity import quantity

GIGA = 1000**3


def nodes(claim: Cluster) -> Nodes:
    """Gardener counts no nodes in a Shoot's status; that it is ready means that there are as many as it wants."""
    return {"minimum": claim.workers, "maximum": claim.max_workers}


def computing(pool: HypervisorPool, machine: pulumi.Output[Mapping[str, str]]) -> ComputeCapacity:
    """With the workers that it has at least, from the machine type in the cloud profile."""
    return {
        "vcpus": machine.apply(lambda one: int(pool.workers * quantity(one["cpu"])) if one else 0),
        "memoryGB": machine.apply(lambda one: int(pool.workers * quantity(one["memory"]) / GIGA) if one else 0),
    }


def storing(pool: StoragePool, ceph: rook.CephCluster | None) -> StorageCapacity:
    """As the claim promises it, and as Ceph has it."""
    told: StorageCapacity = {
        "osds": pool.workers * pool.ceph.osd_count,
        "replicationFactor": pool.ceph.replication_factor,
        "total": _bytes(ceph, "bytes_total"),
        "used": _bytes(ceph, "bytes_used"),
        "available": _bytes(ceph, "bytes_available"),
    }
    if pool.ceph.target_capacity:
        told["promised"] = pool.ceph.target_capacity
    return told


def _bytes(ceph: rook.CephCluster | None, field: str) -> pulumi.Output[int | None]:
    """As Ceph said when it was last looked at."""

    def of(status: rook.outputs.CephClusterStatus | None) -> int | None:
        room = status.ceph.capacity if status and status.ceph else None
        said: float | None = getattr(room, field) if room else None
        return None if said is None else int(said)

    return ceph.status.apply(of) if ceph else pulumi.Output.from_input(None)
