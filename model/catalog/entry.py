"""One system of the catalogue: what it is, where its chart comes from, where it goes and what it needs."""

import copy
import functools
import math
import re
from collections.abc import Iterator
from typing import Annotated, Literal, Self, cast, get_args

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, ValidationError, model_validator
from pydantic.json_schema import SkipJsonSchema

from model.catalog.versions import VersionRange
from model.claim import Claim
from model.problems import Finding, InnerError, Path, findings, nearest
from model.words import Digest, Environment, Flag, Name, Size

ClusterKind = Literal["management", "control-plane", "hypervisor", "storage"]
Phase = Literal["F0", "F1", "F2", "F3", "H", "T"]
Values = dict[str, JsonValue]

CLUSTER_KINDS: tuple[ClusterKind, ...] = get_args(ClusterKind)
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)
PHASES: tuple[Phase, ...] = get_args(Phase)

# Registries of the project itself. Everybody else's artefacts must be pinned, since nobody here decides about them.
OWN_REGISTRIES = ("oci://ghcr.io/c5c3/", "oci://ghcr.io/cobaltcore-dev/")

FLOATS = "and what the program installs itself changes with every newer chart: write one version"


def _bounded(value: str) -> str:
    VersionRange.parse(value)
    return value


def _named_images(values: Values) -> Values:
    found = [Finding(path, says) for path, leaf in _leaves(values, ()) if (says := _unfit(path, leaf))]
    if found:
        raise InnerError(found)
    return values


def _unfit(path: Path, leaf: JsonValue) -> str | None:
    """Why nobody can rely on a value."""
    tag = str(path[-1]).lower().endswith("tag")
    if isinstance(leaf, str) and (leaf.endswith(":latest") or (tag and leaf == "latest")):
        return f"is {leaf!r}, which is another image every day: name a version or a digest"
    if tag and leaf is not None and not isinstance(leaf, str):
        return f"is the number {leaf} to YAML, which drops its zeros: put it in quotation marks"
    if isinstance(leaf, float) and not math.isfinite(leaf):
        return "is a number that JSON does not have: put it in quotation marks"
    return None


def _leaves(value: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(inner, (*path, at))
    else:
        yield path, value


def _unique(names: tuple[str, ...]) -> tuple[str, ...]:
    again = [
        Finding((at,), f"is {name!r} a second time: name it once")
        for at, name in enumerate(names)
        if name in names[:at]
    ]
    if again:
        raise InnerError(again)
    return names


def _pattern(pattern: str, remedy: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(remedy)
        return value

    return AfterValidator(check)


_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
Crd = Annotated[str, _pattern(rf"[a-z0-9]+(\.{_LABEL})+", "write plural and group, as in certificates.cert-manager.io")]
Sentence = Annotated[str, _pattern(r"(?s).{10,400}", "write a sentence, of at most 400 characters")]
Version = Annotated[str, AfterValidator(_bounded)]
Commit = Annotated[str, _pattern(r"[0-9a-f]{40}", "write the whole commit, 40 hexadecimal digits")]
Https = Annotated[str, _pattern(r"https://[^\s/]+(/\S*)?", "begin with https://")]
Oci = Annotated[str, _pattern(r"oci://[^\s/]+(/[^\s/]+)*", "begin with oci:// and leave out the slash at the end")]
Checked = Annotated[Values, AfterValidator(_named_images)]
Systems = Annotated[tuple[Name, ...], AfterValidator(_unique)]


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
    path: Annotated[str, _pattern(r"\./\S*", "begin with ./")]
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
    clusters: Annotated[tuple[ClusterKind, ...], Field(min_length=1), AfterValidator(_unique)]
    namespace: Name
    phase: Phase
    source: Source | None = None
    unpublished: Sentence | None = None
    workload: Literal["DaemonSet", "Deployment"] | None = None
    chart: Name | None = None
    version: Version
    bootstrap: Flag = False
    kubernetes: (
        Annotated[str, _pattern(r"1\.[0-9]+", 'write a minor version in quotation marks, as in "1.33"')] | None
    ) = None
    needs: Systems = ()
    after: Systems = ()
    crds: Annotated[tuple[Crd, ...], AfterValidator(_unique)] = ()
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


def merged(base: Values, over: Values) -> Values:
    """Both together, as Helm does it: objects are merged, everything else is replaced. Nothing is shared with them."""
    result = copy.deepcopy(base)
    for key, value in over.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = merged(old, value)
        else:
            result[key] = copy.deepcopy(value)
    return result
