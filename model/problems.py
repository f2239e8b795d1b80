"""What is wrong with a region's description: every mistake at once, each one sentence."""

import difflib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Path = tuple[int | str, ...]

LONGEST = 60  # characters of a value that are worth repeating
MANY = 40  # names that nobody would read


class Problems(Exception):  # noqa: N818  (the sentences are the message; the name says what they are)
    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


@dataclass(frozen=True)
class Finding:
    """A mistake at one place. What it `says` follows the place's key and ends with what would be right."""

    path: Path
    says: str
    reads: tuple[Path, ...] = ()
    """Other places that it was concluded from; if one of those is wrong itself, this is no finding."""
    other: Path | None = None
    """A place that `says` names as {other}."""
    meant: Path | None = None
    """The place that a misspelt key was probably meant for."""


class InnerError(ValueError):
    """What a validator finds at places inside its value, which pydantic takes for one place."""

    def __init__(self, found: Sequence[Finding]) -> None:
        super().__init__("; ".join(f"{'.'.join(map(str, one.path))} {one.says}" for one in found))
        self.found = found


def findings(error: ValidationError, prefix: Path, model: type[BaseModel]) -> list[Finding]:
    """A claim's mistakes in its single fields."""
    details = error.errors(include_url=False)
    lists = {detail["loc"][:-1] for detail in details if detail["loc"] and isinstance(detail["loc"][-1], int)}
    found: list[Finding] = []
    for detail in details:
        path = (*prefix, *(part for part in detail["loc"] if part != "[key]"))
        match detail["type"]:
            case "default_factory_not_called":
                continue  # a consequence of another one
            case "too_short" if detail["loc"] in lists:
                continue  # it has items, and they are wrong
            case "extra_forbidden":
                known = keys_at(model, detail["loc"][:-1])
                near = likely(str(path[-1]), known)
                meant = (*path[:-1], near) if near else None
                found.append(Finding(path, f"is not a known key: {nearest(str(path[-1]), known)}", meant=meant))
            case _:
                found += _found(detail, path)
    return found


def _found(detail: ErrorDetails, path: Path) -> list[Finding]:
    inner = detail.get("ctx", {}).get("error")
    if isinstance(inner, InnerError):
        return [replace(one, path=(*path, *one.path)) for one in inner.found]
    return [Finding(path, _says(detail))]


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def dotted(path: Path) -> str:
    """A place as a person writes it, in one line whatever its keys are."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{one_line(part)}" for part in path).lstrip(".")


def one_line(word: str) -> str:
    """A word from a file inside a sentence: as it is if that is short and plain, otherwise in quotation marks."""
    return word if word and word.isprintable() and len(word) <= LONGEST else shown(word)


def nearest(word: str, known: Collection[str]) -> str:
    """What a person may have meant, as the end of a sentence."""
    if near := likely(word, known):
        return f"did you mean {near}?"
    if len(known) > MANY:
        return f"there are {len(known)} to choose from, and none is like it"
    return f"use one of {', '.join(sorted(known))}" if known else "there is none to name"


def likely(word: str, known: Collection[str], least: float = 0.6) -> str | None:
    """The known word that is much like another one: at least so much of it."""
    return next(iter(difflib.get_close_matches(word[:LONGEST], known, n=1, cutoff=least)), None)


def _says(detail: ErrorDetails) -> str:
    value, context = detail["input"], detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return "is missing: add it, as it has no default"
        case "value_error" if isinstance(value, dict):
            return _said(detail)  # a rule between its fields, which says it all
        case _:
            return f"is {told(value)}: {_remedy(detail, context)}"


def told(value: object) -> str:
    """A value in a sentence, in few words."""
    match value:
        case None:
            return "empty"
        case dict():
            return "a mapping"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"  # pyright: ignore[reportUnknownArgumentType]
        case bool():
            return str(value).lower()
        case _:
            return shown(value)


# What would be right, by the kind of pydantic's error; the words in braces are the error's own.
REMEDIES = {
    "int_type": "use a whole number",
    "int_parsing": "use a whole number",
    "int_from_float": "use a whole number",
    "bool_type": "use true or false",
    "string_type": "use a text, in quotation marks if it looks like a number or like true",
    "greater_than_equal": "use {ge} or more",
    "less_than_equal": "use {le} or less",
    "literal_error": "use {expected}",
    "string_too_short": "give it a value, or leave the key out",
    "string_too_long": "use at most {max_length} characters",
    "too_short": "name at least one",
    "too_long": "name at most {max_length}",
    "tuple_type": "use a list",
    "model_type": "use keys with values below it",
    "dict_type": "use keys with values below it",
}


def _remedy(detail: ErrorDetails, context: dict[str, Any]) -> str:
    if detail["type"] in REMEDIES:
        return REMEDIES[detail["type"]].format(**context)
    said = _said(detail)
    return said[0].lower() + said[1:]


def _said(detail: ErrorDetails) -> str:
    return detail["msg"].removeprefix("Value error, ")


def keys_at(model: type[BaseModel], path: Path) -> list[str]:
    """The keys that a model knows at a place, as a person writes them."""
    schema = _schema(model)
    places = [schema]
    for part in path:
        places = [below for place in places for below in _below(schema, place, part)]
    return sorted({key for place in places for key in place.get("properties", {})})


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema(by_alias=True)


def _below(schema: dict[str, Any], place: dict[str, Any], part: int | str) -> Iterator[dict[str, Any]]:
    options = [place.get("items", {})] if isinstance(part, int) else [place.get("properties", {}).get(part)]
    if isinstance(part, str) and isinstance(other := place.get("additionalProperties"), dict):
        options.append(other)
    while options:
        option = options.pop()
        if option:
            options += option.get("anyOf", [])
            if "$ref" in option:
                options.append(schema["$defs"][option["$ref"].rsplit("/", 1)[1]])
            yield option
