"""An exemption ends on its day, and says so; one that exempts nothing is in the way of the next reader."""

from collections.abc import Iterator

from policies.exemptions import Exemption
from policies.policy import Policy, Severity, Violation
from policies.scene import Scene


def judge(one: Exemption, scene: Scene) -> Iterator[Violation]:
    where = f"the exemption of {one.resource} from {one.policy}"
    if one.expired(scene.today):
        yield Violation(
            object=None,
            says=f"{where} ended on {one.expires}: mend what it allowed ({one.reason}), or have a new date agreed.",
        )
    if one.resource not in {found.address for found in scene.objects}:
        yield Violation(object=None, says=f"{where} names no object of this stack: correct the name, or remove it.")


POLICY = Policy(
    name="exemptions-are-current",
    title="Exemptions are current",
    description="Every exemption names an object that is there, and has not passed its day.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Mend what the exemption allowed and remove it, or agree on a new date and a reason for it.",
    subjects=lambda scene: scene.exemptions,
    judge=judge,
    tags=("gate",),
)
