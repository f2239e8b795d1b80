"""The release catalogue: every system that a region's clusters get, and the order in which they get it."""

import difflib
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from model.catalog_entry import (
    CLUSTER_KINDS,
    PHASES,
    ClusterKind,
    Data,
    Entry,
    Environment,
    GitSource,
    OciSource,
    ReleaseOverride,
    Source,
    Values,
    merged,
)
from model.catalog_files import read
from model.catalog_rules import broken, order
from model.problems import Problems
from model.version_range import VersionRange

FOLDER = Path(__file__).resolve().parent.parent / "catalog"
NOTHING: Mapping[str, ReleaseOverride] = {}


class Mistake(NamedTuple):
    """What is wrong with a region's overrides: the keys to the place, and what is said after them."""

    path: tuple[str, ...]
    says: str

    def __str__(self) -> str:
        return f"{'.'.join(self.path)} {self.says}"


class Dependency(Data):
    """A release that must be ready first, and the cluster whose release it is."""

    name: str
    cluster: ClusterKind
    manifests: bool  # a Flux Kustomization, which a HelmRelease's dependsOn cannot name
    bootstrap: bool  # made by the program before there is a Flux


class Release(Data):
    """One system in one kind of cluster of one environment, with everything a region changed about it."""

    entry: Entry
    cluster: ClusterKind
    environment: Environment
    override: ReleaseOverride = ReleaseOverride()
    depends_on: tuple[Dependency, ...] = ()

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def namespace(self) -> str:
        return self.entry.namespace

    @property
    def chart(self) -> str:
        return self.entry.chart_name

    @property
    def version(self) -> str:
        return self.override.version or self.entry.version

    @property
    def source(self) -> Source | None:
        source = self.entry.source
        if isinstance(source, OciSource) and self.override.digest:
            return source.model_copy(update={"digest": self.override.digest, "no_digest": None})
        if isinstance(source, GitSource) and self.override.commit:
            return source.model_copy(update={"commit": self.override.commit})
        return source

    def runs_on(self, kubernetes: str) -> bool:
        """Whether a cluster of this version, such as 1.35.4, is new enough."""
        oldest = self.entry.kubernetes
        return oldest is None or _minor(kubernetes) >= _minor(oldest)

    @property
    def values(self) -> Values:
        return self.values_for(self.environment)

    def values_for(self, environment: Environment) -> Values:
        return merged(self.entry.values_for(environment), self.override.values)


class Catalog(Data):
    """All systems, each after what it needs."""

    entries: tuple[Entry, ...]

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.entries}

    def releases(
        self,
        cluster: ClusterKind,
        environment: Environment,
        overrides: Mapping[str, ReleaseOverride] = NOTHING,
        wanted: Collection[str] = (),
    ) -> tuple[Release, ...]:
        """What a cluster of a kind gets, in order. `wanted` are optional systems that the region's claims ask for."""
        problems = self.mistakes(environment, overrides, wanted)
        if problems:
            raise Problems([f"releases.{problem}" for problem in problems])
        chosen = self._chosen(environment, overrides, wanted)
        return tuple(
            Release(
                entry=entry,
                cluster=cluster,
                environment=environment,
                override=overrides.get(entry.name, ReleaseOverride()),
                depends_on=tuple(self._dependency(name, cluster) for name in entry.waits_for if name in chosen),
            )
            for entry in sorted(self.entries, key=lambda entry: PHASES.index(entry.phase))  # stable: needs stay first
            if cluster in entry.clusters and entry.name in chosen
        )

    def mistakes(
        self, environment: Environment, overrides: Mapping[str, ReleaseOverride], wanted: Collection[str] = ()
    ) -> list[Mistake]:
        """What is wrong with a region's overrides, for whoever knows the file that they stand in."""
        found = [self._unknown(name) for name in [*overrides, *wanted] if name not in self.by_name]
        for name, override in overrides.items():
            if name in self.by_name:
                found += [Mistake((name, key), says) for key, says in _unfitting(self.by_name[name], override)]
        chosen = self._chosen(environment, overrides, wanted)
        for entry in self.entries:
            for need in entry.needs:
                if entry.name in chosen and need not in chosen and self.by_name[need].optional:
                    remedy = f"switch {entry.name} off too, or keep {need}"
                    found.append(Mistake((need, "enabled"), f"is false, and {entry.name} needs {need}: {remedy}."))
        return found

    def _chosen(
        self, environment: Environment, overrides: Mapping[str, ReleaseOverride], wanted: Collection[str]
    ) -> set[str]:
        """The systems of an environment. What an optional one needs comes along, unless the region refuses it."""
        refused = {name for name, override in overrides.items() if override.enabled is False}
        asked = {*wanted, *(name for name, override in overrides.items() if override.enabled)} - refused
        chosen: set[str] = set()
        for entry in reversed(self.entries):  # whoever needs something comes before it here
            if entry.optional is None or entry.name in asked or entry.enabled_in(environment):
                chosen.add(entry.name)
            if entry.optional and entry.name in refused:
                chosen.discard(entry.name)
            if entry.name in chosen:
                asked.update(set(entry.needs) - refused)
        return chosen

    def _dependency(self, need: str, cluster: ClusterKind) -> Dependency:
        entry = self.by_name[need]
        return Dependency(
            name=need,
            cluster=cluster if cluster in entry.clusters else "management",
            manifests=isinstance(entry.source, GitSource),
            bootstrap=entry.bootstrap,
        )

    def _unknown(self, name: str) -> Mistake:
        near = difflib.get_close_matches(name, self.by_name, n=1)
        return Mistake((name,), "is no system of the catalogue" + (f"; did you mean {near[0]}?" if near else "."))


def _unfitting(entry: Entry, override: ReleaseOverride) -> list[tuple[str, str]]:
    """What a region may not change, since the rules of the catalogue would not hold any more."""
    source, version = entry.source, override.version
    oci, git = isinstance(source, OciSource), isinstance(source, GitSource)
    pin, new = ("commit", override.commit) if git else ("digest", override.digest)
    pinned = git or (isinstance(source, OciSource) and bool(source.digest or override.digest))
    ranged = version is not None and not VersionRange.parse(version).exact
    rules = [
        (
            override.enabled is False and not entry.optional,
            "enabled",
            "is false, and every region has it: remove the line",
        ),
        (override.digest and not oci, "digest", "has no meaning here: only a chart of an OCI registry has one"),
        (override.commit and not git, "commit", "has no meaning here: only a folder of manifests has one"),
        (override.values and git, "values", "do nothing for a folder of manifests: remove them"),
        (pinned and bool(version) != bool(new), "version", f"and {pin} name one thing: change both, or neither"),
        (pinned and ranged, "version", f"is {version!r}, and a {pin} is one version: write that"),
    ]
    return [(key, f"{says}.") for wrong, key, says in rules if wrong]


def _minor(version: str) -> tuple[int, int]:
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def load_catalog(folder: Path = FOLDER) -> Catalog:
    """Every entry of a folder, proved to fit together; otherwise every mistake as a sentence."""
    entries, problems = read(folder)
    if not problems:
        problems = broken(entries, folder.name)
    if problems:
        raise Problems(problems)
    return Catalog(entries=tuple(order(entries)))


__all__ = ["CLUSTER_KINDS", "PHASES", "Catalog", "Dependency", "Mistake", "Release", "ReleaseOverride", "load_catalog"]
