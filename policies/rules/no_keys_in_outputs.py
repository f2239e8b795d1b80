"""What a stack or a component tells is readable by everybody who reads the stack."""

from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Severity, Violation, WhenUnknown
from policies.scene import Scene
from policies.secrets import key_material, secrets_by_name


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    named = {path for path, _ in secrets_by_name(one.outputs.tree)}
    for path, value in one.outputs.leaves:
        kind = key_material(value) or ("what is called a secret" if path in named else None)
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
