"""What a tenant has on one storage pool: Ceph pools, clients, a filesystem and an object store, as far as it asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import pulumi
from pulumi_kubernetes.meta import v1 as meta

from components.in_cluster import InCluster
from components.tenant_objects import labels, metadata, options
from crds import rook
from model.ceph import CephPool, Here, Purpose, pools_on
from model.ceph_clients import Service, ceph_clients
from model.pools import StoragePool
from model.tenant import OpenStackCluster

NAMESPACE = "rook-ceph"
HTTP, HTTPS = 80, 443
BLOCK: tuple[Purpose, ...] = ("volumes", "images", "ephemeral")


@dataclass(frozen=True, kw_only=True)
class CephTenant:
    """One tenant's objects on one storage pool."""

    pools: dict[Purpose, rook.CephBlockPool]
    clients: dict[Service, rook.CephClient]
    filesystem: rook.CephFilesystem | None = None
    object_store: rook.CephObjectStore | None = None
    user: rook.CephObjectStoreUser | None = None

    @property
    def resources(self) -> list[pulumi.Resource]:
        optional = [one for one in (self.filesystem, self.object_store, self.user) if one is not None]
        return [*self.pools.values(), *self.clients.values(), *optional]

    def owner(self, role: str) -> pulumi.Resource:
        """What Rook makes the key of a role for: a service's client, or the object store's user."""
        found = self.user if role == "swift" else self.clients.get(cast("Service", role))
        assert found is not None, f"no {role} is made here"
        return found


def ceph_tenant(  # noqa: PLR0913  (each says one thing about the tenant)
    name: str,
    *,
    claim: OpenStackCluster,
    pool: StoragePool,
    cluster: InCluster,
    parent: pulumi.Resource,
    after: Sequence[pulumi.Resource] = (),
) -> CephTenant:
    """`after` is what is there first, such as the Ceph cluster. Clients come after the pools that their rights name."""
    return _Builder(name=name, claim=claim, pool=pool, cluster=cluster, parent=parent, after=tuple(after)).build()


