"""From a stack's configuration to a region, or to every mistake in it."""

import contextlib
import gc
import os
from collections.abc import Collection, Generator, Iterator, Mapping
from pathlib import Path as File
from typing import Any, cast

from model.catalog import Catalog, ClusterKind, ReleaseOverride, load_catalog, wishes, wishes_of
from model.draft import Draft, Model
from model.manifests import Manifest, manifests
from model.places import PREFIX, Places, StackFile, decoded, sentence
from model.pools import ControlPlane, HypervisorPool, StoragePool
from model.problems import Finding, Path, Problems, dotted, likely, nearest, shown, told
from model.region import RegionSpec, Settings
from model.rules import Scene, broken
from model.rules.scene import Placed
from model.source import Document, documents, read_text
from model.tenant import OpenStackCluster

SETTINGS = {name: field.alias or name for name, field in Settings.model_fields.items()}
KEYS = tuple(field.alias or name for name, field in RegionSpec.model_fields.items())
LISTS = {"hypervisorPools": HypervisorPool, "storagePools": StoragePool, "openStackClusters": OpenStackCluster}
SUFFIXES = (".yaml", ".yml", ".json")


@contextlib.contextmanager
def _no_collection() -> Generator[None]:
    """All that is read stays until the region is there; looking for garbage in it doubles the time of a large file."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_no_collection()
def stack_file(stack: str, root: File) -> RegionSpec:
    """The region of a stack file, read without Pulumi but as Pulumi reads it."""
    file = StackFile.of(stack, root)
    if file.document is None:
        raise Problems([f"{file.name} is not here: name a stack that has a file, or write that file."])
    return from_pulumi(file.config, file, root, secret=file.secret)


def from_pulumi(config: Mapping[str, str], file: StackFile, root: File, secret: Collection[str] = ()) -> RegionSpec:
    """The region of a configuration in Pulumi's form: plain words as they are, all else as JSON."""
    given = decoded(config)
    # Lines are said only of keys that stand in the file as Pulumi has them: a run may be given another file.
    return load(given, file.where(given), root, secret=secret)


def load(config: Mapping[str, object], file: StackFile, root: File, *, secret: Collection[str] = ()) -> RegionSpec:
    """The region that a configuration describes; every mistake in it as a sentence, or none."""
    return _Reading(file, root, secret).region(config)


