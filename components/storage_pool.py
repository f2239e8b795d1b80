"""A pool of storage: bare-metal nodes on which Ceph keeps the tenants' data; deleting it takes a deliberate step."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi

from components.arbiter import SYSTEM as ARBITERS, Arbiter, external_arbiter
from components.bare_metal import BareMetalKind, bare_metal_cluster
from components.capacity import nodes, storing
from components.ceph_cluster import CephCluster, ceph_cluster
from components.ceph_monitors import monitors
from components.flux import Flux
from components.garden import GardenAccess
from components.local_disks import local_disks
from components.region_cluster import RegionCluster
from components.told import Nodes, StorageCapacity, StoragePoolTold
from components.unknown import unknown
from components.versions import health
from crds import ironcore
from model import pools

ROOK, DISKS = "rook-ceph", "local-static-provisioner"  # the systems that Ceph stands on
KIND = BareMetalKind(kind="storage", node_labels={"node-role.kubernetes.io/storage": ""})


@dataclass(frozen=True, kw_only=True)
class StoragePoolArgs:
    claim: pools.StoragePool
    garden: GardenAccess
    machine_class: ironcore.MachineClass | None = None
    """The class of the servers, where this program declares it: it is there first then."""
    flux: Flux | None = None
    """What delivers the systems of the catalogue into the cluster; none leaves it empty."""


class StoragePool(RegionCluster):
    nodes: Nodes
    capacity: StorageCapacity
    health: pulumi.Output[str]

    def __init__(self, name: str, args: StoragePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:StoragePool", name, None, opts)
        claim, garden = args.claim, args.garden
        made = bare_metal_cluster(
            name, claim=claim, kind=KIND, garden=garden, machine_class=args.machine_class, parent=self
        )
        self._fill(name, "storage", made, args.flux, garden)
        self._ceph = self._made_of_disks(name, claim) if args.flux else None
        self._arbiter = self._third_site(name, claim, self._ceph) if self._ceph else None
        self._monitors = monitors(name, self._ceph, made.access, self) if self._ceph else unknown()
        self.nodes = nodes(claim)
        self.capacity = storing(claim, self._ceph.cluster if self._ceph else None)
        self.health = health(self._ceph.cluster if self._ceph else None)
        self._tell(nodes=self.nodes, capacity=self.capacity, health=self.health)

    def _made_of_disks(self, name: str, claim: pools.StoragePool) -> CephCluster:
        """Rook makes Ceph of the disks, which the provisioner of local volumes offers it."""
        disks = local_disks(name, self.access, self)
        after = [disks, self.releases[ROOK], self.releases[DISKS]]
        arbiter = claim.arbiter_cluster is not None and ARBITERS in self.releases
        return ceph_cluster(name, claim=claim, cluster=self.access, parent=self, arbiter=arbiter, after=after)

    def _third_site(self, name: str, claim: pools.StoragePool, ceph: CephCluster) -> Arbiter | None:
        operator = self.releases.get(ARBITERS)
        if claim.arbiter_cluster is None or operator is None:  # no chart of it is published: that was said already
            return None
        if self.store is None:
            raise pulumi.RunError(
                f"{claim.name}: arbiterCluster is {claim.arbiter_cluster!r}, whose kubeconfig comes from OpenBao, and "
                "cobaltcore:management.secretStore does not say where that is: add it, or leave arbiterCluster out."
            )
        return external_arbiter(
            name, claim=claim, ceph=ceph, cluster=self.access, operator=operator, store=self.store, parent=self
        )

    def exported(self) -> StoragePoolTold:
        return {"nodes": self.nodes, "capacity": self.capacity, "health": self.health}

    @property
    def arbiter(self) -> Arbiter | None:
        """The monitor at a third site, where the claim names a cluster for it."""
        return self._arbiter

    @property
    def ceph(self) -> CephCluster | None:
        """The Ceph cluster on the pool's disks; none where nothing is delivered into the cluster."""
        return self._ceph

    @property
    def monitors(self) -> pulumi.Output[list[str]]:
        """Where Ceph is reached (ip:port), as Rook says it; unknown until Ceph is there."""
        return self._monitors
