"""YAML as a person wrote it: the values, and the line of every key.

Scalars are read as YAML 1.2 has them, which is how Pulumi reads the stack file: `on` and `yes` are words, not truth.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from model.problems import Path, Problems, shown

MERGE = "tag:yaml.org,2002:merge"
DEEPEST = 40  # levels; a region has ten, and a file with more is no region
MOST_REPEATED = 100_000  # values that aliases may stand for; without a bound a small file could become a huge value
_REFUSED = re.compile("[^\\t\\n\\r\\x20-\\x7e\\x80-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


class _Loader(yaml.CSafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own attribute)


for _tag, _pattern, _first in [
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(0|[1-9][0-9]{0,18})", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+)([eE][-+]?[0-9]{1,3})?", list("-+.0123456789")),
    ("merge", r"<<", ["<"]),
]:
    _Loader.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]  (PyYAML's types have a hole here)
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), _first
    )


@dataclass(frozen=True)
class Document:
    """One YAML document of a file."""

    file: str
    root: Node | None
    value: Any

    def line(self, path: Path) -> int | None:
        """The line of the deepest key of the path that is there, or of the document's begin, counted from one."""
        return (_deepest(self.root, path) or self.root).start_mark.line + 1 if self.root else None


def documents(text: str, file: str) -> list[Document]:
    """Every document of a text; what makes it unreadable, or readable in two ways, is said in sentences."""
    if refused := _REFUSED.search(text):
        line = text.count("\n", 0, refused.start()) + 1
        raise Problems([f"{file}:{line} holds the character {refused[0]!r}, which YAML does not allow: remove it."])
    try:
        _not_too_deep(text, file)
        roots = list(yaml.compose_all(text, _Loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{file}:{mark.line + 1}" if mark else file
        raise Problems([f"{where} is not YAML here: {error.problem}; mend the line or the one before it."]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Problems([f"{file} cannot be read as YAML: {str(error).splitlines()[0]}; mend the file."]) from error
    builder = _Builder(file)
    found = [Document(file, root, builder.value(root)) for root in roots if root]
    if builder.problems:
        raise Problems(builder.problems)
    return found


def read_text(file: File, name: str) -> str:
    """The text of a file; what hinders reading is said in a sentence."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Problems([f"{name} is not text in UTF-8 (byte {error.start}): save it as UTF-8."]) from error
    except OSError as error:
        raise Problems([f"{name} cannot be read: {error.strerror}; look at its name and rights."]) from error


def _not_too_deep(text: str, file: str) -> None:
    """Composing nodes recurses in C, where too deep a text would end the process."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                where = f"{file}:{event.start_mark.line + 1}" if event.start_mark else file
                raise Problems([f"{where} is nested deeper than {DEEPEST} levels: write it out flat."])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Builder:
    """Values of nodes; an alias is the same object as its anchor."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[str] = []
        self._made: dict[int, Any] = {}
        self._open: list[Node] = []
        self._sizes: dict[int, int] = {}
        self._size = 0
        self._repeated = 0

    def value(self, node: Node) -> Any:  # noqa: ANN401  (whatever stands in the file)
        self._size += 1
        if isinstance(node, ScalarNode):
            return _scalar(node)
        if id(node) in self._made:
            self._repeat(node, self._sizes[id(node)])
            return self._made[id(node)]
        if node in self._open or len(self._open) > DEEPEST:
            self._say(node, f"is nested deeper than {DEEPEST} levels, or in itself: write it out flat")
            return None
        before = self._size
        self._open.append(node)
        self._made[id(node)] = self._mapping(node) if isinstance(node, MappingNode) else self._sequence(node)
        self._open.pop()
        self._sizes[id(node)] = self._size - before
        return self._made[id(node)]

    def _repeat(self, node: Node, size: int) -> None:
        enough = self._repeated > MOST_REPEATED
        self._size += size
        self._repeated += size
        if self._repeated > MOST_REPEATED and not enough:
            self._say(node, f"stands, with its aliases, for more than {MOST_REPEATED} values: write out what is meant")

    def _sequence(self, node: Node) -> list[Any]:
        return [self.value(item) for item in node.value]

    def _mapping(self, node: MappingNode) -> dict[str, Any]:
        made: dict[str, Any] = {}
        merges = False
        for key, value in _pairs(node):
            if key.tag == MERGE:
                merges = True
                continue
            name = key.value if isinstance(key, ScalarNode) else "?"
            if name in made:
                self._say(key, f"has the key {shown(name)} a second time: remove one of the two")
            made[name] = self.value(value)
        return {**self._merged(node), **made} if merges else made

    def _merged(self, node: MappingNode) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for key, value in _pairs(node):
            if key.tag == MERGE:
                parts = value.value if isinstance(value, SequenceNode) else [value]
                for part in reversed([self.value(one) for one in parts]):
                    if isinstance(part, dict):
                        merged |= cast("dict[str, Any]", part)
                    else:
                        self._say(key, "merges (<<) something other than keys and values: name an anchor of such")
        return merged

    def _say(self, node: Node, sentence: str) -> None:
        self.problems.append(f"{self.file}:{node.start_mark.line + 1} {sentence}.")


def _pairs(node: Node) -> Iterable[tuple[Node, Node]]:
    return node.value


def _scalar(node: ScalarNode) -> Any:  # noqa: ANN401  (whatever stands in the file)
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if kind == "null":
        return None
    if kind == "bool":
        return node.value.lower() == "true"
    if kind in ("int", "float"):
        with contextlib.suppress(ValueError):  # a tag may claim what the text is not
            return int(node.value) if kind == "int" else float(node.value)
    return node.value


def _deepest(node: Node, path: Path) -> Node | None:
    """The key, or the item of a list, that the path ends at; the nearest one above when the path leads nowhere."""
    place: Node | None = None
    for part in path:
        step = next(_steps(node, part), None)
        if step is None:
            return place
        place, node = step
    return place


def _steps(node: Node, part: int | str) -> Iterator[tuple[Node, Node]]:
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        yield node.value[part], node.value[part]
    if isinstance(node, MappingNode):
        yield from ((key, value) for key, value in _pairs(node) if key.value == str(part))
        for key, value in _pairs(node):
            if key.tag == MERGE:
                for one in value.value if isinstance(value, SequenceNode) else [value]:
                    yield from _steps(one, part)
