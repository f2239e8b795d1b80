"""Every system of the catalogue in one cluster, as objects of the management cluster's Flux."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.certificates import OPENBAO, SYSTEM as CERT_MANAGER, openbao_certificates
from components.flux import Flux
from components.flux_sources import Source
from components.flux_target import MANAGED, Target, management_target
from components.greenhouse import ORGANIZATION, organization
from components.options import child_opts
from components.readiness import patience, waiting
from components.secret_store import management_store
from crds import flux_helm, flux_kustomize
from model.catalog import Dependency, Release
from model.catalog.entry import GitSource

INTERVAL, RETRY = "30m", "1m"
RETRIES = 3
IRREPLACEABLE = (OPENBAO,)  # it keeps all secrets of the region


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One release on its way into one cluster."""

    name: str  # of the resource
    release: Release
    source: Source
    target: Target
    flux: Flux
    parent: pulumi.Resource
    needs: Sequence[pulumi.Resource]

    def metadata(self, kind: str) -> kubernetes.meta.v1.ObjectMetaArgs:
        return kubernetes.meta.v1.ObjectMetaArgs(
            name=self.release.name,
            namespace=self.target.namespace,
            labels={**MANAGED, "c5c3.io/cluster": self.target.cluster},
            annotations=waiting(kind),
        )

    def options(self, kind: str, *more: pulumi.Resource) -> pulumi.ResourceOptions:
        return child_opts(
            self.parent,
            provider=self.flux.provider,
            protect=(self.target.kind == "management" and self.release.name in IRREPLACEABLE) or None,
            depends_on=[self.source.resource, *self.target.ready, *self.needs, *more],
            custom_timeouts=patience(kind, self.flux.settings.ready_within),
            on_error=self.flux.on_error,
        )


def management_workloads(name: str, flux: Flux, parent: pulumi.Resource) -> None:
    """The releases of the management cluster itself, on which those of all clusters may depend.

    Where another region brings them, Flux alone waits for them.
    """
    if flux.settings.shared:
        return
    flux.hub.update(deliver(f"{name}-management", management_target(), flux, parent))
    management_store(f"{name}-management", flux, parent)
    registry = organization(f"{name}-management", flux, parent)
    if registry:
        flux.hub[ORGANIZATION] = registry


def deliver(name: str, target: Target, flux: Flux, parent: pulumi.Resource) -> dict[str, pulumi.Resource]:
    """The releases of a cluster by their system.

    Each is made when all that it needs is ready: what fails is said alone, and nothing waits for it in vain.
    """
    made = dict(flux.hub) if target.kind == "management" else {}
    for release in flux.releases[target.kind]:
        if release.entry.bootstrap:
            continue
        delivery = Delivery(
            name=f"{name}-{release.name}",
            release=release,
            source=flux.sources.of(release),
            target=target,
            flux=flux,
            parent=parent,
            needs=[
                *(one for need in release.depends_on if (one := _needed(need, target, made, flux))),
                *_certificates(name, release, target, made, flux, parent),
            ],
        )
        folder = release.source
        made[release.name] = _manifests(delivery, folder) if isinstance(folder, GitSource) else _chart(delivery)
    return made


def _needed(need: Dependency, target: Target, made: dict[str, pulumi.Resource], flux: Flux) -> pulumi.Resource | None:
    if need.cluster == target.kind:
        return made[need.name]
    return None if flux.settings.shared else flux.hub[need.name]


def _certificates(  # noqa: PLR0913, PLR0917  (each says one thing about the release)
    name: str, release: Release, target: Target, made: dict[str, pulumi.Resource], flux: Flux, parent: pulumi.Resource
) -> list[pulumi.Resource]:
    """Of OpenBao, whose pods mount them: without them none would start."""
    if target.kind != "management" or release.name != OPENBAO:
        return []
    return openbao_certificates(name, flux, made[CERT_MANAGER], parent)


def _chart(delivery: Delivery) -> pulumi.Resource:
    release, target = delivery.release, delivery.target
    crds = "Skip" if release.entry.skip_crds else "CreateReplace"
    artifact = delivery.source.kind == "OCIRepository"
    return flux_helm.HelmRelease(
        delivery.name,
        metadata=delivery.metadata("HelmRelease"),
        spec=flux_helm.HelmReleaseSpecArgs(
            interval=INTERVAL,
            release_name=release.name,
            target_namespace=release.namespace,
            storage_namespace=release.namespace,
            chart=None if artifact else _by_version(delivery),
            chart_ref=_by_artifact(delivery.source) if artifact else None,
            depends_on=_order(release, target) or None,
            install=flux_helm.HelmReleaseSpecInstallArgs(
                crds=crds,
                create_namespace=True,
                remediation=flux_helm.HelmReleaseSpecInstallRemediationArgs(retries=RETRIES),
            ),
            upgrade=flux_helm.HelmReleaseSpecUpgradeArgs(
                crds=crds, remediation=flux_helm.HelmReleaseSpecUpgradeRemediationArgs(retries=RETRIES)
            ),
            kube_config=_helm_access(target),
            values=release.values_in(target.cluster) or None,
        ),
        opts=delivery.options("HelmRelease"),
    )


