"""One system of the catalogue: what it is, where its chart comes from, where it goes and what it needs."""

import functools
from typing import Annotated, Literal, Self, cast

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic.json_schema import SkipJsonSchema

from model.catalog.values import Checked, Values, merged
from model.catalog.versions import VersionRange
from model.catalog.words import (
    ClusterKind,
    Clusters,
    Commit,
    Crds,
    Folder,
    Https,
    MinorVersion,
    Oci,
    Phase,
    Sentence,
    Systems,
    Version,
)
from model.claim import Claim
from model.problems import Finding, InnerError, findings, nearest
from model.words import Digest, Environment, Flag, Name, Size

# Registries of the project itself. Everybody else's artefacts must be pinned, since nobody here decides about them.
OWN_REGISTRIES = ("oci://ghcr.io/c5c3/", "oci://ghcr.io/cobaltcore-dev/")

FLOATS = "and what the program installs itself changes with every newer chart: write one version"


class Part(Claim, defer_build=True, use_attribute_docstrings=False):
    """What an entry is made of. It is made ready when the catalogue is read, which a region rarely needs."""


class HelmSource(Part):
    """A classic chart repository."""

    kind: Literal["helm"]
    url: Https


class OciSource(Part):
    """A folder of a registry; the chart's name comes after it."""

    kind: Literal["oci"]
    url: Oci
    digest: Digest | None = None
    no_digest: Sentence | None = None

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        if self.digest and self.no_digest:
            raise InnerError([Finding(("noDigest",), "is there beside digest: keep one of them")])
        if not (self.digest or self.no_digest or f"{self.url}/".startswith(OWN_REGISTRIES)):
            remedy = "pin the chart with digest, or say in noDigest why not"
            raise InnerError([Finding(("url",), f"is {self.url!r}, somebody else's registry: {remedy}")])
        return self


class Image(Part):
    """An image that replaces the one a folder of manifests names."""

    name: str
    new_name: str
    new_tag: str
    digest: Digest


class GitSource(Part):
    """A folder of manifests in a Git repository, for what publishes no chart."""

    kind: Literal["git"]
    url: Https
    commit: Commit
    path: Folder
    images: tuple[Image, ...] = ()


SOURCES = {"helm": HelmSource, "oci": OciSource, "git": GitSource}


def _of_its_kind(value: object) -> object:
    """The source by its `kind`. Pydantic's own choice would put the kind among the keys that its mistakes name."""
    if not isinstance(value, dict):
        return value
    kind = cast("dict[str, object]", value).get("kind")
    if not isinstance(kind, str) or kind not in SOURCES:
        given = f"is {kind!r}" if kind else "is missing"
        raise InnerError([Finding(("kind",), f"{given}: {nearest(str(kind), SOURCES)}")])
    model = SOURCES[kind]
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InnerError(findings(error, (), model)) from None


Source = Annotated[HelmSource | OciSource | GitSource, BeforeValidator(_of_its_kind)]


class Optional(Part):
    """When a region wants the system, and whether it does where nobody says anything."""

    when: Sentence
    enabled: Flag = False


class Difference(Part):
    """What one environment has otherwise."""

    enabled: Flag | None = None
    values: Checked = Field(default={})


class OtherValues(Part):
    """What one size of region, or one kind of cluster, has otherwise."""

    values: Checked


class InOneCluster(Claim):
    """What a region has otherwise in one of its clusters."""

    values: Checked
    """Values of the chart, merged over those of all clusters."""


class ReleaseOverride(Claim):
    """What a region has otherwise than the catalogue; the same rules hold for it."""

    enabled: Flag | None = None
    """Whether the region has the system, where it is optional."""
    version: Version | None = None
    """Versions that may be installed: a range such as ">=1.20.0 <1.20.5", or one version."""
    digest: Digest | None = None
    """Digest of the chart that `version` names, where its registry is not our own."""
    commit: Commit | None = None
    """Commit that `version` names, for a system that comes as a folder of manifests."""
    values: Checked = Field(default={})
    """Values of the chart, merged over the catalogue's as Helm does it."""
    clusters: dict[Name, InOneCluster] = Field(default={})
    """What single clusters have otherwise, by the name of the cluster."""


