"""What a tenant refers to is there."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene, Tenant


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


POLICY = Policy(
    name="pools-exist",
    title="Pools exist",
    description="Every pool that a tenant names is a cluster of its stack, of the right kind.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Name a pool that the stack makes, or add the pool to the stack.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "rule 2"),
)
