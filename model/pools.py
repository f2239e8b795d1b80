"""The claims of a region's clusters, with the field names of the documents."""

from typing import Literal

from pydantic import Field

from model.claim import Claim
from model.words import (
    Capacity,
    Cidr,
    ClusterName,
    Flag,
    KubernetesVersion,
    LabelKey,
    LabelValue,
    MachineClass,
    MachinePool,
    Name,
    Quorum,
    Replication,
    Text,
    TimeOfDay,
    Workers,
    in_bytes,
)

KUBERNETES = "1.35.4"
SELF_SIGNED = "selfsigned-cluster-issuer"  # which the program makes, where a claim leaves issuerRef out

Labels = dict[LabelKey, LabelValue]


class Networking(Claim):
    """The networks of a cluster; Gardener chooses what is not given."""

    type: Literal["calico", "cilium"] = "calico"
    """Network plugin of the cluster."""
    nodes: Cidr | None = None
    """Network of the nodes. Hypervisors reach the storage nodes, so no two clusters of a region may overlap here."""
    pods: Cidr | None = None
    """Network of the pods."""
    services: Cidr | None = None
    """Network of the Services."""


class MachineImage(Claim):
    """The operating system of the workers."""

    name: Name = "gardenlinux"
    """Name of the image in the cloud profile."""
    version: Text | None = None
    """Version of the image; Gardener takes the newest that the cloud profile supports when it is left out."""


class Maintenance(Claim):
    """When Gardener may update the cluster."""

    begin: TimeOfDay = "220000+0000"
    """Begin of the daily window, hhmmss and the offset from UTC."""
    end: TimeOfDay = "230000+0000"
    """End of the daily window."""


class Issuer(Claim):
    """An issuer of cert-manager."""

    name: Name
    """Name of the issuer."""
    kind: Literal["ClusterIssuer", "Issuer"] = "ClusterIssuer"
    """Kind of the issuer."""


class Workforce(Claim):
    """What every cluster of a region has."""

    region: Name
    """Region that the claim belongs to: the region of this stack."""
    kubernetes_version: KubernetesVersion = KUBERNETES
    """Kubernetes version, with or without a patch version."""
    zones: tuple[Name, ...] = Field(default=(), max_length=10)
    """Availability zones that the workers are spread over. When left out, up to three of the cloud profile's are chosen
    as the cluster is made, and stay."""
    workers: Workers
    """Least number of workers."""
    max_workers: Workers
    """Most workers that the cluster may grow to."""
    networking: Networking = Networking()
    machine_image: MachineImage | None = None
    """Operating system of the workers; Gardener takes the cloud profile's first when it is left out."""
    deletion_protection: Flag = True
    """Whether deleting the cluster is refused."""
    maintenance: Maintenance = Maintenance()


class ControlPlane(Workforce):
    """The cluster on which the control planes of the region's tenants run (claim ControlPlaneCluster)."""

    name: ClusterName = Field(default_factory=lambda given: f"{given['region']}-control-plane", validate_default=True)
    """Name of the cluster; `<region>-control-plane` when left out."""
    workers: Workers = 5
    """Least number of workers; with highAvailability three or more."""
    max_workers: Workers = 10
    """Most workers that the cluster may grow to."""
    machine_type: Text = "m5.2xlarge"
    """Machine type of the workers, from the cloud profile."""
    volume_size: Capacity = "200Gi"
    """Size of a worker's root volume."""
    high_availability: Flag = True
    """Whether the Kubernetes control plane survives the loss of a zone."""
    issuer_ref: Issuer = Issuer(name=SELF_SIGNED)
    """Issuer of the certificates of tenants that name none themselves. The program makes the default, and no other."""
    deletion_protection: Flag = True
    """Whether deleting the cluster is refused; its databases are the tenants' data."""


class IronCore(Claim):
    """Which servers of IronCore a pool is made of."""

    machine_pool: MachinePool
    """Machine pool that the servers are taken from."""
    machine_class: MachineClass
    """Machine class of the servers."""


class HypervisorIronCore(IronCore):
    machine_class: MachineClass = "baremetal-kvm"
    """Machine class of the servers."""


class StorageIronCore(IronCore):
    machine_class: MachineClass = "baremetal-storage"
    """Machine class of the servers."""


class HypervisorPool(Workforce):
    """Bare-metal nodes on which tenants' machines run (claim HypervisorCluster)."""

    name: ClusterName
    """Name of the pool and of its cluster."""
    workers: Workers = 20
    """Least number of servers; what tenants are promised by nodeShares comes out of these."""
    max_workers: Workers = 100
    """Most servers that the pool may grow to."""
    ironcore: HypervisorIronCore
    """Which servers of IronCore the pool is made of."""
    machine_image: MachineImage | None = MachineImage()
    """Operating system of the servers; Gardener takes the cloud profile's first when it is empty."""
    labels: Labels = Field(default={})
    """Labels of the cluster and its nodes. `dedicated`, `compliance` and `isolation` say who may use the pool."""
    deletion_protection: Flag = True
    """Whether deleting the pool is refused; true, as tenants' machines run there."""


class Ceph(Claim):
    """The Ceph cluster of a storage pool."""

    osd_count: int = Field(default=15, ge=1, le=100, strict=True)
    """Disks (OSDs) of each node."""
    device_class: Literal["hdd", "ssd", "nvme"] = "nvme"
    """Class of the disks; every pool of a tenant is placed on it."""
    target_capacity: Capacity | None = None
    """Usable capacity at the replication factor; what is promised to tenants may not exceed it."""
    replication_factor: Replication = 3
    """Copies of each object that targetCapacity is reckoned with."""
    failure_domain: Literal["host", "rack", "zone"] = "host"
    """What may fail without loss of data: copies never share one."""
    encrypted: Flag = False
    """Whether the disks are encrypted."""
    mon_count: Quorum = 3
    """Monitors; an odd number, at most one a node. With arbiterCluster one of them is there, and three is the least."""
    rbd_mirrors: int = Field(default=0, ge=0, le=10, strict=True)
    """Daemons that mirror volumes to another site; a tenant's mirroring needs at least one."""

    @property
    def raw_bytes(self) -> int | None:
        """What the disks hold together, when the capacity is known."""
        return in_bytes(self.target_capacity) * self.replication_factor if self.target_capacity else None


class StoragePool(Workforce):
    """Bare-metal nodes on which Ceph keeps the tenants' data (claim StorageCluster)."""

    name: ClusterName
    """Name of the pool and of its cluster."""
    workers: Workers = 5
    """Least number of servers; at least as many as there are copies and monitors."""
    max_workers: Workers = 30
    """Most servers that the pool may grow to."""
    ironcore: StorageIronCore
    """Which servers of IronCore the pool is made of."""
    machine_image: MachineImage | None = MachineImage()
    """Operating system of the servers; Gardener takes the cloud profile's first when it is empty."""
    ceph: Ceph = Ceph()
    arbiter_cluster: ClusterName | None = None
    """Cluster at a third site that runs one of the Ceph monitors and no disks."""
    labels: Labels = Field(default={})
    """Labels of the cluster and its nodes. `dedicated`, `compliance` and `isolation` say who may use the pool."""
    deletion_protection: Flag = True
    """Whether deleting the pool is refused; true, as it holds data."""


Pool = HypervisorPool | StoragePool
Cluster = ControlPlane | HypervisorPool | StoragePool