def _by_version(delivery: Delivery) -> flux_helm.HelmReleaseSpecChartArgs:
    """Of a repository of charts, which Flux asks for the newest version that fits."""
    release, source = delivery.release, delivery.source
    ref = flux_helm.HelmReleaseSpecChartSpecSourceRefArgs(
        kind=source.kind, name=source.name, namespace=source.namespace
    )
    spec = flux_helm.HelmReleaseSpecChartSpecArgs(chart=release.chart, version=release.version, source_ref=ref)
    return flux_helm.HelmReleaseSpecChartArgs(spec=spec)


def _by_artifact(source: Source) -> flux_helm.HelmReleaseSpecChartRefArgs:
    return flux_helm.HelmReleaseSpecChartRefArgs(kind=source.kind, name=source.name, namespace=source.namespace)


def _order(release: Release, target: Target) -> list[flux_helm.HelmReleaseSpecDependsOnArgs]:
    """What Flux itself is to wait for, at every change and not only now. It knows HelmReleases only."""
    return [_dependency(one, target) for one in release.depends_on if not (one.manifests or one.bootstrap)]


def _dependency(need: Dependency, target: Target) -> flux_helm.HelmReleaseSpecDependsOnArgs:
    there = target if need.cluster == target.kind else management_target()
    return flux_helm.HelmReleaseSpecDependsOnArgs(name=need.name, namespace=there.namespace)


def _helm_access(target: Target) -> flux_helm.HelmReleaseSpecKubeConfigArgs | None:
    if target.config_map:
        ref = flux_helm.HelmReleaseSpecKubeConfigConfigMapRefArgs(name=target.config_map)
        return flux_helm.HelmReleaseSpecKubeConfigArgs(config_map_ref=ref)
    if target.secret:
        secret = flux_helm.HelmReleaseSpecKubeConfigSecretRefArgs(name=target.secret)
        return flux_helm.HelmReleaseSpecKubeConfigArgs(secret_ref=secret)
    return None


def _manifests(delivery: Delivery, folder: GitSource) -> pulumi.Resource:
    """A folder of manifests. Flux makes no namespace for it, as Helm does for a chart."""
    release, source, target = delivery.release, delivery.source, delivery.target
    here = child_opts(delivery.parent, provider=delivery.flux.provider)
    namespace = kubernetes.core.v1.Namespace(
        f"{delivery.name}-namespace",
        metadata={"name": release.namespace, "labels": MANAGED},
        opts=target.access.options(delivery.parent) if target.access else here,
    )
    images = [
        flux_kustomize.KustomizationSpecImagesArgs(
            name=one.name, new_name=one.new_name, new_tag=one.new_tag, digest=one.digest
        )
        for one in folder.images
    ]
    return flux_kustomize.Kustomization(
        delivery.name,
        metadata=delivery.metadata("Kustomization"),
        spec=flux_kustomize.KustomizationSpecArgs(
            interval=INTERVAL,
            retry_interval=RETRY,
            source_ref=flux_kustomize.KustomizationSpecSourceRefArgs(
                kind=source.kind, name=source.name, namespace=source.namespace
            ),
            path=folder.path,
            target_namespace=release.namespace,
            prune=True,
            wait=True,
            images=images or None,
            kube_config=_kustomize_access(target),
        ),
        opts=delivery.options("Kustomization", namespace),
    )


def _kustomize_access(target: Target) -> flux_kustomize.KustomizationSpecKubeConfigArgs | None:
    if target.config_map:
        ref = flux_kustomize.KustomizationSpecKubeConfigConfigMapRefArgs(name=target.config_map)
        return flux_kustomize.KustomizationSpecKubeConfigArgs(config_map_ref=ref)
    if target.secret:
        secret = flux_kustomize.KustomizationSpecKubeConfigSecretRefArgs(name=target.secret)
        return flux_kustomize.KustomizationSpecKubeConfigArgs(secret_ref=secret)
    return None
