"""Where Flux takes the charts from: one object for each place, however many releases come from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.options import child_opts
from components.readiness import patience, waiting
from crds import flux_source
from model.catalog import Release
from model.catalog.entry import GitSource, HelmSource, OciSource
from model.mirror import UNPUBLISHED, Mirror, place

NAMESPACE = "flux-system"
INTERVAL = "1h"
CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"


@dataclass(frozen=True, kw_only=True)
class Source:
    """One of Flux's sources, as a release refers to it."""

    kind: str
    name: str
    resource: pulumi.Resource
    namespace: str = NAMESPACE


class Sources:
    """The sources of a region, each made when the first release wants it."""

    def __init__(  # noqa: PLR0913  (each says one thing about all of them)
        self,
        name: str,
        *,
        provider: kubernetes.Provider,
        mirror: Mirror | None,
        on_error: pulumi.ErrorHook,
        after: Sequence[pulumi.Resource],
        minutes: int,
        parent: pulumi.Resource,
        prefix: str = "",
    ) -> None:
        """`prefix` begins the objects' names where several regions have theirs beside each other."""
        self._name, self._mirror = name, mirror
        self._provider, self._on_error, self._after, self._parent = provider, on_error, after, parent
        self._prefix = prefix
        self._minutes = minutes
        self._made: dict[str, Source] = {}

    def of(self, release: Release) -> Source:
        source = release.source
        if isinstance(source, GitSource):
            return self._manifests(source)
        if isinstance(source, OciSource) and source.digest and (self._mirror is None or self._mirror.digests):
            return self._pinned(source.url, source.digest, release.chart)
        return self._charts(source)

    def _charts(self, source: HelmSource | OciSource | None) -> Source:
        """A repository of charts, of which Flux chooses the version."""
        name = _slug(place(source.url) if source else UNPUBLISHED)
        if name not in self._made:
            oci = self._mirror is not None or isinstance(source, OciSource)
            spec = flux_source.HelmRepositorySpecArgs(
                type="oci" if oci else None, url=self._url(source), interval=INTERVAL, insecure=self._insecure
            )
            made = flux_source.HelmRepository(
                f"{self._name}-{name}",
                metadata=self._metadata(name, "HelmRepository/oci" if oci else "HelmRepository"),
                spec=spec,
                opts=self._options("HelmRepository"),
            )
            self._made[name] = Source(kind="HelmRepository", name=f"{self._prefix}{name}", resource=made)
        return self._made[name]

    def _pinned(self, url: str, digest: str, chart: str) -> Source:
        """One chart by its digest, which a repository of charts cannot say."""
        address = self._mirror.chart(url, chart) if self._mirror else f"{url}/{chart}"
        ref = flux_source.OCIRepositorySpecRefArgs(digest=digest)
        layer = flux_source.OCIRepositorySpecLayerSelectorArgs(media_type=CHART_LAYER, operation="copy")
        return self._artifact(_slug(f"{place(url)}/{chart}"), address, ref, layer)

    def _manifests(self, source: GitSource) -> Source:
        """A folder of manifests: a Git repository, or its artifact in the mirror."""
        name = _slug(place(source.url))
        if self._mirror:
            ref = flux_source.OCIRepositorySpecRefArgs(tag=source.commit)
            return self._artifact(name, self._mirror.artifact(source.url), ref)
        if name not in self._made:
            made = flux_source.GitRepository(
                f"{self._name}-{name}",
                metadata=self._metadata(name, "GitRepository"),
                spec=flux_source.GitRepositorySpecArgs(
                    url=source.url,
                    ref=flux_source.GitRepositorySpecRefArgs(commit=source.commit),
                    interval=INTERVAL,
                ),
                opts=self._options("GitRepository"),
            )
            self._made[name] = Source(kind="GitRepository", name=f"{self._prefix}{name}", resource=made)
        return self._made[name]

    def _artifact(
        self,
        name: str,
        url: str,
        ref: flux_source.OCIRepositorySpecRefArgs,
        layer: flux_source.OCIRepositorySpecLayerSelectorArgs | None = None,
    ) -> Source:
        if name not in self._made:
            made = flux_source.OCIRepository(
                f"{self._name}-{name}",
                metadata=self._metadata(name, "OCIRepository"),
                spec=flux_source.OCIRepositorySpecArgs(
                    url=url, ref=ref, layer_selector=layer, interval=INTERVAL, insecure=self._insecure
                ),
                opts=self._options("OCIRepository"),
            )
            self._made[name] = Source(kind="OCIRepository", name=f"{self._prefix}{name}", resource=made)
        return self._made[name]

    def _url(self, source: HelmSource | OciSource | None) -> str:
        if self._mirror:
            return self._mirror.repository(source.url if source else None)
        if source is None:
            raise ValueError("what nobody has published comes from a mirror, and there is none")
        return source.url

    @property
    def _insecure(self) -> bool | None:
        return True if self._mirror and self._mirror.insecure else None

    def _metadata(self, name: str, readiness: str) -> kubernetes.meta.v1.ObjectMetaArgs:
        return kubernetes.meta.v1.ObjectMetaArgs(
            name=f"{self._prefix}{name}", namespace=NAMESPACE, annotations=waiting(readiness) or None
        )

    def _options(self, kind: str) -> pulumi.ResourceOptions:
        return child_opts(
            self._parent,
            provider=self._provider,
            depends_on=self._after,
            custom_timeouts=patience(kind, self._minutes),
            on_error=self._on_error,
        )


def _slug(address: str) -> str:
    """A name that Kubernetes takes, for the host and path of a source."""
    return "".join(letter if letter.isalnum() else "-" for letter in address)
