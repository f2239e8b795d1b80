"""Which cluster an object goes to stands in its provider, for the policies and for Pulumi."""

from collections.abc import Iterator

from policies.objects import PROVIDER, Object
from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import GARDENER, KIND, KINDS, Scene


def subjects(scene: Scene) -> Iterator[Object]:
    for one in scene.objects:
        if one.type == PROVIDER or (one.kind and one.place.provider):
            yield one


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    if one.type != PROVIDER:
        if one.place.default:
            yield Violation(
                object=one,
                says="it has no provider of its own, so it goes wherever the machine's kubeconfig leads: name the "
                "provider of its cluster.",
            )
        kind = one.at("metadata", "labels", KIND) if one.is_a(GARDENER, "Shoot") else None
        if kind is not None and kind.text() not in KINDS:
            yield at(
                kind,
                f"is {kind.text()!r}, so no policy knows what the cluster is for: use one of {', '.join(KINDS)}.",
            )
        return
    identifier = one.at("clusterIdentifier")
    if not one.resource.startswith("default") and not identifier.text():
        yield at(
            identifier,
            f"is missing in the provider {one.resource}: name the cluster, as in garden-c5c3/hv-pool-a; without it, "
            "Pulumi would take a changed kubeconfig for another cluster.",
        )


POLICY = Policy(
    name="clusters-are-named",
    title="Every object names its cluster",
    description="Objects have an explicit provider, each Kubernetes provider has a clusterIdentifier, and each "
    "Shoot the label c5c3.io/cluster-kind.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Give the object the provider of its cluster, the provider a cluster_identifier, and the Shoot its label.",
    subjects=subjects,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("gate",),
)