class _Reading:
    """One reading of a configuration, with what was found so far."""

    def __init__(self, stack: StackFile, root: File, secret: Collection[str]) -> None:
        self._root = root
        self._places = Places(stack)
        self._secret = {key.removeprefix(PREFIX) for key in secret}
        self._draft = Draft()
        self._sentences: list[str] = []
        self._unread: set[str] = set()
        self._nameless: set[str] = set()
        self._catalog: Catalog | None = None

    def region(self, given: Mapping[str, object]) -> RegionSpec:
        config = dict(given)
        for key in config.keys() - set(KEYS):
            meant = likely(key, KEYS)
            says, place = (
                f"is not a known key: {nearest(key, KEYS)}",
                (meant,) if meant and meant not in config else None,
            )
            self._draft.say(Finding((key,), says, meant=place))
            self._nameless.update(self._kinds_in(meant) if meant else ())
        for key in self._secret & config.keys():
            says = "is encrypted, and nothing that describes a region is a secret: write it in plain text"
            self._draft.say(Finding((key,), says))
            self._nameless.update(self._kinds_in(key))
            del config[key]
        folder = config.get("claims")
        plane = config.get("controlPlane")
        planes: Placed[Any] = [] if plane is None else [(("controlPlane",), plane)]
        entries = {key: self._entries(key, config.get(key)) for key in LISTS}
        for manifest in self._manifests(folder) if folder is not None else ():
            if manifest.key == "controlPlane":
                path: Path = ("controlPlane", len(planes))
                planes.append((path, manifest.entry))
            else:
                path = (manifest.key, len(entries[manifest.key]))
                entries[manifest.key].append((path, manifest.entry))
            self._places.add(path, manifest)
        return self._checked(config, planes, entries)

    def _checked(self, config: dict[str, object], planes: Placed[Any], entries: dict[str, Placed[Any]]) -> RegionSpec:
        overrides = self._overrides(config.pop("releases", None))
        given = {key: value for key, value in config.items() if key in SETTINGS.values()}
        top = self._draft.read(Settings, given, ())
        if not planes and "controlPlane" not in self._nameless:
            self._draft.findings.append(Finding(("controlPlane",), "is missing: add it, as every region has one"))
        region = config.get("region")
        scene = Scene(
            region=top.region if top else region if isinstance(region, str) else None,
            namespace=top.garden.namespace if top else "garden-c5c3",
            control_planes=self._claims(ControlPlane, planes),
            hypervisor_pools=self._claims(HypervisorPool, entries["hypervisorPools"]),
            storage_pools=self._claims(StoragePool, entries["storagePools"]),
            tenants=self._claims(OpenStackCluster, entries["openStackClusters"]),
            unread=self._unread,
            nameless=self._nameless,
        )
        self._draft.add(list(broken(scene)))
        if self._catalog:
            environment = top.environment if top else "production"
            asked = [*wishes(scene.tenants, scene.storage_pools), *wishes_of(top.management if top else None)]
            named = None if self._nameless or self._unread else _kinds(scene)
            self._draft.add(self._catalog.mistakes(environment, overrides, asked, ("releases",), named))
        sentences = [*self._sentences, *(self._places.sentence(one) for one in self._draft.findings)]
        if sentences or top is None:
            raise Problems(sentences)
        return RegionSpec.model_validate(
            {
                **{key: getattr(top, name) for name, key in SETTINGS.items() if key != "claims"},
                "releases": overrides,
                "controlPlane": scene.control_planes[0][1],
                "hypervisorPools": [pool for _, pool in scene.hypervisor_pools],
                "storagePools": [pool for _, pool in scene.storage_pools],
                "openStackClusters": [tenant for _, tenant in scene.tenants],
            }
        )

    def _overrides(self, given: object) -> dict[str, ReleaseOverride]:
        """Each is read by itself, as claims are; the catalogue only where a region differs from it."""
        if given is None or given == {}:
            return {}
        if not isinstance(given, dict):
            says = "is no mapping: write the name of a system, and below it what is otherwise"
            self._draft.findings.append(Finding(("releases",), says))
            return {}
        try:
            self._catalog = load_catalog()
        except Problems as problems:
            self._sentences += problems.sentences
        read: dict[str, ReleaseOverride] = {}
        for name, one in cast("dict[str, Any]", given).items():
            unknown = self._catalog.unknown(name, ("releases",)) if self._catalog else None
            if unknown:
                self._draft.findings.append(unknown)
            elif override := self._draft.read(ReleaseOverride, one, ("releases", name)):
                read[name] = override
        return read

    def _entries(self, key: str, given: object) -> Placed[Any]:
        if given is None:
            return []
        if not isinstance(given, list):
            self._draft.say(Finding((key,), f"is {told(given)}: use a list, with '- ' before each of its entries"))
            self._nameless.add(key)
            return []
        return [((key, at), entry) for at, entry in enumerate(cast("list[Any]", given))]

    def _claims(self, model: type[Model], given: Placed[Any]) -> Placed[Model]:
        read: Placed[Model] = []
        for path, entry in given:
            claim = self._draft.read(model, entry, path)
            if claim is not None:
                read.append((path, claim))
                continue
            name = cast("dict[str, Any]", entry).get("name") if isinstance(entry, dict) else None
            if name is None or self._draft.is_wrong((*path, "name")):
                self._nameless.add(str(path[0]))
            else:
                self._unread.add(str(name))
        return read

    @staticmethod
    def _kinds_in(key: str) -> Collection[str]:
        """The kinds of claims that stand below a key; in a folder all of them may."""
        return {"controlPlane", *LISTS} if key == "claims" else {key}

    def _manifests(self, folder: object) -> Iterator[Manifest]:
        if not isinstance(folder, str) or not is_folder_below(self._root, folder):
            says = f"is {shown(folder)}, and there is no such folder: name one below the project"
            self._draft.say(Finding(("claims",), says))
            self._nameless.update(self._kinds_in("claims"))
            return
        for file in claim_files(self._root / folder):
            name = os.path.relpath(file, self._root)
            try:
                for document in documents(read_text(file, name), name):
                    yield from self._of(document)
            except Problems as problems:
                self._sentences += problems.sentences
                self._nameless.update(self._kinds_in("claims"))

    def _of(self, document: Document) -> Iterator[Manifest]:
        for one in manifests(document):
            mistakes = (one,) if isinstance(one, Finding) else one.mistakes
            for mistake in mistakes:
                line, key = document.line(mistake.path), dotted(mistake.path)
                self._sentences.append(sentence(document.file, line, key, mistake.says))
            if isinstance(one, Finding):
                self._nameless.update(self._kinds_in("claims"))
            else:
                if any(mistake.path[-1] == "name" for mistake in mistakes):
                    self._nameless.add(one.key)
                yield one


def _kinds(scene: Scene) -> dict[str, ClusterKind]:
    """Every cluster that something is delivered to, by its name."""
    return {
        "management": "management",
        **{one.name: "control-plane" for _, one in scene.control_planes},
        **{one.name: "hypervisor" for _, one in scene.hypervisor_pools},
        **{one.name: "storage" for _, one in scene.storage_pools},
    }


def is_folder_below(root: File, folder: str) -> bool:
    """Whether a folder is there and not the project itself, whose other files are no claims."""
    try:
        inside = (root / folder).resolve()
        return inside.is_dir() and root.resolve() in inside.parents
    except (OSError, ValueError):  # no folder can have such a name
        return False


def claim_files(folder: File) -> list[File]:
    """The files of a folder that hold manifests; a kustomization.yaml only lists them."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix in SUFFIXES and file.stem != "kustomization" and file.is_file()
    )
