"""Other regions that use the same management cluster: one brings its systems, the others share them.

It is looked at while planning, before anything is made: two regions that both bring Flux, or have a cluster of one
name, would take each other's objects.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi

from access.garden import Garden as Connection, Object
from access.login import locate
from access.problem import Problem
from components.flux_bootstrap import NAMESPACE, OWNER, REGION_KEY
from components.shoot import CLUSTER_LABEL, REGION_LABEL
from model.region import Management, RegionSpec

LOOK_SECONDS = 10.0
WHAT = "management cluster"
AGAIN = "Nothing was changed: run the update again when the management cluster answers."
WITHOUT = (
    "Planning without looking whether another region uses it, and without Flux's chart: what that has made shows as "
    "deleted here, and no update deletes it."
)
KEY = "cobaltcore:management"


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """What regions there are in a management cluster."""

    owner: str | None = None  # the region that brings its systems
    clusters: Mapping[str, str] = field(default_factory=dict[str, str])  # the region of each cluster that Flux knows
    silent: bool = False  # it was asked, and gave no answer


def check(spec: RegionSpec, management: Management, parent: pulumi.Resource) -> bool:
    """Refuse to plan a region that would take what is another's. True: the management cluster gave no answer."""
    found = look(management, parent)
    if found is None or found.silent:
        return found is not None
    sentences = list(mistakes(spec, management, found))
    if sentences:
        raise pulumi.RunError("nothing was planned.\n" + "\n".join(sentences))
    return False


def look(management: Management, parent: pulumi.Resource) -> Neighbours | None:
    """None: there is no kubeconfig. An update needs the answer; a preview goes on without, and says so."""
    if not locate(management.kubeconfig).exists():
        return None  # which the provider's maker says
    try:
        cluster = Connection.of(management.kubeconfig, LOOK_SECONDS, WHAT)
        owner = cluster.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps/{OWNER}")
        namespaces = cluster.get(f"/api/v1/namespaces?labelSelector={CLUSTER_LABEL}")
    except Problem as problem:
        if not pulumi.runtime.is_dry_run():
            raise pulumi.RunError(f"{problem} {AGAIN}") from None
        pulumi.log.warn(f"{problem} {WITHOUT}", parent)
        return Neighbours(silent=True)
    rows: list[Object] = (namespaces or {}).get("items", [])
    return Neighbours(owner=_region_of(owner), clusters=dict(_clusters(rows)))


def mistakes(spec: RegionSpec, management: Management, found: Neighbours) -> Iterator[str]:
    where, mine = f"The management cluster of {management.kubeconfig}", spec.region
    if management.shared and found.owner is None:
        yield (
            f"{where} has no region yet that brings its systems, and {KEY}.shared is true: run that region's stack "
            "first, or leave shared out."
        )
    if management.shared and found.owner == mine:
        yield f"{where} has its systems from this region, and {KEY}.shared is true: leave shared out."
    if not management.shared and found.owner not in (None, mine):
        yield (
            f"{where} has its systems from the region {found.owner}: set {KEY}.shared to true to use them too, or name "
            "another management cluster."
        )
    for cluster in (spec.control_plane, *spec.pools):
        theirs = found.clusters.get(cluster.name, mine)
        if theirs != mine:
            yield (
                f"{where} has a cluster {cluster.name} of the region {theirs} already, and what Flux has for a "
                "cluster is in a namespace of its name: name this one otherwise, or name another management cluster."
            )


def _region_of(owner: Object | None) -> str | None:
    data: dict[str, Any] = (owner or {}).get("data") or {}
    return data.get(REGION_KEY)


def _clusters(namespaces: list[Object]) -> Iterator[tuple[str, str]]:
    for one in namespaces:
        labels = one["metadata"]["labels"]
        if REGION_LABEL in labels:
            yield labels[CLUSTER_LABEL], labels[REGION_LABEL]
