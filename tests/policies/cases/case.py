"""What breaks a policy, and what only just does not."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.policies.judging import Plan

Change = Callable[[Plan], object]


@dataclass(frozen=True, kw_only=True)
class Case:
    policy: str
    title: str
    change: Change
    says: tuple[str, ...]
    """Parts of the message: the object, the value, what to do. Nothing of a case that is fine."""
    stack: str = "eu-de-1"
    level: str = "mandatory"
    also: tuple[str, ...] = ()
    """Further policies that the same change breaks, as it cannot be made otherwise."""
    seen: bool = False
    """Whether the good region itself is the case, which the change only looks for."""

    def __str__(self) -> str:
        return f"{self.policy}: {self.title}"


CASES: list[Case] = []


def broken(
    policy: str, *says: str, stack: str = "eu-de-1", level: str = "mandatory", also: tuple[str, ...] = ()
) -> Callable[[Change], Change]:
    """The change breaks this policy and no other one, be it an advisory one."""

    def keep(change: Change) -> Change:
        CASES.append(
            Case(policy=policy, title=_title(change), change=change, says=says, stack=stack, level=level, also=also),
        )
        return change

    return keep


def fine(policy: str, stack: str = "eu-de-1", *, seen: bool = False) -> Callable[[Change], Change]:
    """The change is right at the border of what the policy allows."""

    def keep(change: Change) -> Change:
        CASES.append(Case(policy=policy, title=_title(change), change=change, says=(), stack=stack, seen=seen))
        return change

    return keep


def _title(change: Change) -> str:
    return change.__name__.strip("_").replace("_", " ")
