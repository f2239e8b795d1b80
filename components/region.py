"""One region: its control-plane cluster, its hypervisor pools, its storage pools, and the tenants on them."""

from dataclasses import dataclass

import pulumi

from components import departures
from components.control_plane_cluster import ControlPlaneCluster, ControlPlaneClusterArgs
from components.flux import Flux, connect_flux
from components.garden import GardenAccess, connect
from components.hypervisor_pool import HypervisorPool, HypervisorPoolArgs
from components.landscape import Landscape
from components.machine_pools import check, machine_classes
from components.options import child_opts
from components.page import page
from components.release import management_workloads
from components.storage_pool import StoragePool, StoragePoolArgs
from components.tenants import RegionClusters, impossible, make_tenants
from components.told import ClusterTold, HypervisorPoolTold, StoragePoolTold, TenantTold
from model import RegionSpec

Pool = HypervisorPool | StoragePool


@dataclass(frozen=True, kw_only=True)
class RegionArgs:
    spec: RegionSpec
    landscape: Landscape | None = None
    """What the garden offers; looked up when left out."""


class Region(pulumi.ComponentResource):
    """Its clusters need nothing of each other to be made, so they are made at the same time; its tenants need them."""

    clusters: dict[str, ClusterTold]
    pools: dict[str, HypervisorPoolTold | StoragePoolTold]
    tenants: dict[str, TenantTold]
    versions: dict[str, dict[str, pulumi.Output[str]]]
    readme: pulumi.Output[str]

    def __init__(self, name: str, args: RegionArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:Region", name, None, opts)
        spec = args.spec
        garden = connect(
            f"{name}-garden",
            spec.garden,
            self,
            management=spec.management,
            environment=spec.environment,
            landscape=args.landscape,
        )
        check(spec.pools, garden)
        why = impossible(spec)
        if args.landscape is None:
            departures.check(spec, garden, self, why)
        flux = connect_flux(name, spec, self, looks=args.landscape is None)
        if flux:
            management_workloads(name, flux, self)
        self.control_plane = ControlPlaneCluster(
            spec.control_plane.name,
            ControlPlaneClusterArgs(claim=spec.control_plane, garden=garden, flux=flux),
            opts=child_opts(self),
        )
        self.hypervisor_pools, self.storage_pools = self._pools(name, spec, garden, flux)
        all_pools: list[Pool] = [*self.hypervisor_pools.values(), *self.storage_pools.values()]
        self.clusters = {one.cluster_name: one.outputs.exported() for one in [self.control_plane, *all_pools]}
        self.versions = {one.cluster_name: one.versions for one in [self.control_plane, *all_pools]}
        self.pools = {one.cluster_name: one.exported() for one in all_pools}
        self.open_stack_clusters = make_tenants(
            spec,
            RegionClusters(
                control_plane=self.control_plane, hypervisors=self.hypervisor_pools, storage=self.storage_pools
            ),
            why,
            self,
        )
        self.tenants = {tenant: one.exported() for tenant, one in self.open_stack_clusters.items()}
        told = {"clusters": self.clusters, "pools": self.pools, "tenants": self.tenants}
        self.readme = pulumi.Output.from_input(told).apply(lambda known: page(spec.region, **known))
        self.register_outputs({**told, "versions": self.versions, "readme": self.readme})

    def _pools(
        self, name: str, spec: RegionSpec, garden: GardenAccess, flux: Flux | None
    ) -> tuple[dict[str, HypervisorPool], dict[str, StoragePool]]:
        classes = machine_classes(name, spec.pools, garden, self)
        hypervisors = {
            pool.name: HypervisorPool(
                pool.name,
                HypervisorPoolArgs(
                    claim=pool, garden=garden, machine_class=classes[pool.ironcore.machine_class], flux=flux
                ),
                opts=child_opts(self),
            )
            for pool in spec.hypervisor_pools
        }
        storage = {
            pool.name: StoragePool(
                pool.name,
                StoragePoolArgs(
                    claim=pool, garden=garden, machine_class=classes[pool.ironcore.machine_class], flux=flux
                ),
                opts=child_opts(self),
            )
            for pool in spec.storage_pools
        }
        return hypervisors, storage
