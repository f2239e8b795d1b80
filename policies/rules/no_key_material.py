"""Keys are in OpenBao, and nowhere in a program."""

from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, WhenUnknown
from policies.scene import Scene
from policies.secrets import key_material
from policies.values import Unknown

VALUES = ("data", "stringData")
REMEDY = "put it into OpenBao and refer to it by an ExternalSecret"


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    secret = one.is_a("", "Secret")
    if secret:
        yield from _secret(one)
    for path, value in one.decoded.leaves:
        if secret and path.partition(".")[0] in VALUES:
            continue  # told already
        kind = key_material(value)
        if kind:
            yield Violation(object=one, says=f"{path} holds {kind}: {REMEDY}.")


def _secret(one: Object) -> Iterator[Violation]:
    """Its values come to stand in Pulumi's state, marked as secret or not."""
    for field in VALUES:
        node = one.at(field)
        if isinstance(node.value, Unknown):
            yield Violation(object=one, says=f"{field} is written by the program, and is not known yet: {REMEDY}.")
            continue
        for value in node.items():
            yield Violation(object=one, says=f"{value.path} is written by the program: {REMEDY}.")


POLICY = Policy(
    name="no-key-material",
    title="No keys in the program",
    description="No object holds a key, a token or a kubeconfig with a credential, and no Secret is written by the "
    "program.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Put the secret into OpenBao, let an ExternalSecret bring it, and change it, as it has been seen.",
    subjects=lambda scene: scene.objects,
    judge=judge,
    scope=Scope.RESOURCE,
    when_unknown=WhenUnknown.LATER,
    tags=("secrets", "rule 18"),
)
