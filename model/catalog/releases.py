"""What each cluster of a region gets of the catalogue, and in which order."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as File

from model.catalog.entry import FLOATS, Entry, GitSource, OciSource, ReleaseOverride, Source
from model.catalog.files import read
from model.catalog.rules import broken, order
from model.catalog.values import Values, merged
from model.catalog.versions import VersionRange
from model.catalog.wanted import Wish
from model.catalog.words import PHASES, ClusterKind
from model.manifests import dotted
from model.places import sentence
from model.problems import Finding, Path, Problems, nearest
from model.words import Environment, Size

FOLDER = File(__file__).resolve().parents[2] / "catalog"
NOTHING: Mapping[str, ReleaseOverride] = {}
UNCHANGED = ReleaseOverride()


@dataclass(frozen=True)
class Dependency:
    """A release that must be ready first, and the cluster whose release it is."""

    name: str
    cluster: ClusterKind
    manifests: bool
    """A Flux Kustomization, which a HelmRelease's dependsOn cannot name."""
    bootstrap: bool
    """Made by the program before there is a Flux."""


@dataclass(frozen=True)
class Release:
    """One system in one kind of cluster of one environment, with everything a region changed about it."""

    entry: Entry
    cluster: ClusterKind
    environment: Environment
    override: ReleaseOverride = UNCHANGED
    depends_on: tuple[Dependency, ...] = ()
    size: Size | None = None
    """Of the region's largest tenant."""

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
        """In every cluster of the kind."""
        return merged(self.entry.values_for(self.environment, self.size, self.cluster), self.override.values)

    def values_in(self, cluster: str) -> Values:
        """In the cluster of a name."""
        own = self.override.clusters.get(cluster)
        return merged(self.values, own.values) if own else self.values


@dataclass(frozen=True)
class Catalog:
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
        size: Size | None = None,
    ) -> tuple[Release, ...]:
        """What a cluster of a kind gets, in order.

        `wanted` are optional systems that the region's claims ask for, `size` is that of its largest tenant.
        """
        mistakes = self.mistakes(environment, overrides, [Wish(name) for name in wanted])
        if mistakes:
            raise Problems([sentence("releases", None, dotted(one.path), one.says) for one in mistakes])
        chosen = self._chosen(environment, overrides, wanted)
        return tuple(
            Release(
                entry=entry,
                cluster=cluster,
                environment=environment,
                override=overrides.get(entry.name, UNCHANGED),
                depends_on=tuple(self._dependency(name, cluster) for name in entry.waits_for if name in chosen),
                size=size,
            )
            for entry in sorted(self.entries, key=lambda entry: PHASES.index(entry.phase))  # stable: needs stay first
            if cluster in entry.clusters and entry.name in chosen
        )

    def mistakes(
        self,
        environment: Environment,
        overrides: Mapping[str, ReleaseOverride],
        wishes: Iterable[Wish] = (),
        at: Path = (),
        clusters: Mapping[str, ClusterKind] | None = None,
    ) -> list[Finding]:
        """What is wrong with a region's overrides, which stand `at` a place of its description.

        `clusters` are the region's, where all of them are known.
        """
        wanted = {wish.system: wish for wish in wishes}
        named = [*overrides, *sorted(wanted.keys() - overrides.keys())]
        found = [unknown for name in named if (unknown := self.unknown(name, at))]
        for name, override in overrides.items():
            if name in self.by_name:
                found += _unfitting((*at, name), self.by_name[name], override)
                if clusters is not None:
                    found += _elsewhere((*at, name, "clusters"), self.by_name[name], override, clusters)
                if name in wanted and override.enabled is False and self.by_name[name].optional:
                    found.append(wanted[name].refused((*at, name, "enabled")))
        chosen = self._chosen(environment, overrides, wanted)
        for entry in self.entries:
            for need in entry.needs:
                if entry.name in chosen and need not in chosen:
                    remedy = f"switch {entry.name} off too, or keep {need}"
                    says = f"is false, and {entry.name} needs {need}: {remedy}"
                    found.append(Finding((*at, need, "enabled"), says))
        return found

    def unknown(self, name: str, at: Path = ()) -> Finding | None:
        if name in self.by_name:
            return None
        return Finding((*at, name), f"is no system of the catalogue: {nearest(name, self.by_name)}")

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


def _unfitting(at: Path, entry: Entry, override: ReleaseOverride) -> Iterator[Finding]:
    """What a region may not change, since the rules of the catalogue would not hold any more."""
    source = entry.source
    git, oci = isinstance(source, GitSource), isinstance(source, OciSource)
    if override.enabled is False and not entry.optional:
        yield Finding((*at, "enabled"), "is false, and this system is not optional: remove the line")
    if override.digest and not oci:
        yield Finding((*at, "digest"), "has no meaning here, as only a chart of an OCI registry has one: remove it")
    if override.commit and not git:
        yield Finding((*at, "commit"), "has no meaning here, as only a folder of manifests has one: remove it")
    if override.values and git:
        yield Finding((*at, "values"), "do nothing for a folder of manifests: remove them")
    if override.clusters and git:
        yield Finding((*at, "clusters"), "has values, which do nothing for a folder of manifests: remove them")
    if entry.bootstrap and override.version and not VersionRange.parse(override.version).exact:
        yield Finding((*at, "version"), f"is {override.version!r}, {FLOATS}")
    if not (git or (isinstance(source, OciSource) and (source.digest or override.digest))):
        return
    pin, new = ("commit", override.commit) if git else ("digest", override.digest)
    if bool(override.version) != bool(new):
        given, other = ("version", pin) if override.version else (pin, "version")
        says = f"is there without {other}, and both say together what is installed: change both, or neither"
        yield Finding((*at, given), says, ((*at, other),))
    if override.version and not VersionRange.parse(override.version).exact:
        says = f"is {override.version!r}, and a digest or commit is one version: write that"
        yield Finding((*at, "version"), says)


def _elsewhere(
    at: Path, entry: Entry, override: ReleaseOverride, clusters: Mapping[str, ClusterKind]
) -> Iterator[Finding]:
    for name in override.clusters:
        kind = clusters.get(name)
        if kind is None:
            yield Finding((*at, name), f"is no cluster of the region: {nearest(name, clusters)}")
        elif kind not in entry.clusters:
            there = [one for one, of in clusters.items() if of in entry.clusters]
            says = f"is a cluster without {entry.name}, which is in {', '.join(there) or 'none'}: name one of those"
            yield Finding((*at, name), says)


def _minor(version: str) -> tuple[int, int]:
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def load_catalog(folder: File = FOLDER) -> Catalog:
    """Every entry of a folder, proved to fit together; otherwise every mistake as a sentence."""
    files = read(folder)
    if not files.sentences:
        for name, finding in broken(files.entries):
            files.say(name, finding)
    if files.sentences:
        raise Problems(files.sentences)
    return Catalog(tuple(order(files.entries)))
