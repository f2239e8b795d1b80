"""The region as Pulumi components, usable from any Pulumi program in Python."""

from components.cluster_access import ClusterAccess
from components.control_plane_cluster import ControlPlaneCluster, ControlPlaneClusterArgs
from components.flux import Flux, connect_flux
from components.garden import GardenAccess, connect
from components.hypervisor_pool import HypervisorPool, HypervisorPoolArgs
from components.in_cluster import ByProvider, InCluster
from components.landscape import Landscape
from components.openstack_cluster import OpenStackCluster, OpenStackClusterArgs, TenantStorage
from components.region import Region, RegionArgs
from components.storage_pool import StoragePool, StoragePoolArgs
from components.tenant_hypervisors import TenantHypervisors

__all__ = [
    "ByProvider",
    "ClusterAccess",
    "ControlPlaneCluster",
    "ControlPlaneClusterArgs",
    "Flux",
    "GardenAccess",
    "HypervisorPool",
    "HypervisorPoolArgs",
    "InCluster",
    "Landscape",
    "OpenStackCluster",
    "OpenStackClusterArgs",
    "Region",
    "RegionArgs",
    "StoragePool",
    "StoragePoolArgs",
    "TenantHypervisors",
    "TenantStorage",
    "connect",
    "connect_flux",
]