@dataclass(frozen=True, kw_only=True)
class _Builder:
    name: str
    claim: OpenStackCluster
    pool: StoragePool
    cluster: InCluster
    parent: pulumi.Resource
    after: tuple[pulumi.Resource, ...]

    def build(self) -> CephTenant:
        here = pools_on(self.claim, self.pool.name)
        pools: dict[Purpose, rook.CephBlockPool] = {
            purpose: self._block_pool(here[purpose]) for purpose in BLOCK if purpose in here
        }
        filesystem = self._filesystem(here) if "cephfs-data" in here else None
        store = self._object_store(here) if "rgw-data" in here else None
        before = [*pools.values(), *([filesystem] if filesystem else [])]
        return CephTenant(
            pools=pools,
            clients=dict(self._clients(before)),
            filesystem=filesystem,
            object_store=store,
            user=self._user(store) if store else None,
        )

    def _called(self, what: str) -> str:
        """No name of a tenant or a pool has an @, so no two objects of a region are called alike."""
        return f"{self.name}-{what}@{self.pool.name}"

    def _metadata(self, kind: str, name: str) -> meta.ObjectMetaArgs:
        return metadata(kind, name, NAMESPACE, labels(self.claim))

    def _options(self, kind: str, before: Sequence[pulumi.Resource] = ()) -> pulumi.ResourceOptions:
        return options(
            self.claim,
            self.cluster,
            self.parent,
            kind=kind,
            after=[*self.after, *before],
            holds_data=kind != "CephClient",
        )

    def _block_pool(self, one: CephPool) -> rook.CephBlockPool:
        mirroring = self.claim.storage.ceph.volume_pool.mirroring
        mirrored = one.purpose == "volumes" and mirroring.enabled
        return rook.CephBlockPool(
            self._called(one.purpose),
            metadata=self._metadata("CephBlockPool", one.name),
            spec=rook.CephBlockPoolSpecArgs(
                failure_domain=self.pool.ceph.failure_domain,
                device_class=self.pool.ceph.device_class,
                replicated=rook.CephBlockPoolSpecReplicatedArgs(
                    size=one.replication, require_safe_replica_size=one.replication > 1
                ),
                parameters={"compression_mode": one.compression},
                quotas=rook.CephBlockPoolSpecQuotasArgs(max_size=f"{one.quota_gib}Gi") if one.quota_gib else None,
                mirroring=rook.CephBlockPoolSpecMirroringArgs(enabled=True, mode=mirroring.mode) if mirrored else None,
            ),
            opts=self._options("CephBlockPool"),
        )

    def _clients(self, before: Sequence[pulumi.Resource]) -> Iterator[tuple[Service, rook.CephClient]]:
        for one in ceph_clients(self.claim):
            if one.storage_cluster == self.pool.name:
                yield (
                    one.service,
                    rook.CephClient(
                        self._called(f"client-{one.service}"),
                        metadata=self._metadata("CephClient", one.name),
                        spec=rook.CephClientSpecArgs(caps=one.caps),
                        opts=self._options("CephClient", before),
                    ),
                )

    def _filesystem(self, here: Here) -> rook.CephFilesystem:
        data, meta = here["cephfs-data"], here["cephfs-metadata"]
        ceph = self.pool.ceph
        return rook.CephFilesystem(
            self._called("cephfs"),
            metadata=self._metadata("CephFilesystem", data.name),
            spec=rook.CephFilesystemSpecArgs(
                metadata_pool=rook.CephFilesystemSpecMetadataPoolArgs(
                    failure_domain=ceph.failure_domain,
                    device_class=ceph.device_class,
                    replicated=rook.CephFilesystemSpecMetadataPoolReplicatedArgs(
                        size=meta.replication, require_safe_replica_size=meta.replication > 1
                    ),
                ),
                data_pools=[
                    rook.CephFilesystemSpecDataPoolsArgs(
                        name="data0",
                        failure_domain=ceph.failure_domain,
                        device_class=ceph.device_class,
                        replicated=rook.CephFilesystemSpecDataPoolsReplicatedArgs(
                            size=data.replication, require_safe_replica_size=data.replication > 1
                        ),
                    )
                ],
                metadata_server=rook.CephFilesystemSpecMetadataServerArgs(active_count=1, active_standby=True),
                preserve_filesystem_on_delete=self.claim.deletion_protection,
            ),
            opts=self._options("CephFilesystem"),
        )

    def _object_store(self, here: Here) -> rook.CephObjectStore:
        data, meta = here["rgw-data"], here["rgw-metadata"]
        ceph, wanted = self.pool.ceph, self.claim.storage.ceph.object_store
        return rook.CephObjectStore(
            self._called("rgw"),
            metadata=self._metadata("CephObjectStore", data.name),
            spec=rook.CephObjectStoreSpecArgs(
                metadata_pool=rook.CephObjectStoreSpecMetadataPoolArgs(
                    failure_domain=ceph.failure_domain,
                    device_class=ceph.device_class,
                    replicated=rook.CephObjectStoreSpecMetadataPoolReplicatedArgs(
                        size=meta.replication, require_safe_replica_size=meta.replication > 1
                    ),
                ),
                data_pool=rook.CephObjectStoreSpecDataPoolArgs(
                    failure_domain=ceph.failure_domain,
                    device_class=ceph.device_class,
                    replicated=rook.CephObjectStoreSpecDataPoolReplicatedArgs(
                        size=data.replication, require_safe_replica_size=data.replication > 1
                    ),
                ),
                # A secure port without a certificate would keep the gateway from starting.
                gateway=rook.CephObjectStoreSpecGatewayArgs(
                    port=HTTP,
                    secure_port=HTTPS if wanted.ssl_certificate_ref else None,
                    ssl_certificate_ref=wanted.ssl_certificate_ref,
                    instances=wanted.instances,
                ),
                preserve_pools_on_delete=self.claim.deletion_protection,
            ),
            opts=self._options("CephObjectStore"),
        )

    def _user(self, store: rook.CephObjectStore) -> rook.CephObjectStoreUser:
        """It owns the tenant's buckets. The documents' `*` for users would let it make users of its own."""
        return rook.CephObjectStoreUser(
            self._called("swift"),
            metadata=self._metadata("CephObjectStoreUser", f"swift-{self.claim.name}"),
            spec=rook.CephObjectStoreUserSpecArgs(
                store=f"{self.claim.name}-rgw",
                display_name=f"OpenStack Swift User - {self.claim.name}",
                capabilities=rook.CephObjectStoreUserSpecCapabilitiesArgs(user="read", bucket="*"),
            ),
            opts=self._options("CephObjectStoreUser", [store]),
        )
