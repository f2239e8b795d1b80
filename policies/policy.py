"""What a policy is: words for people, and a judge that names each object that breaks it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from policies.objects import Node, NotKnownError, NotReadableError, Object
from policies.scene import Scene

Level = Literal["advisory", "mandatory", "disabled"]


class Severity(Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Scope(Enum):
    """`RESOURCE` is judged before each object is made, `STACK` when all objects are known."""

    RESOURCE = "resource"
    STACK = "stack"


class WhenUnknown(Enum):
    """What becomes of an object whose values only the update will know."""

    REFUSE = "refused, as nobody can judge them"
    WAIT = "said at the preview, and judged at the update"
    LATER = "looked at as soon as they are known, at the update"


@dataclass(frozen=True, kw_only=True)
class Violation:
    """`says` names the value and what would be right; the address of the object is set before it."""

    object: Object | None
    says: str
    waits: bool = False
    allowed: bool = False
    """Whether it is only said, as somebody has written down why it is so."""
    unread: str = ""
    """Path of a value that could not be read, which is said once and not by every policy that wants it."""


def at(node: Node, says: str, *, allowed: bool = False) -> Violation:
    """A violation at one place of an object: its path is set before the words."""
    return Violation(object=node.object, says=f"{node.path} {says}", allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class Policy:
    name: str
    title: str
    description: str
    severity: Severity
    level: Level
    remedy: str
    judge: Callable[[Any, Scene], Iterable[Violation]]
    """Says what is wrong with one subject."""
    subjects: Callable[[Scene], Iterable[Any]]
    """What is judged, one by one: a subject that cannot be read hides no other."""
    scope: Scope = Scope.STACK
    when_unknown: WhenUnknown = WhenUnknown.REFUSE
    tags: tuple[str, ...] = ()

    def violations(self, scene: Scene) -> Iterator[Violation]:
        try:
            subjects = list(self.subjects(scene))
        except (NotKnownError, NotReadableError) as error:
            yield self._unread(error)
            return
        for subject in subjects:
            try:
                yield from self.judge(subject, scene)
            except (NotKnownError, NotReadableError) as error:
                yield self._unread(error)

    def _unread(self, error: NotKnownError | NotReadableError) -> Violation:
        node, waits = error.node, False
        if isinstance(error, NotReadableError):
            says = f"is {node.value!r}, which is no {error.wanted}: nobody can judge it, so write a {error.wanted}."
        elif self.when_unknown is not WhenUnknown.REFUSE:
            says, waits = "is known only at the update, and is judged there.", True
        else:
            says = "is not known before the update, so nobody can judge it: write a value that the plan knows."
        return Violation(object=node.object, says=f"{node.path} {says}", waits=waits, unread=node.path)
