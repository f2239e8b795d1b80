"""What nobody can look into, nobody can judge."""

import re
from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Severity, Violation
from policies.scene import Scene

REFUSED = {
    re.compile(r"kubernetes:(yaml|yaml/v2):Config(Group|File)"): "write its objects as resources",
    re.compile(r"kubernetes:kustomize(/v2)?:Directory"): "write its objects as resources, or let Flux deliver them",
    re.compile(r"kubernetes:helm\.sh/v3:.*"): "let Flux deliver the chart",
    re.compile(r"(command|docker|terraform):.*"): "write what it makes as resources",
    re.compile(r"pulumi-(python|nodejs):dynamic.*"): "write what it makes as resources",
}
WAITS = re.compile(r"kubernetes:helm\.sh/v4:Chart")


def subjects(scene: Scene) -> Iterator[tuple[Object, str | None]]:
    parents = {one.parent for one in scene.objects}
    for one in scene.objects:
        if one.urn in parents:
            continue  # what it makes is there, and judged
        remedy = next((remedy for form, remedy in REFUSED.items() if form.fullmatch(one.type)), None)
        if remedy or WAITS.fullmatch(one.type):
            yield one, remedy


def judge(subject: tuple[Object, str | None], scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge)
    one, remedy = subject
    if remedy is None:
        yield Violation(
            object=one,
            says="what the chart makes is known only at the update, where each object is judged.",
            waits=True,
        )
        return
    yield Violation(object=one, says=f"what it makes cannot be seen before it is made, and so not be judged: {remedy}.")


POLICY = Policy(
    name="nothing-opaque",
    title="Nothing hides objects",
    description="No resource makes objects that a plan does not show: commands, dynamic providers, Helm releases, "
    "groups of YAML.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Write the objects as resources, or let Flux deliver the chart.",
    subjects=subjects,
    judge=judge,
    tags=("gate",),
)
