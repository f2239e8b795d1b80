"""The keys of a tenant's Ceph clients: which of them goes where, and under which names on its way.

A key is made by Rook on the storage pool, goes to OpenBao and from there to the clusters that use it. Its names are all
that this program ever sees of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from model.ceph import ceph_pools, pools_on
from model.ceph_clients import KEY, CephClient, ceph_clients
from model.keys import Key
from model.tenant import OpenStackCluster

USER = "userID"
S3 = ("AccessKey", "SecretKey")


@dataclass(frozen=True, kw_only=True)
class CephKey(Key):
    """The key of a Ceph client, or of the object store's user: its owner. Rook's Secret is its source."""

    role: str
    """Who uses it: a service, or swift."""
    storage_cluster: str

    @property
    def path(self) -> str:
        """In OpenBao: by storage pool and tenant, so that a policy can be written for either."""
        return f"ceph/{self.storage_cluster}/{self.tenant}/{self.owner}"


def ceph_keys(tenant: OpenStackCluster) -> Iterator[CephKey]:
    """Nova's go to the hypervisors. Its control plane needs one only where it makes disks itself."""
    for client in ceph_clients(tenant):
        nova = client.service == "nova"
        yield CephKey(
            tenant=tenant.name,
            owner=client.name,
            role=client.service,
            storage_cluster=client.storage_cluster,
            source=f"rook-ceph-client-{client.name}",
            secret=client.secret,
            properties=(USER, KEY),
            on_control_plane=not nova or _has_disks(tenant, client),
            on_hypervisors=nova,
        )
    for pool in ceph_pools(tenant):
        if pool.purpose == "rgw-data":
            user = f"swift-{tenant.name}"
            first = pool.storage_cluster == tenant.storage_clusters[0]
            yield CephKey(
                tenant=tenant.name,
                owner=user,
                role="swift",
                storage_cluster=pool.storage_cluster,
                source=f"rook-ceph-object-user-{pool.name}-{user}",
                secret=f"ceph-{user}" if first else f"ceph-{user}-{pool.storage_cluster}",
                properties=S3,
            )


def _has_disks(tenant: OpenStackCluster, client: CephClient) -> bool:
    return "ephemeral" in pools_on(tenant, client.storage_cluster)
