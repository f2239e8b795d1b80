"""One region: its control-plane cluster, its hypervisor pools and its storage pools."""

from dataclasses import dataclass

import pulumi

from components.control_plane_cluster import ControlPlaneCluster, ControlPlaneClusterArgs
from components.garden import garden_provider
from components.hypervisor_pool import HypervisorPool, HypervisorPoolArgs
from components.options import child_opts
from components.storage_pool import StoragePool, StoragePoolArgs
from model import RegionSpec


@dataclass(frozen=True, kw_only=True)
class RegionArgs:
    spec: RegionSpec


class Region(pulumi.ComponentResource):
    """Its clusters need nothing of each other to be made, so they are made at the same time."""

    shoots: dict[str, str]

    def __init__(self, name: str, args: RegionArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:Region", name, None, opts)
        spec, garden = args.spec, args.spec.garden
        provider = garden_provider(f"{name}-garden", garden, parent=self)
        made = [
            ControlPlaneCluster(
                spec.control_plane.name,
                ControlPlaneClusterArgs(claim=spec.control_plane, garden=garden, garden_provider=provider),
                opts=child_opts(self),
            ),
            *(
                HypervisorPool(
                    pool.name,
                    HypervisorPoolArgs(claim=pool, garden=garden, garden_provider=provider),
                    opts=child_opts(self),
                )
                for pool in spec.hypervisor_pools
            ),
            *(
                StoragePool(
                    pool.name,
                    StoragePoolArgs(claim=pool, garden=garden, garden_provider=provider),
                    opts=child_opts(self),
                )
                for pool in spec.storage_pools
            ),
        ]
        self.shoots = {one.cluster_name: one.shoot_name for one in made}
        self.register_outputs({"shoots": self.shoots})
