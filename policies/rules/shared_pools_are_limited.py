"""On a shared storage pool, nobody may take all of it."""

from collections.abc import Iterator

from policies.ceph import clusters, quota, raw_bytes
from policies.objects import Object
from policies.policy import Policy, Severity, Violation
from policies.scene import Cluster, Scene

# What no quota of a tenant is for: images and ephemeral disks, of which a claim has none.
WITHOUT = ("images", "ephemeral")


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    here = [one for one in scene.ceph("CephBlockPool") if one.cluster == pool.name]
    owners = {owner for one in here if (owner := scene.tenant_of(one))}
    if len(owners) < 2:  # noqa: PLR2004  (it is shared by two or more)
        return
    for one in here:
        if not scene.only(one, *WITHOUT) and quota(one) == 0:
            yield _unlimited(one, pool, sorted(owners))
    for ceph in clusters(pool, scene):
        if raw_bytes(ceph) is None:
            yield Violation(
                object=ceph,
                says=f"nothing says what its disks hold, and {len(owners)} tenants share them: write "
                f"ceph.targetCapacity of {pool.name}, so that their quotas can be held against it.",
            )


def _unlimited(one: Object, pool: Cluster, owners: list[str]) -> Violation:
    return Violation(
        object=one,
        says=f"spec.quotas.maxSize is missing, and {pool.name} is shared by {', '.join(owners)}: write a quota "
        "(volumePool.quotaGB), or give the tenant a pool of its own.",
    )


POLICY = Policy(
    name="shared-pools-are-limited",
    title="Shared storage has quotas",
    description="Where several tenants share a storage pool, each pool has a quota, save those that their ControlPlane "
    "names for images or ephemeral disks alone, and the storage pool a capacity.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Set volumePool.quotaGB of each tenant on the pool, and the pool's ceph.targetCapacity.",
    subjects=lambda scene: scene.pools("storage").values(),
    judge=judge,
    tags=("isolation", "sizing", "rule 10"),
)
