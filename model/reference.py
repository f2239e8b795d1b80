"""The page for a person who writes a stack file: reference.md, with tables made from the schema and the sizes."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from model.places import PREFIX
from model.sizing import table
from model.words import Size

TEMPLATE = Path(__file__).with_name("reference.md")
IDENTITY = ("region", "name")
MOST_INLINE = 3  # fields of a block within a block that need no table of their own

NESTED = ("items", "additionalProperties", "propertyNames")
SUCH_AS = " such as "

Schema = dict[str, Any]
Row = tuple[str, str, str, str]
HEAD: Row = ("Key", "Type", "Default", "Meaning")


def page(region: Schema) -> str:
    """The whole page, of the schema of a region's keys."""
    keys: Schema = region["properties"]
    sections = _Sections()
    for key, value in keys.items():
        sections.add(key, value)
    top = [
        (f"`{PREFIX}{key}`", _type(value), _key_default(key, region), _key_meaning(key, value))
        for key, value in keys.items()
    ]
    parts = {
        "keys": _table(HEAD, top),
        "sections": "\n\n".join(sections.made),
        "words": _words(region),
        "sizes": _sizes(),
    }
    text = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], TEMPLATE.read_text(encoding="utf-8"))
    return f"<!-- Made from model/ by: make reference. Edit model/reference.md or the models instead. -->\n\n{text}"


def _key_default(key: str, region: Schema) -> str:
    if key == "controlPlane":
        return "**required**, here or in `claims`"
    return _default(key, region)


def _key_meaning(key: str, value: Schema) -> str:
    return f"{_meaning(value)} [Its keys](#{_anchor(PREFIX + key)})." if _inner(value) else _meaning(value)


class _Sections:
    """A section for each claim and below it one for each block that may be left out; equal blocks are told once."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._told: dict[str, str] = {}

    def add(self, key: str, value: Schema) -> None:
        if inner := _inner(value):
            about = _meaning(inner) if "items" in value else _meaning(value)
            self._section(key, "", inner, about)

    def _section(self, claim: str, path: str, block: Schema, about: str) -> None:
        heading = f"### {claim}.{path}" if path else f"## {PREFIX}{claim}"
        below: list[tuple[str, Schema, str]] = []
        rows = list(self._rows(claim, path, block, below))
        self.made.append(f"{heading}\n\n{about}\n\n{_table(HEAD, rows)}")
        for each in below:
            self._section(claim, *each)

    def _rows(self, claim: str, path: str, block: Schema, below: list[tuple[str, Schema, str]]) -> Iterator[Row]:
        for key, value in _fields(block).items():
            here = f"{path}.{key}" if path else key
            row = (f"`{here}`", _type(value), _default(key, block), _meaning(value))
            inner = _inner(value)
            known = self._told.get(_same(inner)) if inner else None
            if inner is None:
                yield row
            elif known is not None:
                yield (*row[:3], f"{row[3]} As {known}.")
            elif _stays(key, path, block, inner):
                self._tell(inner, f"`{here}`")
                yield row
                yield from self._rows(claim, f"{here}.<name>" if inner is not value else here, inner, below)
            else:
                link = f"[{claim}.{here}](#{_anchor(f'{claim}.{here}')})"
                self._tell(inner, link)
                below.append((here, inner, _meaning(value)))
                yield (*row[:3], f"{row[3]} Keys: {link}.")

    def _tell(self, inner: Schema, where: str) -> None:
        if len(inner["properties"]) > 1:
            self._told[_same(inner)] = where


def _stays(key: str, path: str, block: Schema, inner: Schema) -> bool:
    """Whether a block's keys stand in the table of the block around it: if it is required, or small as its siblings."""
    siblings = [_inner(value) or {} for value in _blocks(block)]
    small = all(len(one["properties"]) <= MOST_INLINE and not _blocks(one) for one in siblings)
    only_blocks = len(_blocks(inner)) == len(inner["properties"])
    return key in block.get("required", []) or (bool(path) and (small or only_blocks))


def _blocks(block: Schema) -> list[Schema]:
    return [value for value in _fields(block).values() if _inner(value)]


