"""A pool of storage: bare-metal nodes on which Ceph keeps the tenants' data; deleting it takes a deliberate step."""

from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.bare_metal import BareMetalCluster, bare_metal_shoot
from model import pools
from model.naming import shoot_name
from model.region import Garden

KIND = BareMetalCluster(group="storage", node_labels={})


@dataclass(frozen=True, kw_only=True)
class StoragePoolArgs:
    claim: pools.StoragePool
    garden: Garden
    garden_provider: kubernetes.Provider


class StoragePool(pulumi.ComponentResource):
    cluster_name: str
    shoot_name: str

    def __init__(self, name: str, args: StoragePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:StoragePool", name, None, opts)
        bare_metal_shoot(
            f"{name}-shoot",
            claim=args.claim,
            kind=KIND,
            garden=args.garden,
            parent=self,
            provider=args.garden_provider,
        )
        self.cluster_name = args.claim.name
        self.shoot_name = shoot_name(args.claim.name, args.garden.namespace)
        self.register_outputs({"cluster_name": self.cluster_name, "shoot_name": self.shoot_name})
