"""The parts of a tenant's ControlPlane that say where its data is: pools, monitors and the Secrets with the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pulumi

from crds import c5c3
from model.ceph import CephPool, Here, Purpose, ceph_pools, pools_on
from model.ceph_clients import KEY, Service, ceph_clients
from model.tenant import OpenStackCluster


def storage(
    claim: OpenStackCluster, monitors: Mapping[str, pulumi.Input[Sequence[str]]]
) -> c5c3.ControlPlaneSpecStorageArgs:
    """The documents' fields describe the tenant's first storage pool; `clusters` describes all further ones alike."""
    first, *further = claim.storage_clusters
    here, secret = pools_on(claim, first), _secrets(claim, "cinder").get(first)
    return c5c3.ControlPlaneSpecStorageArgs(
        storage_clusters=list(claim.storage_clusters),
        ceph=c5c3.ControlPlaneSpecStorageCephArgs(
            secret_ref=c5c3.ControlPlaneSpecStorageCephSecretRefArgs(name=secret, key=KEY) if secret else None,
            monitors=monitors[first],
            pools=c5c3.ControlPlaneSpecStorageCephPoolsArgs(
                volumes=_name(here, "volumes"), images=_name(here, "images"), ephemeral=_name(here, "ephemeral")
            ),
            filesystem=c5c3.ControlPlaneSpecStorageCephFilesystemArgs(name=here["cephfs-data"].name)
            if "cephfs-data" in here
            else None,
            clusters=[_further(claim, cluster, monitors[cluster]) for cluster in further] or None,
        ),
    )


def _further(
    claim: OpenStackCluster, cluster: str, monitors: pulumi.Input[Sequence[str]]
) -> c5c3.ControlPlaneSpecStorageCephClustersArgs:
    here, secret = pools_on(claim, cluster), _secrets(claim, "cinder").get(cluster)
    return c5c3.ControlPlaneSpecStorageCephClustersArgs(
        name=cluster,
        secret_ref=c5c3.ControlPlaneSpecStorageCephClustersSecretRefArgs(name=secret, key=KEY) if secret else None,
        monitors=monitors,
        pools=c5c3.ControlPlaneSpecStorageCephClustersPoolsArgs(
            volumes=_name(here, "volumes"), images=_name(here, "images"), ephemeral=_name(here, "ephemeral")
        ),
        filesystem=c5c3.ControlPlaneSpecStorageCephClustersFilesystemArgs(name=here["cephfs-data"].name)
        if "cephfs-data" in here
        else None,
    )


def cinder_backends(claim: OpenStackCluster) -> list[c5c3.ControlPlaneSpecServicesCinderBackendsArgs]:
    """One for each storage pool that holds volumes, called after it."""
    secrets = _secrets(claim, "cinder")
    return [
        c5c3.ControlPlaneSpecServicesCinderBackendsArgs(
            name=f"ceph-{pool.storage_cluster}",
            type="rbd",
            pool=pool.name,
            secret_ref=secrets[pool.storage_cluster],
            storage_cluster=pool.storage_cluster,
        )
        for pool in _of(claim, "volumes")
    ]


def glance_backend(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesGlanceBackendArgs:
    (pool,) = _of(claim, "images")
    return c5c3.ControlPlaneSpecServicesGlanceBackendArgs(
        type="rbd",
        pool=pool.name,
        secret_ref=_secrets(claim, "glance")[pool.storage_cluster],
        storage_cluster=pool.storage_cluster,
    )


def nova_ephemeral(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesNovaEphemeralArgs | None:
    """None: the disks are on the hypervisors themselves."""
    for pool in _of(claim, "ephemeral"):
        return c5c3.ControlPlaneSpecServicesNovaEphemeralArgs(
            backend="rbd",
            pool=pool.name,
            secret_ref=_secrets(claim, "nova")[pool.storage_cluster],
            storage_cluster=pool.storage_cluster,
        )
    return None


def manila_backends(claim: OpenStackCluster) -> list[c5c3.ControlPlaneSpecServicesManilaBackendsArgs]:
    return [
        c5c3.ControlPlaneSpecServicesManilaBackendsArgs(
            name="cephfs",
            type="cephfs",
            filesystem=pool.name,
            secret_ref=_secrets(claim, "manila")[pool.storage_cluster],
            storage_cluster=pool.storage_cluster,
        )
        for pool in _of(claim, "cephfs-data")
    ]


def _of(claim: OpenStackCluster, purpose: Purpose) -> list[CephPool]:
    return [pool for pool in ceph_pools(claim) if pool.purpose == purpose]


def _name(here: Here, purpose: Purpose) -> str | None:
    return here[purpose].name if purpose in here else None


def _secrets(claim: OpenStackCluster, service: Service) -> dict[str, str]:
    """The Secret with the service's key, by storage pool."""
    return {one.storage_cluster: one.secret for one in ceph_clients(claim) if one.service == service}
