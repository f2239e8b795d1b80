"""Who deletes a namespace deletes all that is in it, protected or not."""

from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Severity, Violation
from policies.rules.stateful_is_protected import stateful
from policies.scene import Scene


def subjects(scene: Scene) -> Iterator[tuple[Object, Object]]:
    """Each unprotected namespace with one of the things that hold data in it."""
    held = {(one.cluster, one.namespace): one for one in scene.objects if one.namespace and stateful(one)}
    for one in scene.of_kind("", "Namespace"):
        holds = held.get((one.cluster, one.name or ""))
        if holds is not None and not one.protect:
            yield one, holds


def judge(subject: tuple[Object, Object], scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge)
    one, holds = subject
    yield Violation(
        object=one,
        says=f"the Namespace is not protected, and with it would go the {holds.kind} {holds.name}: set the option "
        "protect (deletionProtection in the stack file).",
    )


POLICY = Policy(
    name="namespaces-are-protected",
    title="Namespaces with data are protected",
    description="A namespace that holds a Ceph cluster, a pool, a database, a queue or a control plane is protected "
    "from deletion as they are.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Leave deletionProtection at true, or set protect on the namespace; unprotect it in a change of its own.",
    subjects=subjects,
    judge=judge,
    tags=("data", "rule 20"),
)
