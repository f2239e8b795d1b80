"""What an object is, and where it goes, is what every other policy begins with."""

from collections.abc import Iterable

from policies.objects import KUBERNETES, Node, NotKnownError, Object
from policies.policy import Policy, Scope, Severity, Violation
from policies.scene import Scene
from policies.values import Unknown

IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))


def judge(one: Object, scene: Scene) -> Iterable[Violation]:  # noqa: ARG001  (as every judge is called)
    """To read is enough: what cannot be read is said by whoever asks."""
    for path in IDENTITY:
        one.at(*path).text()
    if isinstance(one.place.namespace, Unknown) and one.at("metadata", "namespace").value is None:
        raise NotKnownError(Node(one, "the namespace of its provider", one.place.namespace))
    return ()


POLICY = Policy(
    name="objects-are-known",
    title="Objects say what they are",
    description="Every object of a cluster says before the update what it is and where: apiVersion, kind, name and "
    "namespace.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Write apiVersion, kind, name and namespace as texts, or as values that the plan knows.",
    subjects=lambda scene: [one for one in scene.objects if one.kind and one.type.startswith(KUBERNETES)],
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("gate",),
)
