"""The tenants of a region and the Ceph clusters of its storage pools, as the recorder sees them."""

from collections.abc import Iterable
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components import ByProvider, OpenStackCluster, OpenStackClusterArgs, TenantStorage
from components.ceph_cluster import ceph_cluster
from components.options import child_opts
from model import RegionSpec
from model.pools import StoragePool
from tests.recorder import Recording, Registered, record

MONITORS = ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"]
OWN = "test:index:Own"
TENANT = "cobaltcore:index:OpenStackCluster"


class Own(pulumi.ComponentResource):
    """Stands for the region that will make them."""

    def __init__(self, name: str) -> None:
        super().__init__(OWN, name)
        self.name = name


def build(spec: RegionSpec) -> dict[str, OpenStackCluster]:
    """Every tenant of the region, on providers that are called after their clusters."""
    own = Own(spec.region)
    plane = provider(spec.control_plane.name, own)
    storage = {pool.name: _storage(pool, own) for pool in spec.storage_pools}
    return {
        claim.name: OpenStackCluster(
            claim.name,
            OpenStackClusterArgs(
                claim=claim, control_plane=plane, storage=storage, issuer=spec.control_plane.issuer_ref
            ),
            opts=child_opts(own),
        )
        for claim in spec.open_stack_clusters
    }


def recorded(spec: RegionSpec, adds: dict[str, dict[str, Any]] | None = None) -> Recording:
    return record(lambda: build(spec), adds=adds)


def provider(cluster: str, parent: Own) -> ByProvider:
    name = f"{parent.name}-{cluster}"
    return ByProvider(provider=kubernetes.Provider(name, cluster_identifier=cluster, opts=child_opts(parent)))


def _storage(pool: StoragePool, parent: Own) -> TenantStorage:
    cluster = provider(pool.name, parent)
    made = ceph_cluster(f"{parent.name}-{pool.name}", claim=pool, cluster=cluster, parent=parent)
    return TenantStorage(claim=pool, cluster=cluster, monitors=MONITORS, after=made.resources)


def objects(recording: Iterable[Registered]) -> list[Registered]:
    """What stands in a cluster afterwards."""
    return [one for one in recording if one.custom and not one.type.startswith("pulumi:")]


def of_tenant(recording: Iterable[Registered], tenant: str) -> list[Registered]:
    return [one for one in objects(recording) if one.parent.endswith(f"{TENANT}::{tenant}")]


def cluster_of(one: Registered, region: str) -> str:
    """The cluster that an object is in, by its provider."""
    return one.provider.split("::")[-2].removeprefix(f"{region}-")
