"""A password in an object is readable by everybody who may read the object."""

import re
from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, WhenUnknown
from policies.scene import Scene
from policies.secrets import key_material, names_secret, secrets_by_name

EXTERNAL = "external-secrets.io"
# What stands in place of a value: a template, an expression, the path of a file.
PLACEHOLDER = re.compile(r"\$\{.*\}|\{\{.*\}\}|\$\(.*\)|(/[A-Za-z0-9._-]+){2,}/?|true|false", re.DOTALL)


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    for path, value in [*secrets_by_name(one.decoded.tree), *_variables(one)]:
        if one.group == EXTERNAL and path.endswith(".secretKey"):
            continue  # what a key of the Secret is to be called
        if not PLACEHOLDER.fullmatch(value) and not key_material(value):
            yield Violation(
                object=one, says=f"{path} is a secret in plain text: refer to a Secret that an ExternalSecret brings."
            )


def _variables(one: Object) -> Iterator[tuple[str, str]]:
    """Variables of a container: their names are values."""
    for path, found in one.decoded.mappings:
        name, value = found.get("name"), found.get("value")
        if isinstance(name, str) and isinstance(value, str) and value and names_secret(name):
            yield f"{path}.value ({name})", value


POLICY = Policy(
    name="no-plain-passwords",
    title="No passwords in plain text",
    description="No field or variable that is called a password, secret or token has its value in the object.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Name a Secret (secretKeyRef, valuesFrom) in place of the value, and let an ExternalSecret bring it.",
    subjects=lambda scene: [one for one in scene.objects if one.kind and not one.is_a("", "Secret")],
    judge=judge,
    scope=Scope.RESOURCE,
    when_unknown=WhenUnknown.LATER,
    tags=("secrets",),
)
