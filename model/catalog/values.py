"""Values of charts: what nobody can rely on is refused, and two of them are merged as Helm does it."""

import copy
import math
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, JsonValue

from model.problems import Finding, InnerError, Path

Values = dict[str, JsonValue]


def _named_images(values: Values) -> Values:
    found = [Finding(path, says) for path, leaf in _leaves(values, ()) if (says := _unfit(path, leaf))]
    if found:
        raise InnerError(found)
    return values


def _unfit(path: Path, leaf: JsonValue) -> str | None:
    """Why nobody can rely on a value."""
    tag = str(path[-1]).lower().endswith("tag")
    if isinstance(leaf, str) and (leaf.endswith(":latest") or (tag and leaf == "latest")):
        return f"is {leaf!r}, which is another image every day: name a version or a digest"
    if tag and leaf is not None and not isinstance(leaf, str):
        return f"is the number {leaf} to YAML, which drops its zeros: put it in quotation marks"
    if isinstance(leaf, float) and not math.isfinite(leaf):
        return "is a number that JSON does not have: put it in quotation marks"
    return None


def _leaves(value: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(inner, (*path, at))
    else:
        yield path, value


Checked = Annotated[Values, AfterValidator(_named_images)]


def merged(base: Values, over: Values) -> Values:
    """Both together, as Helm does it: objects are merged, everything else is replaced. Nothing is shared with them."""
    result = copy.deepcopy(base)
    for key, value in over.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = merged(old, value)
        else:
            result[key] = copy.deepcopy(value)
    return result
