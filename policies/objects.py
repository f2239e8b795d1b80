"""A resource as an object of a cluster, however the program wrote it: typed, as a CustomResource, or as plain data."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from policies.values import Decoded, Tree, Unknown, mappings

KUBERNETES = "kubernetes:"
BUNDLES = {"yaml", "kustomize", "helm.sh"}  # what makes objects, and is none
PROVIDER = "pulumi:providers:kubernetes"
_TOKEN = re.compile(r"kubernetes:(?P<api>[^:]+):(?P<kind>[A-Za-z0-9]+)")
_NUMBER = re.compile(r"[0-9]+")
_QUANTITY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>[kMGTPE]|[KMGTPE]i)?")
_UNITS = {"": 1, "k": 10**3} | {
    f"{letter}{binary}": (1024 if binary else 1000) ** power
    for power, letter in enumerate("KMGTPE", 1)
    for binary in ("", "i")
}


class NotKnownError(Exception):
    """A rule needs a value that only the update will know."""

    def __init__(self, node: "Node") -> None:
        super().__init__(f"{node.path} is not known before the update")
        self.node = node


class NotReadableError(Exception):
    """A rule needs a value of another kind than the one that is there."""

    def __init__(self, node: "Node", wanted: str) -> None:
        super().__init__(f"{node.path} is {node.value!r}, which is no {wanted}")
        self.node, self.wanted = node, wanted


@dataclass(frozen=True, eq=False)
class Node:
    """A part of an object, which knows where it stands."""

    object: "Object"
    path: str
    value: Any

    def at(self, *path: str) -> "Node":
        """What stands below a path; a part that is missing is None, one that is not known is an error."""
        node = self
        for key in path:
            value = node.known()
            inner = cast("Mapping[str, Any]", value).get(key) if isinstance(value, Mapping) else None
            node = Node(self.object, f"{node.path}.{key}" if node.path else key, inner)
        return node

    def known(self) -> Any:  # noqa: ANN401  (whatever the program wrote)
        if isinstance(self.value, Unknown):
            raise NotKnownError(self)
        return self.value

    def items(self) -> Iterator["Node"]:
        """The members of a list, or the values of a mapping; nothing of anything else."""
        value = self.known()
        if isinstance(value, Mapping):
            for key in cast("Mapping[str, Any]", value):
                yield self.at(key)
        elif isinstance(value, list):
            for at, one in enumerate(cast("list[Any]", value)):
                yield Node(self.object, f"{self.path}[{at}]", one)

    def text(self) -> str | None:
        """Labels and names are texts; a program may have written a number or a flag instead."""
        value = self.known()
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int | float):
            return str(value)
        raise NotReadableError(self, "text")

    def texts(self) -> list[str]:
        return [text for one in self.items() if (text := one.text()) is not None]

    def number(self) -> int | None:
        value = self.known()
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool):
            if value < 0:  # it would make up for what others have too much of
                raise NotReadableError(self, "whole number of 0 or more")
            return value
        if isinstance(value, str) and _NUMBER.fullmatch(value):
            return int(value)
        raise NotReadableError(self, "whole number")

    def bytes(self) -> int | None:
        """A quantity of Kubernetes, such as 10Gi."""
        value = self.known()
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        found = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise NotReadableError(self, "capacity such as 10Gi")
        return int(float(found["number"]) * _UNITS[found["unit"] or ""])

    def flag(self) -> bool:
        """True and "true"; whatever else a program writes is not."""
        return self.known() is True or self.value == "true"

    def mappings(self) -> Iterator[tuple[str, Tree]]:
        """Every mapping below, with its path from here; what is not known is in none."""
        return mappings(self.known())

    def mapping(self) -> dict[str, str]:
        return {node.path.removeprefix(f"{self.path}."): node.text() or "" for node in self.items()}


@dataclass(frozen=True, eq=False, kw_only=True)
class Place:
    """The cluster of an object, as its provider tells it."""

    type: str = ""
    """Type of the provider resource; none for a component, which has no provider."""
    provider: str = ""
    """Name of the provider resource; none for what is no object of a cluster."""
    identifier: str | Unknown | None = None
    namespace: str | Unknown | None = None
    """Where an object goes that names no namespace itself."""
    default: bool = False
    """Whether it is the provider that Pulumi makes by itself, from whatever kubeconfig the machine has."""


@dataclass(eq=False, kw_only=True)
class Object:
    urn: str
    type: str
    resource: str
    """Its name in the program."""
    group: str
    kind: str
    name: str | None
    namespace: str | None
    place: Place
    protect: bool
    parent: str
    decoded: Decoded = field(repr=False)
    outputs: Decoded = field(default_factory=Decoded, repr=False)
    """What the engine has of it at the end; nothing in a preview without its cluster."""
    cluster: str = ""
    """Name of its cluster, as pools are called; set when the whole stack is seen."""

    @property
    def root(self) -> Node:
        return Node(self, "", self.decoded.tree)

    def at(self, *path: str) -> Node:
        return self.root.at(*path)

    @property
    def labels(self) -> dict[str, str]:
        return self.at("metadata", "labels").mapping()

    @property
    def annotations(self) -> dict[str, str]:
        return self.at("metadata", "annotations").mapping()

    def label(self, key: str) -> str | None:
        return self.at("metadata", "labels", key).text()

    @property
    def address(self) -> str:
        """How messages and exemptions call it: cluster, namespace, kind, name."""
        if not self.kind:
            return f"{self.type} {self.resource}"
        return f"{self.cluster or '-'}/{self.namespace or '-'}/{self.kind}/{self.name or self.resource}"

    def is_a(self, group: str, *kinds: str) -> bool:
        return self.group == group and self.kind in kinds


def place_of(provider_type: str, name: str, urn: str, properties: Decoded) -> Place:
    if provider_type != PROVIDER:
        return Place(type=provider_type)
    identifier, namespace = (properties.tree.get(key) for key in ("clusterIdentifier", "namespace"))
    return Place(
        type=provider_type,
        provider=name,
        identifier=identifier if isinstance(identifier, str | Unknown) else None,
        namespace=namespace if isinstance(namespace, str | Unknown) else None,
        # Pulumi calls the provider that it makes by itself default, with its version.
        default=urn.rpartition("::")[2].startswith("default"),
    )


def object_of(  # noqa: PLR0913  (what the engine tells of a resource)
    *, urn: str, type_: str, name: str, decoded: Decoded, place: Place, protect: bool, parent: str
) -> Object:
    group, kind = _kind(type_, decoded.tree)
    metadata = decoded.tree.get("metadata")
    known: Tree = cast("Tree", metadata) if isinstance(metadata, dict) else {}
    return Object(
        urn=urn,
        type=type_,
        resource=name,
        group=group,
        kind=kind,
        name=_text(known.get("name")),
        namespace=_text(known.get("namespace") or place.namespace),
        place=place,
        protect=protect,
        parent=parent,
        decoded=decoded,
    )


def _kind(type_: str, tree: Tree) -> tuple[str, str]:
    """What it says of itself is what the API server takes; the type is for what says nothing."""
    if not type_.startswith(KUBERNETES):
        return "", ""
    token, api, kind = _TOKEN.fullmatch(type_), tree.get("apiVersion"), tree.get("kind")
    if not (isinstance(api, str) and isinstance(kind, str)):
        if token is None or token["api"].partition("/")[0] in BUNDLES:
            return "", ""
        api = api if isinstance(api, str) else token["api"]
        kind = kind if isinstance(kind, str) else token["kind"].removesuffix("Patch")
    group = api.rpartition("/")[0]
    return "" if group == "core" else group, kind


def _text(value: Any) -> str | None:  # noqa: ANN401
    return value if isinstance(value, str) else None
