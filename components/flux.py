"""The management cluster's Flux, which delivers every system of the catalogue to every cluster of a region."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import pulumi
import pulumi_kubernetes as kubernetes

from access.login import locate
from components import neighbours
from components.flux_bootstrap import bootstrap
from components.flux_chart import FluxChart
from components.flux_sources import Sources
from components.flux_trouble import WHAT, explain
from components.kubeconfig_file import file_provider
from model.catalog import CLUSTER_KINDS, ClusterKind, Release, load_catalog, wanted
from model.mirror import Mirror
from model.pools import Cluster
from model.region import Management, RegionSpec
from model.words import Size

Releases = Mapping[ClusterKind, tuple[Release, ...]]
SIZES: tuple[Size, ...] = get_args(Size)  # from the smallest


@dataclass(frozen=True, kw_only=True)
class Flux:
    """As every cluster of a region is handed it."""

    region: str
    settings: Management
    provider: kubernetes.Provider
    sources: Sources
    on_error: pulumi.ErrorHook
    releases: Releases  # what each kind of cluster gets, in order
    hub: dict[str, pulumi.Resource] = field(default_factory=dict[str, pulumi.Resource])  # in the management cluster


def connect_flux(name: str, spec: RegionSpec, parent: pulumi.Resource, *, looks: bool = True) -> Flux | None:
    """The one Flux of a region; none when the region names no management cluster. It `looks` at what is there."""
    management = spec.management
    if management is None:
        pulumi.log.info("cobaltcore:management is not set: planning clusters with nothing in them.", parent)
        return None
    if management.secret_store is None:
        pulumi.log.info("cobaltcore:management.secretStore is not set: the region's clusters get no secrets.", parent)
    silent = looks and neighbours.check(spec, management, parent)
    mirror = Mirror.at(spec.chart_mirror) if spec.chart_mirror else None
    on_error = explain(f"{name}-management-explains", management)
    planned = releases(spec)
    if sentences := list(too_old(spec, planned)):
        raise pulumi.RunError("nothing was planned.\n" + "\n".join(sentences))
    chart = None if management.shared else FluxChart.of(planned["management"], mirror)
    if chart and looks and not silent and locate(management.kubeconfig).exists():
        chart.check()
    provider = file_provider(
        f"{name}-management",
        management.kubeconfig,
        key="cobaltcore:management.kubeconfig",
        what=f"the {WHAT}",
        identifier=f"{name}-management",
        parent=parent,
        silent=silent,
    )
    if mirror is None:
        planned = _published(planned, parent)
    begun: dict[str, pulumi.Resource] = {}
    if chart:
        begun = bootstrap(
            f"{name}-management",
            planned["management"],
            region=spec.region,
            chart=chart,
            provider=provider,
            on_error=on_error,
            minutes=management.ready_within,
            parent=parent,
        )
    sources = Sources(
        f"{name}-source",
        provider=provider,
        mirror=mirror,
        on_error=on_error,
        after=list(begun.values()),
        minutes=management.ready_within,
        parent=parent,
        prefix=f"{spec.region}-" if management.shared else "",
    )
    return Flux(
        region=spec.region,
        settings=management,
        provider=provider,
        sources=sources,
        on_error=on_error,
        releases=planned,
        hub={**begun},
    )


def releases(spec: RegionSpec) -> Releases:
    """What the catalogue has for each kind of cluster of a region."""
    catalog, asked = load_catalog(), wanted(spec)
    sizes: list[Size] = [one.size for one in spec.open_stack_clusters]
    size = max(sizes, key=SIZES.index) if sizes else None
    return {kind: catalog.releases(kind, spec.environment, spec.releases, asked, size) for kind in CLUSTER_KINDS}


def too_old(spec: RegionSpec, planned: Releases) -> Iterator[str]:
    """The systems that do not run on the Kubernetes of the cluster that they are to go to."""
    clusters: Mapping[ClusterKind, Sequence[Cluster]] = {
        "control-plane": [spec.control_plane],
        "hypervisor": spec.hypervisor_pools,
        "storage": spec.storage_pools,
    }
    for kind, claims in clusters.items():
        for claim, release in itertools.product(claims, planned[kind]):
            if not release.runs_on(claim.kubernetes_version):
                yield (
                    f"{claim.name}: kubernetesVersion is {claim.kubernetes_version}, and {release.name} needs "
                    f"{release.entry.kubernetes} or newer: raise kubernetesVersion, or switch {release.name} off in "
                    f"cobaltcore:releases."
                )


def _published(planned: Releases, parent: pulumi.Resource) -> Releases:
    """Without those that no chart is published of. What only needs them is delivered all the same, and waits itself."""
    missing = sorted({one.name for rows in planned.values() for one in rows if not one.entry.published})
    if missing:
        pulumi.log.warn(
            f"These systems are left out, as nobody has published a chart of them: {', '.join(missing)}. Name a "
            "registry that has them in cobaltcore:chartMirror.",
            parent,
        )
    return {kind: tuple(_without(missing, rows)) for kind, rows in planned.items()}


def _without(missing: list[str], rows: tuple[Release, ...]) -> Iterator[Release]:
    for one in rows:
        if one.name not in missing:
            needs = tuple(need for need in one.depends_on if need.name not in missing)
            yield dataclasses.replace(one, depends_on=needs)
