"""The part of KWOK's Stage that sandbox/stages uses: when an object looks like this, it becomes that after a while."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from sandbox.client import Manifest

FOLDER = Path(__file__).resolve().parent.parent / "stages"
_SELECT = re.compile(r'(?P<list>\.[\w.]+)\.\[\] \| select\( \.type == "(?P<type>\w+)" \) \| \.(?P<field>\w+)')
_TEMPLATE = re.compile(r"\{\{ (?P<what>[.\w]+) \}\}")


@dataclass(frozen=True, kw_only=True)
class Stage:
    name: str
    api_version: str
    kind: str
    expressions: tuple[Mapping[str, Any], ...]
    delay: float
    status: str | None
    add: tuple[str, ...]
    remove: tuple[str, ...]

    def matches(self, manifest: Manifest) -> bool:
        return all(_holds(expression, manifest) for expression in self.expressions)

    def finalizers(self, manifest: Manifest) -> list[str]:
        """Those that the object has afterwards."""
        there: list[str] = manifest["metadata"].get("finalizers", [])
        return [one for one in dict.fromkeys([*there, *self.add]) if one not in self.remove]

    def status_for(self, manifest: Manifest) -> Manifest | None:
        if self.status is None:
            return None
        return yaml.safe_load(_TEMPLATE.sub(lambda found: _rendered(found["what"], manifest), self.status))


@cache
def load() -> tuple[Stage, ...]:
    texts = [file.read_text() for file in sorted(FOLDER.glob("*.yaml"))]
    return tuple(_stage(raw) for text in texts for raw in yaml.load_all(text, yaml.CSafeLoader) if raw)


def stage_of(manifest: Manifest) -> Stage | None:
    """The first one that an object's state asks for."""
    kind = (manifest["apiVersion"], manifest["kind"])
    return next((one for one in load() if (one.api_version, one.kind) == kind and one.matches(manifest)), None)


def fields_of(manifest: Manifest) -> set[str]:
    """Those of the status that the Stages of an object's kind write."""
    kind = (manifest["apiVersion"], manifest["kind"])
    stages = [one for one in load() if (one.api_version, one.kind) == kind]
    return {field for one in stages for field in one.status_for(manifest) or {}}


def _stage(raw: Manifest) -> Stage:
    spec: Manifest = raw["spec"]
    following: Manifest = spec["next"]
    patches: list[Manifest] = following.get("patches", [])
    finalizers: dict[str, list[dict[str, str]]] = following.get("finalizers", {})
    return Stage(
        name=raw["metadata"]["name"],
        api_version=spec["resourceRef"]["apiGroup"],
        kind=spec["resourceRef"]["kind"],
        expressions=tuple(spec["selector"]["matchExpressions"]),
        delay=spec.get("delay", {}).get("durationMilliseconds", 0) / 1000,
        status=patches[0]["template"] if patches else None,
        add=tuple(one["value"] for one in finalizers.get("add", [])),
        remove=tuple(one["value"] for one in finalizers.get("remove", [])),
    )


def _holds(expression: Mapping[str, Any], manifest: Manifest) -> bool:
    value = find(expression["key"], manifest)
    match expression["operator"]:
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "In":
            return value in expression["values"]
        case "NotIn":
            return value not in expression["values"]
        case operator:
            raise ValueError(f"a stage uses the operator {operator}, which sandbox/operators/stages.py does not know")


def find(path: str, manifest: Manifest) -> object:
    """What a path such as .status.phase leads to, also into one condition of a list; None when there is nothing."""
    if found := _SELECT.fullmatch(path):
        conditions = find(found["list"], manifest)
        for condition in cast("list[Manifest]", conditions) if isinstance(conditions, list) else []:
            if condition.get("type") == found["type"]:
                return condition.get(found["field"])
        return None
    value: object = manifest
    for part in path.strip(".").split("."):
        value = cast("dict[str, object]", value).get(part) if isinstance(value, dict) else None
    return value


def _rendered(what: str, manifest: Manifest) -> str:
    if what == "Now":
        return f'"{now()}"'
    return str(find(what, manifest))


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
