"""The cluster on which the control planes of a region's tenants run."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

from components.cluster import ClusterOutputs, make_cluster
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.garden import GardenAccess
from components.provider_configs import on_openstack
from components.release import workloads
from components.shoot import Blueprint, Workers
from model.pools import ControlPlane

KIND = "control-plane"


@dataclass(frozen=True, kw_only=True)
class ControlPlaneClusterArgs:
    claim: ControlPlane
    garden: GardenAccess
    flux: Flux | None = None
    """What delivers the systems of the catalogue into the cluster; none leaves it empty."""


class ControlPlaneCluster(pulumi.ComponentResource):
    cluster_name: str
    shoot_name: str
    api_address: pulumi.Output[str]
    kubernetes_version: pulumi.Output[str]
    phase: pulumi.Output[str]

    def __init__(self, name: str, args: ControlPlaneClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:ControlPlaneCluster", name, None, opts)
        claim, garden = args.claim, args.garden
        blueprint = Blueprint(
            kind=KIND,
            infrastructure=garden.settings.openstack,
            configs=on_openstack(claim.networking, garden.settings.openstack),
            workers=Workers(name=KIND, machine_type=claim.machine_type, volume_size=claim.volume_size),
            highly_available=claim.high_availability,
        )
        self._made = make_cluster(name, claim=claim, blueprint=blueprint, garden=garden, parent=self)
        self._releases = workloads(
            name, "control-plane", args.flux, self._made.access, project=garden.settings.namespace, parent=self
        )
        self.cluster_name = claim.name
        self.shoot_name = self._made.outputs.shoot_name
        self.api_address = self._made.outputs.api_address
        self.kubernetes_version = self._made.outputs.kubernetes_version
        self.phase = self._made.outputs.phase
        self.register_outputs(
            {
                "cluster_name": self.cluster_name,
                "shoot_name": self.shoot_name,
                "api_address": self.api_address,
                "kubernetes_version": self.kubernetes_version,
                "phase": self.phase,
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
