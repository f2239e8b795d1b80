"""What is installed, as the objects themselves say it once they are ready."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from crds import flux_helm, flux_kustomize, rook

NONE = ""  # nobody has said yet


def versions(releases: Mapping[str, pulumi.Resource]) -> dict[str, pulumi.Output[str]]:
    """The version of each system: its chart's, or the revision of its manifests."""
    return {name: found for name, one in releases.items() if (found := _version(one))}


def health(ceph: rook.CephCluster | None) -> pulumi.Output[str]:
    """HEALTH_OK, HEALTH_WARN or HEALTH_ERR, as Ceph said when it was last looked at; nothing without a Ceph."""
    return ceph.status.apply(_health) if ceph else pulumi.Output.from_input(NONE)


def _version(one: pulumi.Resource) -> pulumi.Output[str] | None:
    if isinstance(one, flux_helm.HelmRelease):
        return one.status.apply(_chart)
    if isinstance(one, flux_kustomize.Kustomization):
        return one.status.apply(_revision)
    return None


def _chart(status: flux_helm.outputs.HelmReleaseStatus | None) -> str:
    history = (status.history if status else None) or []
    return history[0].chart_version if history else NONE


def _revision(status: flux_kustomize.outputs.KustomizationStatus | None) -> str:
    return (status.last_applied_revision if status else None) or NONE


def _health(status: rook.outputs.CephClusterStatus | None) -> str:
    ceph = status.ceph if status else None
    return (ceph.health if ceph else None) or NONE
