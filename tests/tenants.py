"""The tenants of a region and the Ceph clusters of its storage pools, as the recorder sees them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import pulumi
import pulumi_kubernetes as kubernetes

from components import ByProvider, OpenStackCluster, OpenStackClusterArgs, TenantHypervisors, TenantStorage
from components.ceph_cluster import ceph_cluster
from components.options import child_opts
from model import RegionSpec
from model.pools import StoragePool
from tests.recorder import Recording, Registered, record

MONITORS = ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"]
OWN = "test:index:Own"
TENANT = "cobaltcore:index:OpenStackCluster"
CONTROL_PLANE = "kubernetes:c5c3.io/v1alpha1:ControlPlane"
SOUTHBOUND = "ssl:ovn.example.com:6642"
READY = {CONTROL_PLANE: {"status": {"endpoints": {"ovn-southbound": SOUTHBOUND}}}}


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
    hypervisors = {
        pool.name: TenantHypervisors(claim=pool, cluster=provider(pool.name, own)) for pool in spec.hypervisor_pools
    }
    return {
        claim.name: OpenStackCluster(
            claim.name,
            OpenStackClusterArgs(
                claim=claim,
                control_plane=plane,
                storage=storage,
                hypervisors=hypervisors,
                issuer=spec.control_plane.issuer_ref,
            ),
            opts=child_opts(own),
        )
        for claim in spec.open_stack_clusters
    }


def recorded(spec: RegionSpec, adds: dict[str, dict[str, Any]] | None = None) -> Recording:
    return record(lambda: build(spec), adds={**READY, **(adds or {})})


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


def place(one: Registered, region: str) -> str:
    """Cluster, namespace, kind and name of an object."""
    meta = one.inputs["metadata"]
    return f"{cluster_of(one, region)} {meta.get('namespace', '-')} {one.inputs['kind']} {meta['name']}"


Seen = dict[str, str]
"""What one sees of each object, by its name in the program."""


def seen_objects(spec: RegionSpec) -> Seen:
    return {one.name: _seen(one, spec.region) for one in objects(recorded(spec))}


def seen_tenants(specs: Mapping[str, RegionSpec]) -> dict[str, Seen]:
    """The one tenant of each region, by the region's key; all in one recording, which is the quickest way."""

    def program() -> None:
        own = Own("all")
        names = {name for spec in specs.values() for name in _clusters(spec)}
        clusters = {name: provider(name, own) for name in names}
        for key, spec in specs.items():
            (claim,) = spec.open_stack_clusters
            args = OpenStackClusterArgs(
                claim=claim,
                control_plane=clusters[spec.control_plane.name],
                storage={
                    pool.name: TenantStorage(claim=pool, cluster=clusters[pool.name], monitors=MONITORS)
                    for pool in spec.storage_pools
                },
                hypervisors={
                    pool.name: TenantHypervisors(claim=pool, cluster=clusters[pool.name])
                    for pool in spec.hypervisor_pools
                },
                issuer=spec.control_plane.issuer_ref,
            )
            OpenStackCluster(key, args, opts=child_opts(own))

    made: dict[str, Seen] = {key: {} for key in specs}
    for one in objects(record(program, adds=READY)):
        key = one.parent.rpartition("::")[2]
        made[key][one.name.removeprefix(f"{key}-")] = _seen(one, "all")
    return made


def _seen(one: Registered, region: str) -> str:
    return json.dumps([one.type, one.inputs, one.protect, one.retain, cluster_of(one, region)], sort_keys=True)


def _clusters(spec: RegionSpec) -> list[str]:
    return [spec.control_plane.name, *(pool.name for pool in spec.pools)]


def changed_objects(before: Seen, after: Seen) -> set[str]:
    """Those that are new, gone or different."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401  (whatever an object is made of)
    """Every value of an object with the path to it; what stands in a list has the path of the list."""
    if isinstance(tree, dict):
        for key, below in cast("dict[str, Any]", tree).items():
            yield from leaves(below, f"{path}.{key}")
    elif isinstance(tree, list):
        for below in cast("list[Any]", tree):
            yield from leaves(below, path)
    else:
        yield path, tree
