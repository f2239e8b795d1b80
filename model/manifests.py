"""Whole claim manifests, as a cluster or a Git repository holds them, and the entries of a stack file that they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from model.problems import Finding, Path, dotted, nearest, one_line, told
from model.source import Document

KEYS = {
    "ControlPlaneCluster": "controlPlane",
    "HypervisorCluster": "hypervisorPools",
    "StorageCluster": "storagePools",
    "OpenStackCluster": "openStackClusters",
}
GROUPS = dict.fromkeys(KEYS, "crossplane.c5c3.io/v1alpha1") | {"OpenStackCluster": "c5c3.io/v1alpha1"}
LISTS = {"List", *(f"{kind}List" for kind in KEYS)}
ENVIRONMENTS = ("production", "staging", "development")

# What Crossplane keeps in a claim's spec about its own work.
CROSSPLANE = {
    "resourceRef",
    "compositionRef",
    "compositionSelector",
    "compositionRevisionRef",
    "compositionRevisionSelector",
    "compositionUpdatePolicy",
    "compositeDeletePolicy",
    "publishConnectionDetailsTo",
    "writeConnectionSecretToRef",
}
NAMES = {"name", "namespace"}
PARTS = ("apiVersion", "kind", "metadata", "spec")


@dataclass(frozen=True)
class Manifest:
    """One claim: the entry that it is, and what of it is no part of a region."""

    document: Document
    path: Path
    kind: str
    name: str
    entry: dict[str, Any]
    mistakes: tuple[Finding, ...]
    aside: tuple[tuple[Path, str], ...]
    """What was left out, and why."""

    @property
    def key(self) -> str:
        return KEYS[self.kind]

    def place(self, path: Path) -> Path:
        """Where in the document an entry's field stands."""
        if path[:1] == ("name",) and "name" not in _mapping(self._at("spec")):
            return (*self.path, "metadata", "name")
        if path[:1] == ("namespace",):
            return (*self.path, "metadata", "namespace")
        return (*self.path, "spec", *path)

    def label(self, path: Path) -> str:
        below = self.place(path)[len(self.path) :]
        return f"{self.kind} {one_line(self.name)}: {dotted(below)}"

    def _at(self, key: str) -> Any:  # noqa: ANN401  (whatever stands in the file)
        value = self.document.value
        for part in (*self.path, key):
            value = value[part]
        return value


def manifests(document: Document) -> Iterator[Manifest | Finding]:
    """The claims of a document, a List's items one by one; a Finding for what is no claim."""
    yield from _read(document, (), document.value)


def _read(document: Document, path: Path, value: object) -> Iterator[Manifest | Finding]:
    if value is None:
        return
    given = _mapping(value)
    kind = given.get("kind")
    if kind in LISTS and isinstance(given.get("items"), list):
        for at, item in enumerate(given["items"]):
            yield from _read(document, (*path, "items", at), item)
    elif not isinstance(kind, str) or kind not in KEYS:
        known = f"a claim is one of {', '.join(KEYS)}"
        says = f"is {kind!r}: {known}" if "kind" in given else f"is missing: {known}"
        yield Finding((*path, "kind"), f"{says}; move other manifests elsewhere")
    elif given.get("apiVersion") != GROUPS[kind]:
        yield Finding((*path, "apiVersion"), f"is {given.get('apiVersion')!r}: use {GROUPS[kind]} for the kind {kind}")
    elif not isinstance(given.get("spec"), dict):
        what = f"is {told(given['spec'])}" if "spec" in given else "is missing"
        yield Finding((*path, "spec"), f"{what}: what the claim asks for stands below it, as keys with values")
    else:
        yield _claim(document, path, kind, given)


def _claim(document: Document, path: Path, kind: str, given: dict[str, Any]) -> Manifest:
    metadata, spec = _mapping(given.get("metadata")), _mapping(given.get("spec"))
    name = metadata.get("name")
    named = {"name": name} if "name" in metadata else {}
    entry = {**named, **{key: value for key, value in spec.items() if key not in CROSSPLANE}}
    if kind == "OpenStackCluster":
        if "namespace" in metadata:
            entry["namespace"] = metadata["namespace"]
        if environment := _environment(spec):
            entry.setdefault("environment", environment)
    mistakes = tuple(_mistakes(path, given, name, entry.get("name")))
    called = str(entry.get("name") or "without a name")
    return Manifest(document, path, kind, called, entry, mistakes, tuple(_aside(path, kind, given)))


def _mistakes(path: Path, given: dict[str, Any], name: object, own: object) -> Iterator[Finding]:
    if not isinstance(name, str):
        yield Finding((*path, "metadata", "name"), "is missing: name the claim")
    elif own != name:
        yield Finding((*path, "spec", "name"), f"is {own!r}, and metadata.name is {name!r}: use one name")
    for key in given:
        if key not in (*PARTS, "status"):
            yield Finding((*path, key), f"is not a known key: {nearest(key, PARTS)}")


def _aside(path: Path, kind: str, given: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """In the order of the document."""
    for key, value in given.items():
        if key == "metadata":
            yield from _aside_of_metadata(path, kind, _mapping(value))
        elif key == "spec":
            yield from _aside_of_spec(path, _mapping(value))
        elif key == "status":
            yield (*path, key), "it says how the claim was, not what it asks for"


def _aside_of_metadata(path: Path, kind: str, metadata: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    for key in metadata:
        if key == "namespace" and kind != "OpenStackCluster":
            yield (*path, "metadata", key), "clusters are made in the garden's namespace"
        elif key not in NAMES:
            yield (*path, "metadata", key), "it belongs to the claim's object, not to the region"


def _aside_of_spec(path: Path, spec: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    for key in spec:
        if key in CROSSPLANE:
            kept = " (its environment is kept)" if key.startswith("composition") and _environment(spec) else ""
            yield (*path, "spec", key), f"it is Crossplane's own{kept}"


def _environment(spec: dict[str, Any]) -> str | None:
    """The documents have one Composition for each environment, chosen by its label or by its name."""
    wanted = _mapping(_mapping(spec.get("compositionSelector")).get("matchLabels")).get("environment")
    if wanted in ENVIRONMENTS:
        return str(wanted)
    name = str(_mapping(spec.get("compositionRef")).get("name", ""))
    return next((one for one in ENVIRONMENTS if name.endswith(f"-{one}")), None)


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
