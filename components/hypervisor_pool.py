"""A pool of hypervisors: bare-metal nodes on which tenants' machines run."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi

from components.bare_metal import BareMetalKind, bare_metal_cluster
from components.capacity import computing, nodes
from components.flux import Flux
from components.garden import GardenAccess
from components.region_cluster import RegionCluster
from components.told import ComputeCapacity, HypervisorPoolTold, Nodes
from crds import ironcore
from model import pools

ROLE = "node-role.kubernetes.io/hypervisor"
# Agents find their nodes by the label. The taint keeps other pods away as long as there is another place for them: the
# cluster has no other nodes, and its operators have to run somewhere.
KIND = BareMetalKind(kind="hypervisor", node_labels={ROLE: ""}, taints={ROLE: "PreferNoSchedule"})


@dataclass(frozen=True, kw_only=True)
class HypervisorPoolArgs:
    claim: pools.HypervisorPool
    garden: GardenAccess
    machine_class: ironcore.MachineClass | None = None
    """The class of the servers, where this program declares it: it is there first then."""
    flux: Flux | None = None
    """What delivers the systems of the catalogue into the cluster; none leaves it empty."""


class HypervisorPool(RegionCluster):
    nodes: Nodes
    capacity: ComputeCapacity

    def __init__(self, name: str, args: HypervisorPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:HypervisorPool", name, None, opts)
        claim, garden = args.claim, args.garden
        made = bare_metal_cluster(
            name, claim=claim, kind=KIND, garden=garden, machine_class=args.machine_class, parent=self
        )
        self._fill(name, "hypervisor", made, args.flux, garden)
        self.nodes = nodes(claim)
        self.capacity = computing(
            claim, garden.landscape.machine(garden.settings.ironcore.cloud_profile, claim.ironcore.machine_class)
        )
        self._tell(nodes=self.nodes, capacity=self.capacity)

    def exported(self) -> HypervisorPoolTold:
        return {"nodes": self.nodes, "capacity": self.capacity}
