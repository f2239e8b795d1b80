"""The cluster on which the control planes of a region's tenants run."""

from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.shoot import WorkerGroup, shoot
from model.naming import shoot_name
from model.pools import ControlPlane
from model.region import Garden


@dataclass(frozen=True, kw_only=True)
class ControlPlaneClusterArgs:
    claim: ControlPlane
    garden: Garden
    garden_provider: kubernetes.Provider


class ControlPlaneCluster(pulumi.ComponentResource):
    cluster_name: str
    shoot_name: str

    def __init__(self, name: str, args: ControlPlaneClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:ControlPlaneCluster", name, None, opts)
        claim = args.claim
        shoot(
            f"{name}-shoot",
            claim=claim,
            garden=args.garden,
            provider_type="openstack",
            infrastructure=args.garden.openstack,
            group=WorkerGroup(name="control-plane", machine_type=claim.machine_type, volume_size=claim.volume_size),
            highly_available=claim.high_availability,
            parent=self,
            provider=args.garden_provider,
        )
        self.cluster_name = claim.name
        self.shoot_name = shoot_name(claim.name, args.garden.namespace)
        self.register_outputs({"cluster_name": self.cluster_name, "shoot_name": self.shoot_name})
