"""What a stack file may hold, as JSON Schema for the editor: python -m model.schema writes it and the page of it.

Everything stands in place, without references, and a word that may be empty has two types instead of two schemas:
so an editor's complaint is about the key itself. The schema knows single fields; the rules between them are checked
by the model alone. It describes a file as a person writes it, not values that are JSON in quotation marks.
"""

import json
import sys
from pathlib import Path
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema

from model.places import PREFIX
from model.reference import page
from model.region import RegionSpec

ROOT = Path(__file__).resolve().parent.parent
DRAFT = "http://json-schema.org/draft-07/schema#"  # what the editors' YAML server knows
ANNOTATIONS = ("title", "description", "default")
ORDER = (*ANNOTATIONS, "type", "enum", "required", "anyOf", "properties", "patternProperties", "additionalProperties")

Schema = dict[str, Any]


class _Untitled(GenerateJsonSchema):
    """Pydantic's schema with only the titles that are given: a field's name in other letters says nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002  (pydantic's own signature)
        return False


def stack_schema() -> Schema:
    """The schema of a whole stack file."""
    region = region_schema()
    required = [f"{PREFIX}{key}" for key in region["required"] if key != "controlPlane"]
    plane, folder = f"{PREFIX}controlPlane", f"{PREFIX}claims"
    keys = {f"{PREFIX}{key}": value for key, value in region["properties"].items()}
    for key in (plane, *(key for key, value in keys.items() if value["type"] == "array")):
        keys[key] = {**keys[key], "type": [keys[key]["type"], "null"]}  # an empty key is none
    config = {
        "description": "The region: what it is, and the claims that it is made of.",
        "type": "object",
        "required": required,
        "anyOf": [{"required": [plane], "properties": {plane: {"type": "object"}}}, {"required": [folder]}],
        "properties": keys,
        "patternProperties": {f"^(?!{PREFIX})[^:]+:.+$": {"description": "Configuration of something else."}},
        "additionalProperties": False,
    }
    text = {"type": "string"}
    return {
        "$schema": DRAFT,
        "title": "CobaltCore region",
        "description": "A stack file: one region and everything in it.",
        "type": "object",
        "required": ["config"],
        "properties": {
            "config": config,
            "encryptionsalt": {"description": "Pulumi's own: salt of the stack's passphrase.", **text},
            "secretsprovider": {"description": "Pulumi's own: where the key of the stack's secrets is.", **text},
            "encryptedkey": {"description": "Pulumi's own: the encrypted key of the stack's secrets.", **text},
            "environment": {"description": "Pulumi ESC: environments to import.", "type": ["array", "object"]},
        },
        "additionalProperties": False,
    }


def region_schema() -> Schema:
    """The keys of a region, with the names that they have below the program's prefix."""
    made = RegionSpec.model_json_schema(schema_generator=_Untitled)
    return _plain(made, made["$defs"])


def _plain(schema: Schema, definitions: Schema) -> Schema:
    """The same schema without references and without nested alternatives, in a fixed order."""
    flat = {key: value for key, value in schema.items() if key not in ("$ref", "$defs", "anyOf", "allOf")}
    if "properties" in flat:
        flat.pop("title", None)  # the name of a class
        flat["properties"] = {key: _plain(value, definitions) for key, value in flat["properties"].items()}
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(flat.get(key), dict):
            flat[key] = _plain(flat[key], definitions)
    if reference := schema.get("$ref"):
        flat = {**_plain(definitions[reference.rsplit("/", 1)[1]], definitions), **flat}
    if options := schema.get("anyOf"):
        flat = {**_either([_plain(option, definitions) for option in options]), **flat}
    flat = _with_forms(flat, schema.get("allOf", []))
    if flat.get("default", ...) is None:
        del flat["default"]
    elif isinstance(flat.get("default"), dict):
        flat = _with_default(flat)
    return {key: flat[key] for key in sorted(flat, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER))}


def _either(options: list[Schema]) -> Schema:
    """Alternatives of different types as one schema: each keyword but enum applies to one type only."""
    merged: Schema = {}
    for option in options:
        merged |= {key: value for key, value in option.items() if key not in merged}
    merged["type"] = [option["type"] for option in options]
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    return merged


def _with_forms(flat: Schema, forms: list[Schema]) -> Schema:
    """A word's only form as a part of it; with several, each keeps its own message."""
    if not forms:
        return flat
    title = {} if "title" in flat else {"title": forms[0]["title"]}
    bare = [{key: value for key, value in form.items() if key != "title"} for form in forms]
    if len(bare) == 1 and "pattern" not in flat:
        return {**flat, **title, **bare[0]}
    return {**flat, **title, "allOf": bare}


def _with_default(flat: Schema) -> Schema:
    """A block's default only where it is not simply what its fields' defaults come to."""
    given = _filled(flat["default"])
    bare = {key: value for key, value in flat.items() if key != "default"}
    if "properties" in flat and flat["type"] == "object" and _ordinary(given, bare):
        return bare
    return {**flat, "default": given}


def _ordinary(given: object, block: Schema) -> bool:
    if "properties" not in block or "default" in block:
        return bool(given == block.get("default", ...))
    fields = cast("Schema", block["properties"])
    return all(_ordinary(value, fields[key]) for key, value in cast("Schema", given).items())


def _filled(value: object) -> object:
    """What is given in a default; of a block that says nothing the fields need not be told."""
    if not isinstance(value, dict):
        return value
    return {key: _filled(one) for key, one in cast("Schema", value).items() if one is not None}


def files() -> dict[Path, str]:
    """What is committed of this, each file with its text."""
    return {
        ROOT / "docs" / "stack.schema.json": json.dumps(stack_schema(), indent=2, ensure_ascii=False) + "\n",
        ROOT / "docs" / "configuration.md": page(region_schema()),
    }


def main() -> int:
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
