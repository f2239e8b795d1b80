"""The files of the catalogue, and what is wrong with one of them said in sentences."""

import difflib
from pathlib import Path
from typing import Any, TypeGuard

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from model import catalog_entry
from model.catalog_entry import Entry

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is ten times as fast, and not everywhere
_SOURCES = {"helm", "oci", "git"}
_KEYS = sorted(
    {
        field.alias or name
        for model in vars(catalog_entry).values()
        if isinstance(model, type) and issubclass(model, BaseModel)
        for name, field in model.model_fields.items()
    }
    - {"name"}
)


def read(folder: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a folder, and a sentence for each mistake in its files."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        return [], [f"{folder.name}: there is no file in it that ends in .yaml: this is not the catalogue's folder."]
    entries: list[Entry] = []
    problems = [
        f"{folder.name}/{file.name}: only files that end in .yaml are read: rename it to {file.stem}.yaml, or move it."
        for file in sorted(folder.iterdir())
        if file not in files
    ]
    for file in files:
        where = f"{folder.name}/{file.name}"
        try:
            entries.append(Entry.model_validate(_contents(file)))
        except yaml.YAMLError as error:
            problems.append(f"{where}: this is no YAML: {_one_line(error)}.")
        except ValidationError as error:
            problems += [f"{where}: {_sentence(detail)}" for detail in error.errors()]
        except RecursionError:
            problems.append(f"{where}: something in it contains itself by an anchor: write it out.")
        except ValueError as error:
            problems.append(f"{where}: {error}")
    return entries, problems


def _contents(file: Path) -> dict[str, Any]:
    loader: Any = _LOADER(file.read_text(encoding="utf-8"))
    node = loader.get_single_node()
    if not isinstance(node, yaml.MappingNode):
        raise ValueError("an entry is a list of keys and values, as in every other file of this folder.")  # noqa: TRY004
    _refuse_twice(node)
    found: dict[str, Any] = loader.construct_document(node)
    if "name" in found:
        raise ValueError("name is the file's name: remove the line, and rename the file to rename the system.")
    return {"name": file.stem, **found}


def _refuse_twice(node: yaml.Node) -> None:
    """YAML takes the second of two equal keys and says nothing."""
    seen: set[str] = set()
    pairs: list[tuple[Any, Any]] = node.value if isinstance(node, yaml.MappingNode) else []
    for key, _ in pairs:
        name = str(key.value)
        if name in seen:
            raise ValueError(f"{name} is there twice, again in line {key.start_mark.line + 1}: remove one.")
        seen.add(name)
    inner = node.value if isinstance(node, yaml.SequenceNode) else [value for _, value in pairs]
    for value in inner:
        _refuse_twice(value)


def _one_line(error: yaml.YAMLError) -> str:
    return " ".join(str(error).split())


def _sentence(detail: ErrorDetails) -> str:
    path = _path(detail["loc"])
    shown = f"{path} is {detail['input']!r}" if _plain(detail["input"]) else path
    match detail["type"]:
        case "missing":
            return f"{path} is missing; it has no default."
        case "extra_forbidden":
            return f"{path} is not a known key{_nearest(str(detail['loc'][-1]))}"
        case "union_tag_not_found" | "union_tag_invalid":
            return f"{path}.kind must be one of {', '.join(sorted(_SOURCES))}: say where the chart comes from."
        case "string_type" if _plain(detail["input"]):
            return f"{shown}, which YAML reads as a number or a truth value: put it in quotation marks."
        case "value_error":
            message = detail["msg"].removeprefix("Value error, ")
            return f"{shown}: {message}." if path else f"{message}."
        case _:
            return f"{shown}: {detail['msg'][0].lower()}{detail['msg'][1:]}."


def _path(location: tuple[int | str, ...]) -> str:
    # pydantic also names the kind of source that it took, and that a key is one; nobody wrote that
    taken = [location[1]] if location[:1] == ("source",) and location[1:2] and location[1] in _SOURCES else []
    parts = [part for part in location if part not in [*taken, "[key]"]]
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")


def _plain(value: object) -> TypeGuard[str | float | bool]:
    return isinstance(value, str | int | float | bool)


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key, _KEYS, n=1)
    return f"; did you mean {near[0]}?" if near else "."
