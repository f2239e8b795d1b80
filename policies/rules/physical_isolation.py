"""Physical isolation ends where two pools take their servers from the same machine pool."""

from collections.abc import Iterator

from policies.objects import Node
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Cluster, Scene

LABEL = "isolation"


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    """Said of every pool that takes servers of an isolated one; of two isolated ones, the later is the wrong one."""
    others = scene.clusters
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
    isolated = [one for one in others if one is not pool and one.labels.get(LABEL) == "physical"]
    if isolated and pool.labels.get(LABEL) != "physical" and pool.bare:
        yield Violation(
            object=pool.shoot,
            says=f"a group of spec.provider.workers names no machine pool, so its servers may be those of "
            f"{isolated[0].name}, which is physically isolated: name a machine pool for each group.",
        )


def _takes(pool: Cluster, node: Node) -> bool:
    return node.value in [one.value for one in pool.machine_pools]


POLICY = Policy(
    name="physical-isolation",
    title="Isolated pools have their own servers",
    description="No other cluster takes its servers from the machine pool of a pool with isolation=physical.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Give the other cluster another machine pool of IronCore.",
    subjects=lambda scene: scene.clusters,
    judge=judge,
    tags=("isolation", "rule 5"),
)
