"""A whole region, and its stack file."""

from pydantic import Field

from model.catalog import ReleaseOverride
from model.claim import Claim
from model.pools import ControlPlane, HypervisorPool, StoragePool
from model.tenant import OpenStackCluster
from model.words import Environment, Name, ProjectNamespace, Text


class Infrastructure(Claim):
    """What Gardener's landscape calls the things that a Shoot refers to."""

    cloud_profile: Name
    """Name of the CloudProfile."""
    credentials_binding: Name
    """Name of the CredentialsBinding in the garden's namespace."""


class Garden(Claim):
    """Gardener's API, where the region's clusters are objects."""

    kubeconfig: Text
    """Kubeconfig file of the garden; without the file a preview still works."""
    namespace: ProjectNamespace = "garden-c5c3"
    """Namespace of the Gardener project."""
    openstack: Infrastructure = Infrastructure.model_validate(
        {"cloudProfile": "converged-cloud", "credentialsBinding": "cc-credentials"}
    )
    """Where control-plane clusters stand."""
    ironcore: Infrastructure = Infrastructure.model_validate(
        {"cloudProfile": "ironcore", "credentialsBinding": "ironcore-credentials"}
    )
    """Where hypervisor and storage pools stand."""


class Settings(Claim):
    """What a region is besides its claims."""

    region: Name
    """Name of the region that this stack is; every claim names the same one."""
    environment: Environment = "production"
    """What the region is for; releases of the catalogue may differ by it."""
    garden: Garden
    claims: Text | None = None
    """Folder with whole claim manifests, beside or in place of the claims in this file."""
    releases: dict[Name, ReleaseOverride] = Field(default={})
    """What the region has otherwise than the catalogue, by the name of the system, which is a file in catalog/."""


class RegionSpec(Settings):
    """A region with all its claims, wherever they came from."""

    control_plane: ControlPlane
    """The region's control-plane cluster: the spec of a ControlPlaneCluster claim."""
    hypervisor_pools: tuple[HypervisorPool, ...] = ()
    """The region's hypervisor pools: each the spec of a HypervisorCluster claim."""
    storage_pools: tuple[StoragePool, ...] = ()
    """The region's storage pools: each the spec of a StorageCluster claim."""
    open_stack_clusters: tuple[OpenStackCluster, ...] = ()
    """The region's tenants: each the spec of an OpenStackCluster claim, with the claim's name."""

    @property
    def pools(self) -> list[HypervisorPool | StoragePool]:
        return [*self.hypervisor_pools, *self.storage_pools]
