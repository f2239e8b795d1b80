"""A password in an object is readable by everybody who may read the object."""

import re
from collections.abc import Iterator
from typing import Any, cast

from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, WhenUnknown
from policies.scene import Scene
from policies.secrets import key_material, names_secret

EXTERNAL = "external-secrets.io"
# What stands in place of a value: a template, an expression, a path.
PLACEHOLDER = re.compile(r"\$\{.*\}|\{\{.*\}\}|\$\(.*\)|/.*|true|false", re.DOTALL)


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    for path, value in [*_fields(one.decoded.tree, ""), *_variables(one.decoded.tree, "")]:
        if one.group == EXTERNAL and path.endswith(".secretKey"):
            continue  # what a key of the Secret is to be called
        if isinstance(value, str) and value and not PLACEHOLDER.fullmatch(value) and not key_material(value):
            yield Violation(
                object=one, says=f"{path} is a secret in plain text: refer to a Secret that an ExternalSecret brings."
            )


def _fields(tree: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  (whatever a program writes)
    """Fields by their own names, so that a list of names below `secrets` is none."""
    if isinstance(tree, dict):
        for key, value in cast("dict[str, Any]", tree).items():
            below = f"{path}.{key}" if path else key
            if names_secret(key) and not isinstance(value, dict | list):
                yield below, value
            else:
                yield from _fields(value, below)
    elif isinstance(tree, list):
        for at, value in enumerate(cast("list[Any]", tree)):
            yield from _fields(value, f"{path}[{at}]")


def _variables(tree: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  (as above)
    """Variables of a container: their names are values."""
    if isinstance(tree, dict):
        found = cast("dict[str, Any]", tree)
        name = found.get("name")
        if isinstance(name, str) and names_secret(name) and "value" in found:
            yield f"{path}.value ({name})", found["value"]
        for key, value in found.items():
            yield from _variables(value, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for at, value in enumerate(cast("list[Any]", tree)):
            yield from _variables(value, f"{path}[{at}]")


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
