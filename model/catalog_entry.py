"""One system of the catalogue: what it is, where its chart comes from, where it goes and what it needs."""

import copy
import re
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)
from pydantic.alias_generators import to_camel

from model.version_range import VersionRange

ClusterKind = Literal["management", "control-plane", "hypervisor", "storage"]
Environment = Literal["production", "staging", "development"]
Phase = Literal["F0", "F1", "F2", "F3", "H", "T"]
Values = dict[str, JsonValue]

CLUSTER_KINDS: tuple[ClusterKind, ...] = ("management", "control-plane", "hypervisor", "storage")
ENVIRONMENTS: tuple[Environment, ...] = ("production", "staging", "development")
PHASES: tuple[Phase, ...] = ("F0", "F1", "F2", "F3", "H", "T")

# Registries of the project itself. Everybody else's artefacts must be pinned, since nobody here decides about them.
OWN_REGISTRIES = ("oci://ghcr.io/c5c3/", "oci://ghcr.io/cobaltcore-dev/")


def _bounded(value: str) -> str:
    VersionRange.parse(value)
    return value


def _named_images(values: Values) -> Values:
    for path, found in _leaves(values, ""):
        tag = path.lower().endswith("tag")
        if tag and not isinstance(found, str):
            raise ValueError(f"{path} is the number {found} to YAML, which drops its zeros: put it in quotation marks")
        if isinstance(found, str) and (found.endswith(":latest") or (tag and found == "latest")):
            raise ValueError(f"{path} asks for {found!r}, which is another image every day: name a version or a digest")
    return values


def _leaves(value: JsonValue, path: str) -> Iterator[tuple[str, str | float | None]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{at}]")
    else:
        yield path, value


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError("name at least one")
    return names


def _unique(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{', '.join(twice)} is there twice: name each once")
    return names


def _pattern(pattern: str, remedy: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(remedy)
        return value

    return AfterValidator(check)


_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
Name = Annotated[str, _pattern(_LABEL, "use at most 63 lower-case letters, digits and hyphens")]
Crd = Annotated[str, _pattern(rf"[a-z0-9]+(\.{_LABEL})+", "write plural and group, as in certificates.cert-manager.io")]
Sentence = Annotated[str, StringConstraints(min_length=10, max_length=400)]
Version = Annotated[str, AfterValidator(_bounded)]
Digest = Annotated[str, _pattern(r"sha256:[0-9a-f]{64}", "write sha256: and 64 hexadecimal digits")]
Commit = Annotated[str, _pattern(r"[0-9a-f]{40}", "write the whole commit, 40 hexadecimal digits")]
Https = Annotated[str, _pattern(r"https://[^\s/]+(/\S*)?", "begin with https://")]
Oci = Annotated[str, _pattern(r"oci://[^\s/]+(/[^\s/]+)*", "begin with oci:// and leave out the slash at the end")]
Checked = Annotated[Values, AfterValidator(_named_images)]


class Data(BaseModel):
    """Frozen data that refuses what it does not know; keys are written in camelCase."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class HelmSource(Data):
    """A classic chart repository."""

    kind: Literal["helm"]
    url: Https


class OciSource(Data):
    """A folder of a registry; the chart's name comes after it."""

    kind: Literal["oci"]
    url: Oci
    digest: Digest | None = None
    no_digest: Sentence | None = None

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        if self.digest and self.no_digest:
            raise ValueError("digest and noDigest are both there: keep one")
        if not (self.digest or self.no_digest or f"{self.url}/".startswith(OWN_REGISTRIES)):
            raise ValueError(
                f"{self.url} is somebody else's registry: pin the chart with digest, or say in noDigest why not"
            )
        return self


class Image(Data):
    """An image that replaces the one a folder of manifests names."""

    name: str
    new_name: str
    new_tag: str
    digest: Digest


class GitSource(Data):
    """A folder of manifests in a Git repository, for what publishes no chart."""

    kind: Literal["git"]
    url: Https
    commit: Commit
    path: Annotated[str, _pattern(r"\./\S*", "begin with ./")]
    images: tuple[Image, ...] = ()


Source = Annotated[HelmSource | OciSource | GitSource, Field(discriminator="kind")]


class Optional(Data):
    """When a region wants the system, and whether it does where nobody says anything."""

    when: Sentence
    enabled: bool = False


class Difference(Data):
    """What one environment has otherwise."""

    enabled: bool | None = None
    values: Checked = {}


class ReleaseOverride(Data):
    """What one region has otherwise; the same rules hold for it."""

    enabled: bool | None = None
    version: Version | None = None
    digest: Digest | None = None
    commit: Commit | None = None
    values: Checked = {}


class Entry(Data):
    """One system, as its file in `catalog/` describes it; the name is the file's."""

    name: Name
    description: Sentence
    clusters: Annotated[tuple[ClusterKind, ...], AfterValidator(_some), AfterValidator(_unique)]
    namespace: Name
    phase: Phase
    source: Source | None = None
    unpublished: Sentence | None = None
    workload: Literal["DaemonSet", "Deployment"] | None = None
    chart: Name | None = None
    version: Version
    bootstrap: bool = False
    kubernetes: Annotated[str, _pattern(r"1\.[0-9]+", 'write "1.33"')] | None = None
    needs: Annotated[tuple[Name, ...], AfterValidator(_unique)] = ()
    after: Annotated[tuple[Name, ...], AfterValidator(_unique)] = ()
    crds: Annotated[tuple[Crd, ...], AfterValidator(_unique)] = ()
    skip_crds: bool = False
    optional: Optional | None = None
    values: Checked = {}
    environments: dict[Environment, Difference] = {}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for wrong, remedy in self._contradictions():
            if wrong:
                raise ValueError(remedy)
        return self

    def _contradictions(self) -> list[tuple[bool, str]]:
        exact = VersionRange.parse(self.version).exact
        pinned = isinstance(self.source, GitSource) or (isinstance(self.source, OciSource) and bool(self.source.digest))
        valued = bool(self.values) or any(one.values for one in self.environments.values())
        switched = any(one.enabled is not None for one in self.environments.values())
        image = self.values.get("image")
        named = isinstance(image, dict) and {"repository", "tag"} <= image.keys()
        return [
            (self.source is None and not self.unpublished, "source is missing: name it, or say why in unpublished"),
            (bool(self.source and self.unpublished), "source and unpublished are both there: keep one"),
            (bool(self.workload and self.source), "workload is for what has no chart: remove it or source"),
            (bool(self.workload) and not named, "workload needs values.image.repository and values.image.tag"),
            (pinned and not exact, f"version is {self.version!r}, and a digest or commit is one version: write it"),
            (isinstance(self.source, GitSource) and valued, "values do nothing for a folder of manifests: remove them"),
            (switched and not self.optional, "only an optional system can be switched per environment"),
            (bool({*self.needs} & {*self.after}), "needs and after name the same system: keep it in one of them"),
            (self.skip_crds and bool(self.crds), "skipCrds and crds contradict each other: keep one"),
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

    def values_for(self, environment: Environment) -> Values:
        return merged(self.values, self.environments.get(environment, Difference()).values)


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