def _same(block: Schema) -> str:
    return json.dumps(block["properties"], sort_keys=True)


def _fields(block: Schema) -> Schema:
    """The fields of a block, those that say which one it is before the others."""
    fields = cast("Schema", block["properties"])
    first = [key for key in IDENTITY if key in fields]
    return {key: fields[key] for key in (*first, *(key for key in fields if key not in IDENTITY))}


def _inner(value: Schema) -> Schema | None:
    """The block that a value is, or that each of its entries is."""
    for below in (value, value.get("items"), value.get("additionalProperties")):
        if isinstance(below, dict) and "properties" in below:
            return cast("Schema", below)
    return None


def _meaning(value: Schema) -> str:
    return value.get("description", "")  # a test asks for the docstring that is missing


def _type(value: Schema) -> str:
    """A type in plain words."""
    kinds: list[str] = [value["type"]] if isinstance(value["type"], str) else value["type"]
    return " or ".join(_kind(kind, value) for kind in reversed(kinds) if kind != "null")


def _kind(kind: str, value: Schema) -> str:
    if kind == "array":
        return f"list{_count(value)}, each {_article(_type(value['items']))}"
    if "enum" in value:
        return f"one of {', '.join(f'`{one}`' for one in value['enum'] if one is not None)}"
    if kind == "integer":
        return f"whole number {value['minimum']} to {value['maximum']}"
    if isinstance(below := value.get("additionalProperties"), dict):
        if "propertyNames" not in value:
            return "block of any keys"
        return f"{value['propertyNames']['title']}s, each with {_article(_type(cast('Schema', below)))}"
    word, such, example = str(value.get("title", "text")).partition(SUCH_AS)
    return {"object": "block", "boolean": "`true` or `false`"}.get(kind, f"{word}{such}`{example}`" if such else word)


def _count(value: Schema) -> str:
    least, most = value.get("minItems"), value.get("maxItems")
    return f" of at least {least}" if least else f" of at most {most}" if most else ""


def _article(phrase: str) -> str:
    return phrase if phrase.startswith(("one of", "`")) else f"an {phrase}" if phrase[0] in "aeiou" else f"a {phrase}"


def _default(key: str, block: Schema) -> str:
    if key in block.get("required", []):
        return "**required**"
    field = block["properties"][key]
    value = field.get("default")
    if value is None or value in ([], {}):
        return "per key" if "properties" in field and field["type"] == "object" else "—"
    return f"`{_yaml(value)}`"


def _yaml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {_yaml(one)}" for key, one in cast("Schema", value).items()) + "}"
        case list():
            return "[" + ", ".join(_yaml(one) for one in cast("list[object]", value)) + "]"
        case bool():
            return str(value).lower()
        case str() if not value[:1].isalpha() and not value[-1:].isalpha():
            return f'"{value}"'
        case _:
            return str(value)


def _words(region: Schema) -> str:
    """The words of the types, each with what its forms ask for."""
    found: dict[str, str] = {}
    for place in _places(region):
        forms = [
            form["patternErrorMessage"] for form in (place, *place.get("allOf", ())) if "patternErrorMessage" in form
        ]
        if forms and "properties" not in place:
            found[place["title"].partition(SUCH_AS)[0]] = "; ".join(form.removeprefix("use ") for form in forms)
    return _table(("Word", "What it is"), sorted(found.items()))


def _places(schema: Schema) -> Iterator[Schema]:
    yield schema
    for below in (*schema.get("properties", {}).values(), *(schema.get(key) for key in NESTED)):
        if isinstance(below, dict):
            yield from _places(cast("Schema", below))


def _sizes() -> str:
    """The table of sizes, one row an entry."""
    sizes: tuple[Size, ...] = get_args(Size)
    dumped = {size: table()[size].model_dump(by_alias=True, exclude_none=True) for size in sizes}
    rows = [
        (f"`{component}.{key}`", *(_yaml(dumped[size][component][key]) for size in sizes))
        for component, entries in dumped[sizes[0]].items()
        for key in entries
    ]
    return _table(("Entry", *sizes), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")
