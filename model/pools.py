"""The claims of a region's clusters, with the field names of the documents."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from model.words import Capacity, ClusterName, KubernetesVersion, Name, Text, Workers

KUBERNETES = "1.35.4"


class Claim(BaseModel):
    """A frozen spec that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class Workforce(Claim):
    """What every cluster's workers have in common."""

    region: Name
    kubernetes_version: KubernetesVersion = KUBERNETES
    zones: tuple[Name, ...] = ()
    workers: Workers
    max_workers: Workers

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.workers > self.max_workers:
            raise ValueError(
                f"workers ({self.workers}) is more than maxWorkers ({self.max_workers}): raise one or lower the other"
            )
        return self


class IronCore(Claim):
    """Which servers of IronCore a pool is made of."""

    machine_pool: Name
    machine_class: Name


class HypervisorIronCore(IronCore):
    machine_class: Name = "baremetal-kvm"


class StorageIronCore(IronCore):
    machine_class: Name = "baremetal-storage"


class Ceph(Claim):
    osd_count: Annotated[int, Field(ge=1, le=100, strict=True)] = 15
    device_class: Literal["hdd", "ssd", "nvme"] = "nvme"
    target_capacity: Capacity | None = None
    replication_factor: Annotated[int, Field(ge=1, le=5, strict=True)] = 3


class ControlPlane(Workforce):
    workers: Workers = 5
    max_workers: Workers = 10
    machine_type: Text = "m5.2xlarge"
    volume_size: Capacity = "200Gi"
    high_availability: bool = True

    @property
    def name(self) -> str:
        return f"{self.region}-control-plane"


class HypervisorPool(Workforce):
    name: ClusterName
    workers: Workers = 20
    max_workers: Workers = 100
    ironcore: HypervisorIronCore
    labels: dict[str, str] = {}


class StoragePool(Workforce):
    name: ClusterName
    workers: Workers = 5
    max_workers: Workers = 30
    ironcore: StorageIronCore
    ceph: Ceph = Ceph()
    arbiter_cluster: ClusterName | None = None
    labels: dict[str, str] = {}