class Entry(Part):
    """One system, as its file in `catalog/` describes it; the name is the file's."""

    name: SkipJsonSchema[Name]
    description: Sentence
    clusters: Clusters
    namespace: Name
    phase: Phase
    source: Source | None = None
    unpublished: Sentence | None = None
    workload: Literal["DaemonSet", "Deployment"] | None = None
    chart: Name | None = None
    version: Version
    bootstrap: Flag = False
    kubernetes: MinorVersion | None = None
    needs: Systems = ()
    after: Systems = ()
    crds: Crds = ()
    skip_crds: Flag = False
    optional: Optional | None = None
    values: Checked = Field(default={})
    environments: dict[Environment, Difference] = Field(default={})
    sizes: dict[Size, OtherValues] = Field(default={})
    kinds: dict[ClusterKind, OtherValues] = Field(default={})

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        found = [Finding((key,), says) for wrong, key, says in self._contradictions() if wrong]
        if found:
            raise InnerError(found)
        return self

    def _contradictions(self) -> list[tuple[bool, str, str]]:
        exact = VersionRange.parse(self.version).exact
        git = isinstance(self.source, GitSource)
        pinned = git or (isinstance(self.source, OciSource) and bool(self.source.digest))
        differences = [*self.environments.values(), *self.sizes.values(), *self.kinds.values()]
        valued = bool(self.values) or any(one.values for one in differences)
        switched = any(one.enabled is not None for one in self.environments.values())
        elsewhere = sorted(self.kinds.keys() - set(self.clusters))
        image = self.values.get("image")
        named = isinstance(image, dict) and {"repository", "tag"} <= image.keys()
        return [
            (not (self.source or self.unpublished), "source", "is missing: name it, or say why in unpublished"),
            (bool(self.source and self.unpublished), "unpublished", "is there beside source: keep one of them"),
            (bool(self.workload and self.source), "workload", "is for what has no chart: remove it or source"),
            (bool(self.workload) and not named, "workload", "needs values.image.repository and values.image.tag"),
            (pinned and not exact, "version", f"is {self.version!r}, and a digest or commit is one version: write it"),
            (
                self.bootstrap and not pinned and not exact,
                "version",
                f"is {self.version!r}, {FLOATS}",
            ),
            (git and valued, "values", "do nothing for a folder of manifests: remove them"),
            (switched and not self.optional, "environments", "may switch only what is optional: remove enabled"),
            (
                bool(elsewhere),
                "kinds",
                f"has {' and '.join(elsewhere)}, and clusters has not: remove it, or add it there",
            ),
            (bool({*self.needs} & {*self.after}), "after", "has a system that needs has too: keep it in one of them"),
            (self.skip_crds and bool(self.crds), "skipCrds", "contradicts crds: keep one of them"),
        ]

    @property
    def waits_for(self) -> tuple[str, ...]:
        """What must be ready first: what it needs, and what it only lets go first where a region has it."""
        return (*self.needs, *self.after)

    @property
    def published(self) -> bool:
        return self.unpublished is None

    @property
    def chart_name(self) -> str:
        return self.chart or self.name

    @property
    def versions(self) -> VersionRange:
        return VersionRange.parse(self.version)

    def enabled_in(self, environment: Environment) -> bool:
        """Whether an environment has it where neither a claim nor the region says otherwise."""
        if self.optional is None:
            return True
        chosen = self.environments.get(environment, Difference()).enabled
        return self.optional.enabled if chosen is None else chosen

    def values_for(
        self, environment: Environment, size: Size | None = None, cluster: ClusterKind | None = None
    ) -> Values:
        """The size and the kind of cluster come after the environment, and win over it."""
        nothing: Values = {}
        own = (
            self.environments[environment].values if environment in self.environments else nothing,
            self.sizes[size].values if size in self.sizes else nothing,
            self.kinds[cluster].values if cluster in self.kinds else nothing,
        )
        return functools.reduce(merged, own, self.values)
