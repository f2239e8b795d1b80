"""Who of a tenant may do what on a Ceph cluster: one client for each service, with no more rights than it needs.

Every right names one of the tenant's own pools or its own filesystem. A bare `profile rbd` would open all pools of the
cluster, which other tenants share.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from model.ceph import Here, Purpose, pools_on
from model.tenant import OpenStackCluster

Service = Literal["cinder", "glance", "nova", "manila"]

# What Manila's driver for CephFS sends.
MANILA = (
    *(f"subvolume {one}" for one in ("create", "rm", "resize", "getpath", "info", "ls")),
    *(f"subvolume {one}" for one in ("authorize", "deauthorize", "authorized_list", "evict")),
    *(f"subvolume snapshot {one}" for one in ("create", "rm", "info", "ls", "clone")),
    *(f"subvolumegroup {one}" for one in ("create", "rm", "info", "snapshot rm")),
    *("clone status", "clone cancel"),
)

KEY = "userKey"  # where Rook's Secret has the key of a client, and the tenant's Secret too


@dataclass(frozen=True, kw_only=True)
class CephClient:
    """A service's client on one storage pool."""

    tenant: str
    service: Service
    storage_cluster: str
    first: bool
    """Whether the storage pool is the tenant's first, whose Secrets the documents call without the pool."""
    caps: Mapping[str, str]

    @property
    def name(self) -> str:
        """Cinder's is the documents' `openstack-<tenant>`. The service stands first, so no two tenants share a name."""
        return f"{'openstack' if self.service == 'cinder' else self.service}-{self.tenant}"

    @property
    def secret(self) -> str:
        """The Secret with its key in the tenant's namespace; Cinder's is the documents' `ceph-client-<tenant>`."""
        begin = f"ceph-{'client' if self.service == 'cinder' else self.service}-{self.tenant}"
        return begin if self.first else f"{begin}-{self.storage_cluster}"


def ceph_clients(tenant: OpenStackCluster) -> Iterator[CephClient]:
    """Every client of the tenant, on every storage pool where its service has something to do."""
    services = tenant.services
    for cluster in tenant.storage_clusters:
        here = pools_on(tenant, cluster)
        found: dict[Service, dict[str, str]] = {}
        if "volumes" in here:
            found["cinder"] = _block(here, writes=["volumes"], reads=["images"])
        if "images" in here:
            found["glance"] = _block(here, writes=["images"])
        # Hypervisors attach the volumes with Nova's key, so that none of them has one that may write images.
        if services.nova and here.keys() & {"volumes", "ephemeral"}:
            found["nova"] = _block(here, writes=["volumes", "ephemeral"], reads=["images"])
        if services.manila and "cephfs-data" in here:
            found["manila"] = _filesystem(here["cephfs-data"].name)
        for service, caps in found.items():
            yield CephClient(
                tenant=tenant.name,
                service=service,
                storage_cluster=cluster,
                first=cluster == tenant.storage_clusters[0],
                caps=caps,
            )


def _block(here: Here, *, writes: Iterable[Purpose], reads: Iterable[Purpose] = ()) -> dict[str, str]:
    """Pools that are not on this storage pool are left out."""
    written = [f"profile rbd pool={here[one].name}" for one in writes if one in here]
    read = [f"profile rbd-read-only pool={here[one].name}" for one in reads if one in here]
    return {"mon": "profile rbd", "mgr": ", ".join(written), "osd": ", ".join([*written, *read])}


def _filesystem(name: str) -> dict[str, str]:
    """Manila makes shares by commands of the manager alone, and may give each of them for this one filesystem.

    A right to the manager's module `volumes` would not do: Ceph does not look at a command's filesystem then, and the
    key could delete another tenant's. It needs no rights to the filesystem's data and metadata.
    """
    commands = [f'allow command "fs {command}" with vol_name={name}' for command in MANILA]
    return {"mon": f"allow r fsname={name}", "mgr": ", ".join(commands)}
