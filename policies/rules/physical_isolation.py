"""Physical isolation ends where two pools take their servers from the same machine pool."""

from collections.abc import Iterator

from policies.objects import Node
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Cluster, Scene

LABEL = "isolation"


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    """Said of every pool that takes servers of an isolated one; of two isolated ones, the later is the wrong one."""
    others = list(scene.pools().values())
    for node in pool.machine_pools:
        for at_, other in enumerate(others):
            if other is pool or other.labels.get(LABEL) != "physical" or not _takes(other, node):
                continue
            if pool.labels.get(LABEL) == "physical" and others.index(pool) < at_:
                continue
            yield at(
                node,
                f"is {node.value!r}, the servers of {other.name}, which is physically isolated: name another machine "
                "pool.",
            )
    if pool.labels.get(LABEL) == "physical" and not pool.machine_pools:
        yield Violation(
            object=pool.shoot,
            says=f"spec.provider.workers name no machine pool, and the pool is labelled {LABEL}=physical: name the one "
            "that is its own, or its servers may be anybody's.",
        )


def _takes(pool: Cluster, node: Node) -> bool:
    return node.value in [one.value for one in pool.machine_pools]


POLICY = Policy(
    name="physical-isolation",
    title="Isolated pools have their own servers",
    description="No other pool takes its servers from the machine pool of a pool with isolation=physical.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Give the other pool another machine pool of IronCore.",
    subjects=lambda scene: scene.pools().values(),
    judge=judge,
    tags=("isolation", "rule 5"),
)
