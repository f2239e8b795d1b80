"""A group of workers has bounds that fit each other."""

from collections.abc import Iterator

from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import Cluster, Scene


def judge(cluster: Cluster, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    if not cluster.workers:
        yield Violation(object=cluster.shoot, says="spec.provider.workers is empty: name a group of workers.")
    for group in cluster.workers:
        least, most = group.at("minimum"), group.at("maximum")
        low, high = least.number(), most.number()
        if low is None or low < 1:
            yield at(least, f"is {low}: use 1 or more.")
        elif high is None or low > high:
            yield at(least, f"is {low}, more than maximum ({high}): raise maximum to at least {low}, or lower minimum.")


POLICY = Policy(
    name="worker-bounds",
    title="Workers have bounds that fit",
    description="Each group of workers has at least one, and no more at least than at most.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Raise maxWorkers, or lower workers.",
    subjects=lambda scene: scene.clusters,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("sizing", "rule 9"),
)
