"""Where each part of a configuration came from, so that a sentence can name file, line and key."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, Self, cast

from model.manifests import Manifest
from model.problems import Finding, Path, Problems, dotted
from model.source import Document, documents, read_text

PREFIX = "cobaltcore:"
WORDS = {"region", "environment", "claims", "chartMirror"}  # keys whose values are no JSON


@dataclass(frozen=True)
class StackFile:
    """The stack's own configuration; without a document its lines are not known."""

    name: str
    document: Document | None = None

    @classmethod
    def of(cls, stack: str, root: File) -> Self:
        """The stack's file in the project's folder, if it is there."""
        name = f"Pulumi.{stack}.yaml"
        if not (root / name).exists():
            return cls(name)
        found = documents(read_text(root / name, name), name)
        if len(found) > 1:
            raise Problems([f"{name} holds {len(found)} documents, of which Pulumi reads the first: use one."])
        return cls(name, found[0] if found else Document(name, None, None))

    @property
    def config(self) -> dict[str, str]:
        """The configuration in Pulumi's form: words as they are, all else as JSON."""
        config = _mapping(self.document.value if self.document else None).get("config")
        if not isinstance(config, dict):
            raise Problems([f"{self.name} has no configuration: begin it with config: and the keys {PREFIX}… below."])
        return {key: _pulumi(value) for key, value in cast("dict[str, Any]", config).items()}

    @property
    def secret(self) -> set[str]:
        """The keys of what stands encrypted in the file."""
        config = _mapping(_mapping(self.document.value if self.document else None).get("config"))
        return {key for key, value in config.items() if _is_encrypted(value)}

    def where(self, config: Mapping[str, object]) -> Self:
        """The same file if it is where a configuration came from, key by key; otherwise without its lines."""
        if self.document is None:
            return self
        own = decoded(self.config)
        return self if all(own.get(key) == value for key, value in config.items()) else type(self)(self.name)

    def at(self, path: Path) -> tuple[str, int | None, str]:
        inside: Path = ("config", f"{PREFIX}{path[0]}", *path[1:]) if path else ("config",)
        line = self.document.line(inside) if self.document else None
        return self.name, line, f"{PREFIX}{dotted(path)}"


def decoded(config: Mapping[str, str]) -> dict[str, object]:
    """The program's own keys of a configuration in Pulumi's form."""
    ours = {key.removeprefix(PREFIX): text for key, text in config.items() if key.startswith(PREFIX)}
    return {key: text if key in WORDS else _json(text) for key, text in ours.items()}


def _json(text: str) -> object:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _pulumi(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_encrypted(value: object) -> bool:
    """Whether Pulumi keeps the value, or a part of it, encrypted."""
    if isinstance(value, list):
        return any(map(_is_encrypted, cast("list[Any]", value)))
    below = _mapping(value)
    return (below.keys() == {"secure"} and isinstance(below["secure"], str)) or any(map(_is_encrypted, below.values()))


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


class Places:
    """The stack file, and for single entries the manifest that they came with."""

    def __init__(self, stack: StackFile) -> None:
        self._stack = stack
        self._manifests: dict[Path, Manifest] = {}

    def add(self, path: Path, manifest: Manifest) -> None:
        self._manifests[path] = manifest

    def sentence(self, finding: Finding) -> str:
        says = finding.says
        if finding.other is not None:
            file, line, key = self._at(finding.other)
            says = says.replace("{other}", f"{file}:{line}" if line else key, 1)
        return sentence(*self._at(finding.path), says)

    def _at(self, path: Path) -> tuple[str, int | None, str]:
        for end in (2, 1):  # an entry of a list, or the control plane
            if manifest := self._manifests.get(path[:end]):
                below = path[end:]
                document = manifest.document
                return document.file, document.line(manifest.place(below)), manifest.label(below)
        return self._stack.at(path)


def sentence(file: str, line: int | None, key: str, says: str) -> str:
    """One mistake, ending as a sentence does."""
    where = f"{file}:{line}" if line else file
    return f"{where}: {key} {says}" + ("" if says.endswith(("?", ".")) else ".")


def of_document(document: Document, finding: Finding) -> str:
    """A mistake in a file other than the stack's."""
    return sentence(document.file, document.line(finding.path), dotted(finding.path), finding.says)
