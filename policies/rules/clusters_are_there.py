"""An object that goes to a cluster of nobody's is judged as if it were nowhere."""

from collections.abc import Iterator

from policies.objects import PROVIDER, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import GARDENER, Scene

NAMED = 5


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    """What has no slash is a cluster that is given: the garden, and the management cluster."""
    identifier = one.at("clusterIdentifier")
    named = identifier.value if isinstance(identifier.value, str) else ""  # of others, clusters-are-named says enough
    shoots = {f"{shoot.namespace}/{shoot.name}" for shoot in scene.of_kind(GARDENER, "Shoot")}
    if "/" in named and named not in shoots:
        known = sorted(shoots)[:NAMED]
        more = ", ..." if len(shoots) > NAMED else ""
        yield at(
            identifier,
            f"is {named!r}, and this stack makes no such Shoot ({', '.join(known) or 'it makes none'}{more}): correct "
            "the name, so that what goes there is judged with its cluster.",
        )


POLICY = Policy(
    name="clusters-are-there",
    title="Clusters are of this stack",
    description="The clusterIdentifier of each Kubernetes provider is a Shoot of the stack, or the name of a cluster "
    "that is given (one without a slash).",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Write the namespace and name of a Shoot that the stack makes.",
    subjects=lambda scene: [one for one in scene.objects if one.type == PROVIDER],
    judge=judge,
    tags=("gate",),
)
