"""The cluster on which the control planes of a region's tenants run."""

from dataclasses import dataclass

import pulumi

from components.certificates import tenants_issuer
from components.cluster import make_cluster
from components.flux import Flux
from components.garden import GardenAccess
from components.provider_configs import on_openstack
from components.region_cluster import RegionCluster
from components.shoot import Blueprint, Workers
from model.pools import ControlPlane

KIND = "control-plane"


@dataclass(frozen=True, kw_only=True)
class ControlPlaneClusterArgs:
    claim: ControlPlane
    garden: GardenAccess
    flux: Flux | None = None
    """What delivers the systems of the catalogue into the cluster; none leaves it empty."""


class ControlPlaneCluster(RegionCluster):
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
        made = make_cluster(name, claim=claim, blueprint=blueprint, garden=garden, parent=self)
        self._fill(name, "control-plane", made, args.flux, garden)
        self._issuer = tenants_issuer(name, claim.issuer_ref, made.access, self.releases, parent=self)
        self._tell()

    @property
    def issuer(self) -> pulumi.Resource | None:
        """The issuer of tenants that name none, where it is not one that a person makes."""
        return self._issuer
