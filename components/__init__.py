"""The region as Pulumi components, usable from any Pulumi program in Python."""

from components.control_plane_cluster import ControlPlaneCluster, ControlPlaneClusterArgs
from components.hypervisor_pool import HypervisorPool, HypervisorPoolArgs
from components.region import Region, RegionArgs
from components.storage_pool import StoragePool, StoragePoolArgs

__all__ = [
    "ControlPlaneCluster",
    "ControlPlaneClusterArgs",
    "HypervisorPool",
    "HypervisorPoolArgs",
    "Region",
    "RegionArgs",
    "StoragePool",
    "StoragePoolArgs",
]
