"""What tenants are promised of a storage pool is there."""

import math
from collections.abc import Iterator

from policies.ceph import clusters, copies, quota, raw_bytes
from policies.policy import Policy, Severity, Violation
from policies.scene import Cluster, Scene

GIB = 1024**3
NAMED = 5


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    """Each quota counts as often as its data is copied, against what the disks hold."""
    for ceph in clusters(pool, scene):
        raw = raw_bytes(ceph)
        if raw is None:
            continue
        promised = {
            one.name or one.resource: math.ceil(quota(one) * next(copies(one)).overhead)
            for one in scene.ceph("CephBlockPool")
            if one.cluster == pool.name
        }
        total = sum(promised.values())
        if total > raw:
            largest = sorted((name for name in promised if promised[name]), key=lambda name: (-promised[name], name))
            named = ", ".join(f"{name} {promised[name] // GIB}Gi" for name in largest[:NAMED])
            more = f" and {len(largest) - NAMED} more" if len(largest) > NAMED else ""
            yield Violation(
                object=ceph,
                says=f"the disks hold {raw // GIB}Gi, and with their copies the tenants' quotas come to "
                f"{total // GIB}Gi ({named}{more}): lower the quotas by {-(-(total - raw) // GIB)}Gi, or raise "
                "targetCapacity.",
            )


POLICY = Policy(
    name="quotas-fit",
    title="Quotas fit the storage pool",
    description="All quotas on a storage pool, counted with their copies, come to no more than its disks hold.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Lower the tenants' quotas, or raise the pool's ceph.targetCapacity together with its disks.",
    subjects=lambda scene: scene.pools("storage").values(),
    judge=judge,
    tags=("sizing", "rule 10"),
)
