"""What is planted into good regions: for each policy what breaks it, and what only just does not."""

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

    def __str__(self) -> str:
        return f"{self.policy}: {self.title}"


CASES: list[Case] = []


def broken(policy: str, *says: str, stack: str = "eu-de-1", level: str = "mandatory") -> Callable[[Change], Change]:
    """The change breaks this policy and no other mandatory one."""

    def keep(change: Change) -> Change:
        CASES.append(
            Case(policy=policy, title=_title(change), change=change, says=says, stack=stack, level=level),
        )
        return change

    return keep


def fine(policy: str, stack: str = "eu-de-1") -> Callable[[Change], Change]:
    """The change is right at the border of what the policy allows."""
    return broken(policy, stack=stack)


def _title(change: Change) -> str:
    return change.__name__.strip("_").replace("_", " ")
