"""What a tenant refers to is there."""

from collections.abc import Iterator

from policies.ceph import clusters
from policies.objects import Node
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Cluster, Scene, Tenant


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    for kind in ("hypervisor", "storage"):
        known = scene.pools(kind)
        nodes = tenant.pools(kind)
        if not nodes:
            key = "compute.hypervisorClusters" if kind == "hypervisor" else "storage.storageClusters"
            yield Violation(object=tenant.plane, says=f"spec.{key} names no pool: name at least one {kind} pool.")
        for node in nodes:
            if node.text() not in known:
                yield at(
                    node,
                    f"is {node.text()!r}, and this stack makes no such {kind} pool: name one of "
                    f"{', '.join(sorted(known)) or 'none, as there is none'}, or add the pool.",
                )
            elif kind == "storage":
                yield from _ceph(node, known[node.text() or ""], scene)


def _ceph(node: Node, pool: Cluster, scene: Scene) -> Iterator[Violation]:
    """Without it nobody could say what the pool's disks hold, and whether they are encrypted."""
    there = clusters(pool, scene)
    if len(there) != 1:
        yield at(
            node,
            f"is {node.text()!r}, in which this stack makes {len(there) or 'no'} CephCluster{'s' if there else ''}: "
            "make one, with the provider of that cluster.",
        )


POLICY = Policy(
    name="pools-exist",
    title="Pools exist",
    description="Every pool that a tenant names is a cluster of its stack, of the right kind, and a storage pool has "
    "one CephCluster.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Name a pool that the stack makes, or add the pool to the stack, with its Ceph cluster.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "rule 2"),
)
