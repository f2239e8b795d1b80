"""The management cluster's Flux, which delivers every system of the catalogue to every cluster of a region."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pulumi
import pulumi_kubernetes as kubernetes

from access.flux_status import explained, flux_path
from access.garden import Garden as Connection
from access.problem import Problem
from components.flux_bootstrap import bootstrap
from components.flux_sources import NAMESPACE, Sources
from components.kubeconfig_file import file_provider
from model.catalog import CLUSTER_KINDS, ClusterKind, Release, load_catalog, wanted
from model.mirror import Mirror
from model.region import Management, RegionSpec

Releases = Mapping[ClusterKind, tuple[Release, ...]]
WHAT = "management cluster"


@dataclass(frozen=True, kw_only=True)
class Flux:
    """As every cluster of a region is handed it."""

    settings: Management
    provider: kubernetes.Provider
    sources: Sources
    on_error: pulumi.ErrorHook
    releases: Releases  # what each kind of cluster gets, in order
    hub: dict[str, pulumi.Resource] = field(default_factory=dict[str, pulumi.Resource])  # in the management cluster


def connect_flux(name: str, spec: RegionSpec, parent: pulumi.Resource) -> Flux | None:
    """The one Flux of a region; none when the region names no management cluster."""
    management = spec.management
    if management is None:
        pulumi.log.info("cobaltcore:management is not set: planning clusters with nothing in them.", parent)
        return None
    mirror = Mirror.at(spec.chart_mirror) if spec.chart_mirror else None
    provider = file_provider(
        f"{name}-management",
        management.kubeconfig,
        key="cobaltcore:management.kubeconfig",
        what=f"the {WHAT}",
        identifier=f"{name}-management",
        parent=parent,
    )
    on_error = explain(f"{name}-management-explains", management)
    planned = releases(spec)
    if mirror is None:
        planned = _published(planned, parent)
    begun = bootstrap(
        f"{name}-management", planned["management"], mirror=mirror, provider=provider, on_error=on_error, parent=parent
    )
    sources = Sources(
        f"{name}-source",
        provider=provider,
        mirror=mirror,
        on_error=on_error,
        after=list(begun.values()),
        parent=parent,
    )
    return Flux(
        settings=management, provider=provider, sources=sources, on_error=on_error, releases=planned, hub={**begun}
    )


def releases(spec: RegionSpec) -> Releases:
    """What the catalogue has for each kind of cluster of a region."""
    catalog, asked = load_catalog(), wanted(spec)
    return {kind: catalog.releases(kind, spec.environment, spec.releases, asked) for kind in CLUSTER_KINDS}


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


def explain(name: str, settings: Management) -> pulumi.ErrorHook:
    """Say what Flux says of an object that did not become ready; the provider's own message lacks it."""

    def said(args: pulumi.ErrorHookArgs) -> bool:
        inputs = args.new_inputs or args.old_inputs or {}
        metadata = inputs.get("metadata", {})
        try:
            path = flux_path(
                inputs["apiVersion"], inputs["kind"], metadata.get("namespace", NAMESPACE), metadata["name"]
            )
            found = Connection.of(settings.kubeconfig, what=WHAT).get(path)
        except Problem as problem:
            pulumi.log.error(str(problem))
        else:
            if found is not None:
                pulumi.log.error(explained(found, settings.ready_within))
        return False  # not again: Flux goes on by itself

    return pulumi.ErrorHook(name, said)
