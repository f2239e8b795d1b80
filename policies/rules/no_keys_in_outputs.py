"""What a stack or a component tells is readable by everybody who reads the stack."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, WhenUnknown
from policies.scene import Scene
from policies.secrets import key_material, names_secret


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    for path, value in Node(one, "", one.outputs.tree).leaves():
        kind = key_material(value)
        if kind is None and isinstance(value, str) and value and names_secret(path):
            kind = "what is called a secret"
        if kind:
            yield Violation(object=one, says=f"the output {path} holds {kind}: tell the name of its Secret instead.")


POLICY = Policy(
    name="no-keys-in-outputs",
    title="No keys in outputs",
    description="Neither the stack nor a component tells a key, a token or a password, marked as secret or not.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Export the name of the Secret, or of the path in OpenBao, in place of what is in it.",
    subjects=lambda scene: [one for one in scene.objects if not one.kind],
    judge=judge,
    when_unknown=WhenUnknown.LATER,
    tags=("secrets", "rule 18"),
)
