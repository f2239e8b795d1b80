"""What is wrong with a region's description: every mistake at once, each one sentence."""

import difflib
from collections.abc import Sequence

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails


class Problems(Exception):  # noqa: N818  (the sentences are the message; the name says what they are)
    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


def sentences(error: ValidationError, source: str, model: type[BaseModel]) -> list[str]:
    return [_sentence(detail, source, model) for detail in error.errors()]


def _sentence(detail: ErrorDetails, source: str, model: type[BaseModel]) -> str:
    where = f"{source}: cobaltcore:{_path(detail['loc'])}"
    match detail["type"]:
        case "missing":
            return f"{where} is missing; it has no default."
        case "extra_forbidden":
            return f"{where} is not a known key{_nearest(str(detail['loc'][-1]), model)}"
        case "value_error":
            return f"{where}{_shown(detail['input'])}: {detail['msg'].removeprefix('Value error, ')}."
        case _:
            return f"{where}{_shown(detail['input'])}: {detail['msg'][0].lower()}{detail['msg'][1:]}."


def _path(location: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")


def _shown(value: object) -> str:
    """A value worth repeating; a whole object is not."""
    return f" is {value!r}" if isinstance(value, str | int | float | bool) else ""


def _nearest(key: str, model: type[BaseModel]) -> str:
    near = difflib.get_close_matches(key, sorted(_keys(model)), n=1)
    return f"; did you mean {near[0]}?" if near else "."


def _keys(model: type[BaseModel]) -> set[str]:
    """Every key of a model and of the models below it, as a person writes them."""
    schema = model.model_json_schema(by_alias=True)
    parts = [schema, *schema.get("$defs", {}).values()]
    return {key for part in parts for key in part.get("properties", {})}
