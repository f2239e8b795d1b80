"""A pool of storage: bare-metal nodes on which Ceph keeps the tenants' data; deleting it takes a deliberate step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components.bare_metal import BareMetalKind, bare_metal_cluster
from components.capacity import storing
from components.cluster import ClusterOutputs
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.garden import GardenAccess
from components.release import workloads
from crds import ironcore
from model import pools

KIND = BareMetalKind(kind="storage", node_labels={"node-role.kubernetes.io/storage": ""})


@dataclass(frozen=True, kw_only=True)
class StoragePoolArgs:
    claim: pools.StoragePool
    garden: GardenAccess
    machine_class: ironcore.MachineClass | None = None
    """The class of the servers, where this program declares it: it is there first then."""
    flux: Flux | None = None
    """What delivers the systems of the catalogue into the cluster; none leaves it empty."""


class StoragePool(pulumi.ComponentResource):
    cluster_name: str
    shoot_name: str
    api_address: pulumi.Output[str]
    kubernetes_version: pulumi.Output[str]
    phase: pulumi.Output[str]
    node_count: int
    capacity: dict[str, Any]

    def __init__(self, name: str, args: StoragePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:StoragePool", name, None, opts)
        claim, garden = args.claim, args.garden
        self._made = bare_metal_cluster(
            name, claim=claim, kind=KIND, garden=garden, machine_class=args.machine_class, parent=self
        )
        self._releases = workloads(
            name, "storage", args.flux, self._made.access, project=garden.settings.namespace, parent=self
        )
        self.cluster_name = claim.name
        self.shoot_name = self._made.outputs.shoot_name
        self.api_address = self._made.outputs.api_address
        self.kubernetes_version = self._made.outputs.kubernetes_version
        self.phase = self._made.outputs.phase
        self.node_count = claim.workers
        self.capacity = storing(claim)
        self.register_outputs(
            {
                "cluster_name": self.cluster_name,
                "shoot_name": self.shoot_name,
                "api_address": self.api_address,
                "kubernetes_version": self.kubernetes_version,
                "phase": self.phase,
                "node_count": self.node_count,
                "capacity": self.capacity,
            }
        )

    @property
    def access(self) -> ClusterAccess:
        """The way into the cluster, for whatever is to run in it."""
        return self._made.access

    @property
    def outputs(self) -> ClusterOutputs:
        """What is told about the cluster."""
        return self._made.outputs

    @property
    def releases(self) -> Mapping[str, pulumi.Resource]:
        """The systems that run in the cluster, each ready once its resource is there."""
        return self._releases
