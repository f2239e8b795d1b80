"""What the engine sends of a resource, as plain Python: with what nobody knows yet, and without veils over secrets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from google.protobuf.struct_pb2 import Struct, Value

SIGNATURE = "4dabf18193072939515e22adb298388d"
VEILED = "1b47061264138c4ac30d75fd1eb44270"  # a value that the program has marked as secret
_UNKNOWN = {
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # a boolean
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # a number
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",  # a text
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # a list
    "030794c1-ac77-496b-92df-f27374a8bd58",  # an asset
    "e48ece36-62e2-4504-bad9-02848725956a",  # an archive
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # an object
}


@dataclass(frozen=True)
class Unknown:
    """A value that the update will know and the plan does not."""


UNKNOWN = Unknown()
Tree = dict[str, Any]


@dataclass(frozen=True)
class Decoded:
    """The properties of one resource."""

    tree: Tree = field(default_factory=dict[str, Any])
    secret: frozenset[str] = frozenset()
    """Paths that the program has marked as secret, which Pulumi encrypts in its state."""

    @cached_property
    def leaves(self) -> list[tuple[str, Any]]:
        """Every value with its path: several policies look at all of them."""
        return list(walk(self.tree))

    @cached_property
    def mappings(self) -> list[tuple[str, Tree]]:
        """As above."""
        return list(mappings(self.tree))


def decode(properties: Struct) -> Decoded:
    secret: set[str] = set()
    tree = {key: _value(value, key, secret) for key, value in properties.fields.items()}
    return Decoded(tree, frozenset(secret))


def _value(value: Value, path: str, secret: set[str]) -> Any:  # noqa: ANN401  (whatever a program writes)
    match value.WhichOneof("kind"):
        case "struct_value":
            fields = value.struct_value.fields
            if SIGNATURE not in fields or fields[SIGNATURE].string_value != VEILED:
                return {key: _value(one, f"{path}.{key}", secret) for key, one in fields.items()}
            secret.add(path)
            return _value(fields["value"], path, secret)
        case "list_value":
            return [_value(one, f"{path}[{at}]", secret) for at, one in enumerate(value.list_value.values)]
        case "string_value":
            return UNKNOWN if value.string_value in _UNKNOWN else value.string_value
        case "number_value":
            return int(value.number_value) if value.number_value.is_integer() else value.number_value
        case kind:
            return value.bool_value if kind == "bool_value" else None


def walk(tree: Any, path: str = "") -> Any:  # noqa: ANN401
    """Every value that is no mapping and no list, with the path to it."""
    if isinstance(tree, Mapping):
        for key, below in cast("Mapping[str, Any]", tree).items():
            yield from walk(below, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for at, below in enumerate(cast("list[Any]", tree)):
            yield from walk(below, f"{path}[{at}]")
    else:
        yield path, tree


def mappings(tree: Any, path: str = "") -> Iterator[tuple[str, Tree]]:  # noqa: ANN401
    """Every mapping with its path, the outermost first."""
    if isinstance(tree, dict):
        found = cast("Tree", tree)
        yield path, found
        for key, below in found.items():
            if isinstance(below, dict | list):
                yield from mappings(below, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for at, below in enumerate(cast("list[Any]", tree)):
            if isinstance(below, dict | list):
                yield from mappings(below, f"{path}[{at}]")
