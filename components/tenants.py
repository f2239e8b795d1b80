"""The tenants of a region, each on the objects of its clusters that it needs, and on nothing else of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

from components.control_plane_cluster import ControlPlaneCluster
from components.flux import releases
from components.hypervisor_pool import HypervisorPool
from components.openstack_cluster import OpenStackCluster, OpenStackClusterArgs, TenantStorage
from components.options import child_opts
from components.storage_pool import StoragePool
from components.tenant_hypervisors import TenantHypervisors
from model import RegionSpec
from model.catalog import ClusterKind

Clusters = ControlPlaneCluster | HypervisorPool | StoragePool
# What reads or defines the objects of a tenant in each cluster.
NEEDED: Mapping[ClusterKind, tuple[str, ...]] = {
    "control-plane": ("c5c3-operator", "external-secrets"),
    "hypervisor": ("hypervisor-share-operator", "external-secrets"),
    "storage": ("rook-ceph", "external-secrets"),
}


@dataclass(frozen=True, kw_only=True)
class RegionClusters:
    control_plane: ControlPlaneCluster
    hypervisors: Mapping[str, HypervisorPool]
    storage: Mapping[str, StoragePool]


def make_tenants(
    spec: RegionSpec, clusters: RegionClusters, why: str | None, parent: pulumi.Resource
) -> dict[str, OpenStackCluster]:
    """None where something is missing that they need: `why` says what."""
    if not spec.open_stack_clusters:
        return {}
    if why:
        if spec.management:  # without one all clusters are empty, which has been said
            pulumi.log.warn(f"No tenant is made: {why}", parent)
        return {}
    storage = {pool.name: _storage(pool.name, spec, clusters) for pool in spec.storage_pools}
    hypervisors = {pool.name: _hypervisors(pool.name, spec, clusters) for pool in spec.hypervisor_pools}
    plane = clusters.control_plane
    return {
        claim.name: OpenStackCluster(
            claim.name,
            OpenStackClusterArgs(
                claim=claim,
                control_plane=plane.access,
                storage=storage,
                hypervisors=hypervisors,
                issuer=spec.control_plane.issuer_ref,
                after=[*_ready(plane, "control-plane"), *([plane.issuer] if plane.issuer else [])],
            ),
            opts=child_opts(parent),
        )
        for claim in spec.open_stack_clusters
    }


def impossible(spec: RegionSpec) -> str | None:
    """What of the region's settings keeps tenants from coming up."""
    if spec.management is None:
        return (
            "nobody delivers the systems that they need. Name the management cluster whose Flux does in "
            "cobaltcore:management."
        )
    there = {
        (kind, release.name)
        for kind, rows in releases(spec).items()
        for release in rows
        if spec.chart_mirror or release.entry.published
    }
    missing = sorted({one for kind, names in NEEDED.items() for one in names if (kind, one) not in there})
    if missing:
        return (
            f"nobody has published {' and '.join(missing)}. Name a registry that has what the warning above lists in "
            "cobaltcore:chartMirror."
        )
    if spec.management.secret_store is None:
        return (
            "its keys go through OpenBao, and no cluster knows where that is. Say so in "
            "cobaltcore:management.secretStore (docs/secret-stores.md)."
        )
    return None


def _storage(name: str, spec: RegionSpec, clusters: RegionClusters) -> TenantStorage:
    pool = clusters.storage[name]
    ceph = pool.ceph
    (claim,) = (one for one in spec.storage_pools if one.name == name)
    return TenantStorage(
        claim=claim,
        cluster=pool.access,
        monitors=pool.monitors,
        after=[*_ready(pool, "storage"), *(ceph.resources if ceph else [])],
        ceph=ceph.cluster if ceph else None,
    )


def _hypervisors(name: str, spec: RegionSpec, clusters: RegionClusters) -> TenantHypervisors:
    pool = clusters.hypervisors[name]
    (claim,) = (one for one in spec.hypervisor_pools if one.name == name)
    return TenantHypervisors(claim=claim, cluster=pool.access, after=_ready(pool, "hypervisor"))


def _ready(cluster: Clusters, kind: ClusterKind) -> list[pulumi.Resource]:
    """The operators that a tenant's objects need there, and the store that its keys go through."""
    operators = [cluster.releases[name] for name in NEEDED[kind]]
    return [*operators, *([cluster.store] if cluster.store else [])]
