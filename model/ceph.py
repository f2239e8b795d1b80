"""What one tenant gets on the Ceph clusters of its storage pools: which pool is where, how often copied, how large."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from model.tenant import Backend, OpenStackCluster
from model.words import Compression

Purpose = Literal["volumes", "images", "ephemeral", "cephfs-data", "cephfs-metadata", "rgw-data", "rgw-metadata"]
Path = tuple[int | str, ...]

GIB = 1024**3
OPTIONAL: tuple[tuple[str, Purpose, Purpose], ...] = (
    ("filesystem", "cephfs-data", "cephfs-metadata"),
    ("objectStore", "rgw-data", "rgw-metadata"),
)


@dataclass(frozen=True, kw_only=True)
class CephPool:
    """One pool of RADOS objects; `path` is where the claim says how often they are copied."""

    tenant: str
    purpose: Purpose
    storage_cluster: str
    replication: int
    path: Path
    compression: Compression = "none"
    quota_gib: int = 0
    """What the tenant may store, before replication; 0 is no quota."""

    @property
    def name(self) -> str:
        """The pool's own name, or the name of the filesystem or object store that it is a part of."""
        part = self.purpose.removesuffix("-data").removesuffix("-metadata")
        return f"{self.tenant}-{part}"

    @property
    def persistent(self) -> bool:
        return self.purpose != "ephemeral"

    @property
    def raw_bytes(self) -> int:
        """What the quota takes of the disks."""
        return self.quota_gib * GIB * self.replication


Here = Mapping[Purpose, CephPool]
"""A tenant's pools on one storage cluster."""


def ceph_pools(tenant: OpenStackCluster) -> Iterator[CephPool]:
    """Every pool of the tenant on every storage cluster, only of services that it has."""
    ceph, services, first = tenant.storage.ceph, tenant.services, tenant.storage_clusters[0]
    if services.cinder:
        yield from _volumes(tenant)
    if services.glance:
        image = ceph.image_pool
        yield CephPool(
            tenant=tenant.name,
            purpose="images",
            storage_cluster=image.storage_cluster or first,
            replication=image.replication,
            path=("imagePool", "replication"),
            compression=image.compression,
        )
    if services.nova and ceph.ephemeral_pool.enabled:
        yield CephPool(
            tenant=tenant.name,
            purpose="ephemeral",
            storage_cluster=ceph.ephemeral_pool.storage_cluster or first,
            replication=ceph.ephemeral_pool.replication,
            path=("ephemeralPool", "replication"),
        )
    optional = {"filesystem": ceph.filesystem, "objectStore": ceph.object_store}
    for key, data, metadata in OPTIONAL:
        one = optional[key]
        copies: list[tuple[Purpose, int, str]] = [
            (data, one.data_pool_replication, "dataPoolReplication"),
            (metadata, one.metadata_pool_replication, "metadataPoolReplication"),
        ]
        for purpose, replication, field in copies if one.enabled else []:
            yield CephPool(
                tenant=tenant.name,
                purpose=purpose,
                storage_cluster=one.storage_cluster or first,
                replication=replication,
                path=(key, field),
            )


def pools_on(tenant: OpenStackCluster, storage_cluster: str) -> Here:
    """The tenant's pools on one storage cluster."""
    return {pool.purpose: pool for pool in ceph_pools(tenant) if pool.storage_cluster == storage_cluster}


def _volumes(tenant: OpenStackCluster) -> Iterator[CephPool]:
    volume = tenant.storage.ceph.volume_pool
    for cluster in volume.backends or tenant.storage_clusters:
        own = volume.backends.get(cluster, Backend())
        place: Path = ("volumePool", "replication")
        if own.replication is not None:
            place = ("volumePool", "backends", cluster, "replication")
        yield CephPool(
            tenant=tenant.name,
            purpose="volumes",
            storage_cluster=cluster,
            replication=volume.replication if own.replication is None else own.replication,
            path=place,
            compression=own.compression or volume.compression,
            quota_gib=volume.quota_gb if own.quota_gb is None else own.quota_gb,
        )
