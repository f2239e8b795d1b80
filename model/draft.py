"""Claims as they come in, each read by itself: what is wrong with one hides nothing of the others.

A claim with a wrong field is read again without that field, so that the rules between fields and between claims are
heard at the same time. What a rule then concludes from a field that was left out is dropped.
"""

from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from model.problems import Finding, Path, findings

Model = TypeVar("Model", bound=BaseModel)


class Draft:
    """Findings so far, and the places that are wrong in themselves."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._wrong: set[Path] = set()
        self._above_wrong: set[Path] = set()

    def say(self, finding: Finding) -> None:
        """A mistake of a place as a whole: what stands in it says nothing any more."""
        self.findings.append(finding)
        self._mark(finding.path)
        if finding.meant:
            self._mark(finding.meant)

    def read(self, model: type[Model], given: object, path: Path) -> Model | None:
        """The claim, without its wrong fields; nothing if too little is left of it."""
        try:
            return model.model_validate(given)
        except ValidationError as error:
            found = findings(error, path, model)
        for one in found:
            if one.meant and not _has(given, one.meant[len(path) :]):
                self._mark(one.meant)
        self.findings += [one for one in found if not self.is_wrong(one.path)]
        for one in found:
            in_list = len(one.path) > len(path) and isinstance(one.path[-1], int)
            self._mark(one.path[:-1] if in_list else one.path)  # without it the list's others are not where they were
        return _healed(model, given, [one.path[len(path) :] for one in found])

    def add(self, more: list[Finding]) -> None:
        """What the rules say, except where they read what is wrong itself, or by a rule before them."""
        wrong_here = Draft()
        for one in more:
            if not any(self.is_wrong(path) for path in (one.path, *one.reads)) and not any(
                map(wrong_here.is_wrong, one.reads)
            ):
                self.findings.append(one)
                wrong_here.say(one)

    def is_wrong(self, path: Path) -> bool:
        """Whether the place, one above it or one below it is wrong in itself."""
        return path in self._above_wrong or any(path[:end] in self._wrong for end in range(1, len(path) + 1))

    def _mark(self, path: Path) -> None:
        self._wrong.add(path)
        self._above_wrong.update(path[:end] for end in range(1, len(path)))


def _healed(model: type[Model], given: object, wrong: list[Path]) -> Model | None:
    for path in reversed(wrong):  # from the end, so that the places in a list stay what they were
        given = _without(given, path)
    try:
        return model.model_validate(given)
    except ValidationError:
        return None


def _has(given: Any, path: Path) -> bool:  # noqa: ANN401  (whatever stands in the file)
    for part in path:
        if not isinstance(given, dict) or part not in given:
            return False
        given = cast("dict[Any, Any]", given)[part]
    return True


def _without(given: Any, path: Path) -> Any:  # noqa: ANN401  (whatever stands in the file)
    if not path:
        return None
    first, rest = path[0], path[1:]
    match given:
        case dict() if first in given:
            below = cast("dict[Any, Any]", given)
            if rest:
                return {**below, first: _without(below[first], rest)}
            return {key: value for key, value in below.items() if key != first}
        case list() if isinstance(first, int) and rest:
            items = cast("list[Any]", given)
            return [*items[:first], _without(items[first], rest), *items[first + 1 :]]
        case list() if isinstance(first, int):
            items = cast("list[Any]", given)
            return [*items[:first], *items[first + 1 :]]
        case _:
            return cast("object", given)
