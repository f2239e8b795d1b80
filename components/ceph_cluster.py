"""The Ceph cluster of a storage pool, made of the pool's disks by Rook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi_kubernetes.meta import v1 as meta

from components import local_disks
from components.ceph_tenant import NAMESPACE
from components.in_cluster import InCluster
from components.readiness import patience, waiting
from crds import rook
from model.ceph import GIB
from model.pools import StoragePool

IMAGE = "quay.io/ceph/ceph:v19.2.3"
NAME = "rook-ceph"
DATA = "/var/lib/rook"
MANAGERS = 2  # one works and one stands by
LEAST_DISK = "1Gi"  # what a disk must have where the claim names no capacity: a claim of a volume names some size
TOPOLOGY = {
    "host": "kubernetes.io/hostname",
    "rack": "topology.rook.io/rack",
    "zone": "topology.kubernetes.io/zone",
}


@dataclass(frozen=True, kw_only=True)
class CephCluster:
    """The cluster, the pool that Ceph keeps its own data in, and what mirrors volumes to another site."""

    cluster: rook.CephCluster
    own_pool: rook.CephBlockPool
    mirror: rook.CephRBDMirror | None

    @property
    def resources(self) -> list[pulumi.Resource]:
        return [self.cluster, self.own_pool, *([self.mirror] if self.mirror else [])]


def ceph_cluster(  # noqa: PLR0913  (each says one thing about the cluster)
    name: str,
    *,
    claim: StoragePool,
    cluster: InCluster,
    parent: pulumi.Resource,
    disks: str = local_disks.NAME,
    arbiter: bool = False,
    after: Sequence[pulumi.Resource] = (),
) -> CephCluster:
    """`after` is what makes Rook; `disks` is the storage class of the nodes' disks.

    With an `arbiter` one of the monitors is at its site: an even number here and that one are a majority without either
    half of the pool.
    """
    made = rook.CephCluster(
        f"{name}-ceph",
        metadata=_metadata("CephCluster", NAME, claim),
        spec=rook.CephClusterSpecArgs(
            ceph_version=rook.CephClusterSpecCephVersionArgs(image=IMAGE),
            data_dir_host_path=DATA,
            network=rook.CephClusterSpecNetworkArgs(provider="host"),  # the tenants' nodes are in other clusters
            mon=rook.CephClusterSpecMonArgs(
                count=claim.ceph.mon_count - (1 if arbiter else 0), allow_multiple_per_node=False
            ),
            mgr=rook.CephClusterSpecMgrArgs(count=MANAGERS, allow_multiple_per_node=False),
            placement={"mon": {"topologySpreadConstraints": [_spread(claim.ceph.failure_domain, "rook-ceph-mon")]}},
            storage=rook.CephClusterSpecStorageArgs(storage_class_device_sets=[_disks(claim, disks)]),
        ),
        opts=_options("CephCluster", claim, cluster, parent, after),
    )
    return CephCluster(
        cluster=made,
        own_pool=_own_pool(name, claim, cluster, parent, [made]),
        mirror=_mirror(name, claim, cluster, parent, [made]) if claim.ceph.rbd_mirrors else None,
    )


def disk_size(claim: StoragePool) -> str:
    """What each disk must have for the claim's capacity: it is usable space, and the copies take the rest."""
    raw = claim.ceph.raw_bytes
    if raw is None:
        return LEAST_DISK
    return f"{max(1, raw // (claim.workers * claim.ceph.osd_count * GIB))}Gi"


def _disks(claim: StoragePool, storage_class: str) -> rook.CephClusterSpecStorageStorageClassDeviceSetsArgs:
    """As many disks as the claim says on each node; a disk that is smaller than its share is not taken."""
    return rook.CephClusterSpecStorageStorageClassDeviceSetsArgs(
        name="disks",
        count=claim.workers * claim.ceph.osd_count,
        portable=False,  # a disk stays in its node
        encrypted=claim.ceph.encrypted,
        volume_claim_templates=[
            rook.CephClusterSpecStorageStorageClassDeviceSetsVolumeClaimTemplatesArgs(
                metadata=rook.CephClusterSpecStorageStorageClassDeviceSetsVolumeClaimTemplatesMetadataArgs(
                    name="data", annotations={"crushDeviceClass": claim.ceph.device_class}
                ),
                spec=rook.CephClusterSpecStorageStorageClassDeviceSetsVolumeClaimTemplatesSpecArgs(
                    access_modes=["ReadWriteOnce"],
                    volume_mode="Block",
                    storage_class_name=storage_class,
                    resources=rook.CephClusterSpecStorageStorageClassDeviceSetsVolumeClaimTemplatesSpecResourcesArgs(
                        requests={"storage": disk_size(claim)}
                    ),
                ),
            )
        ],
        placement=rook.CephClusterSpecStorageStorageClassDeviceSetsPlacementArgs(
            topology_spread_constraints=[_spread("host", "rook-ceph-osd")],
        ),
    )


def _spread(domain: str, app: str) -> Any:  # noqa: ANN401  (a type of its own in each place that takes it)
    """As many of an app's pods in each host, rack or zone."""
    return {
        "maxSkew": 1,
        "topologyKey": TOPOLOGY[domain],
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": [app]}]},
    }


def _own_pool(
    name: str, claim: StoragePool, cluster: InCluster, parent: pulumi.Resource, after: Sequence[pulumi.Resource]
) -> rook.CephBlockPool:
    """Ceph's own pool is on the same disks and spread alike: pools of other classes beside it cannot be balanced."""
    ceph = claim.ceph
    return rook.CephBlockPool(
        f"{name}-ceph-own",
        metadata=_metadata("CephBlockPool", "builtin-mgr", claim),
        spec=rook.CephBlockPoolSpecArgs(
            name=".mgr",
            failure_domain=ceph.failure_domain,
            device_class=ceph.device_class,
            replicated=rook.CephBlockPoolSpecReplicatedArgs(
                size=ceph.replication_factor, require_safe_replica_size=ceph.replication_factor > 1
            ),
        ),
        opts=_options("CephBlockPool", claim, cluster, parent, after),
    )


def _mirror(
    name: str, claim: StoragePool, cluster: InCluster, parent: pulumi.Resource, after: Sequence[pulumi.Resource]
) -> rook.CephRBDMirror:
    return rook.CephRBDMirror(
        f"{name}-ceph-mirror",
        metadata=_metadata("CephRBDMirror", NAME, claim),
        spec=rook.CephRBDMirrorSpecArgs(count=claim.ceph.rbd_mirrors),
        opts=_options("CephRBDMirror", claim, cluster, parent, after),
    )


def _metadata(kind: str, name: str, claim: StoragePool) -> meta.ObjectMetaArgs:
    given = {"c5c3.io/cluster": claim.name, "c5c3.io/region": claim.region}
    return meta.ObjectMetaArgs(name=name, namespace=NAMESPACE, labels=given, annotations=waiting(kind))


def _options(
    kind: str, claim: StoragePool, cluster: InCluster, parent: pulumi.Resource, after: Sequence[pulumi.Resource]
) -> pulumi.ResourceOptions:
    protected = {"protect": True, "retain_on_delete": True} if claim.deletion_protection else {}
    return cluster.options(parent, depends_on=after, custom_timeouts=patience(kind), **protected)
