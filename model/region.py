"""A whole region, and its stack file."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from model.catalog import ReleaseOverride
from model.claim import Claim
from model.pools import ControlPlane, HypervisorPool, StoragePool
from model.tenant import OpenStackCluster
from model.words import Environment, Flag, Https, Name, Oci, Pem, ProjectNamespace, Text, Vault


class Infrastructure(Claim):
    """What Gardener's landscape calls the things that a Shoot refers to."""

    cloud_profile: Name
    """Name of the CloudProfile."""
    credentials_binding: Name
    """Name of the CredentialsBinding in the garden's namespace."""


class OpenStackInfrastructure(Infrastructure):
    """Gardener on OpenStack, where control-plane clusters stand."""

    floating_pool: Text = "FloatingIP-external"
    """Pool of the addresses by which the cluster's nodes and load balancers are reached, from the cloud profile."""
    load_balancer_provider: Name = "amphora"
    """What makes load balancers (Octavia's provider), from the cloud profile."""


class Garden(Claim):
    """Gardener's API, where the region's clusters are objects."""

    kubeconfig: Text
    """Kubeconfig file of the garden; without the file a preview still works."""
    credential_plugin: Literal["cobaltcore-access", "gardenlogin"] = "cobaltcore-access"
    """Command that gets a short-lived credential for a cluster: the one of this project, or Gardener's gardenlogin."""
    identity: Text | None = Field(default=None, validate_default=True)
    """Identity of the garden as gardenlogin's configuration has it; only gardenlogin needs it."""
    ready_within: int = Field(default=60, ge=1, le=1440, strict=True)
    """Minutes that a cluster may take to become ready before an update gives up waiting for it."""
    namespace: ProjectNamespace = "garden-c5c3"
    """Namespace of the Gardener project."""
    openstack: OpenStackInfrastructure = OpenStackInfrastructure.model_validate(
        {"cloudProfile": "converged-cloud", "credentialsBinding": "cc-credentials"}
    )
    """Where control-plane clusters stand."""
    ironcore: Infrastructure = Infrastructure.model_validate(
        {"cloudProfile": "ironcore", "credentialsBinding": "ironcore-credentials"}
    )
    """Where hypervisor and storage pools stand."""

    @field_validator("identity")
    @classmethod
    def _known_to_gardenlogin(cls, value: str | None, given: ValidationInfo) -> str | None:
        if value is None and given.data.get("credential_plugin") == "gardenlogin":
            raise ValueError("name the garden's identity, as gardenlogin finds the garden by it")
        return value


class Greenhouse(Claim):
    """Where operators see the region's clusters."""

    organization: Name
    """Organization of Greenhouse that the clusters are registered with; it is made where there is none."""


class SecretStore(Claim):
    """OpenBao as the region's clusters reach it."""

    server: Vault
    """Address of OpenBao, which every cluster of the region reaches."""
    certificate_authority: Pem | None = None
    """Certificate authority of that address, where the clusters' own do not know it."""
    client_certificate: Name | None = None
    """Secret with tls.crt and tls.key in the namespace external-secrets of each cluster, where OpenBao asks for a
    certificate; somebody else puts it there."""


class Management(Claim):
    """The management cluster, from which Flux reaches the region's clusters."""

    kubeconfig: Text
    """Kubeconfig file of the management cluster."""
    issuer: Https | None = None
    """Issuer of its service accounts' tokens (https), which the region's clusters then trust, so that Flux reaches them
    without a stored kubeconfig. When left out, somebody else keeps one for each cluster: in the Secret kubeconfig of
    the namespace that is called after the cluster."""
    certificate_authority: Pem | None = None
    """Certificate authority of the issuer, where the system's own do not know it."""
    shared: Flag = False
    """Whether another region's stack brings Flux and the other systems of the management cluster, and this one only
    uses them."""
    ready_within: int = Field(default=20, ge=1, le=1440, strict=True)
    """Minutes that a system may take to become ready in its cluster before an update gives up waiting for it."""
    greenhouse: Greenhouse | None = None
    """Greenhouse, which comes with it: every cluster is registered there, by tokens of the issuer."""
    secret_store: SecretStore | None = None
    """OpenBao, from which every cluster gets its secrets; docs/secret-stores.md says what it has to know of them. When
    left out, only the management cluster has a store."""

    @field_validator("greenhouse")
    @classmethod
    def _trusted(cls, value: Greenhouse | None, given: ValidationInfo) -> Greenhouse | None:
        if value is not None and given.data.get("issuer") is None and "issuer" in given.data:
            raise ValueError(
                "is set, and issuer is not: add the issuer, by whose tokens Greenhouse logs in to the clusters"
            )
        return value


class Settings(Claim):
    """What a region is besides its claims."""

    region: Name
    """Name of the region that this stack is; every claim names the same one."""
    environment: Environment = "production"
    """What the region is for; releases of the catalogue may differ by it."""
    garden: Garden
    management: Management | None = None
    """The management cluster; without it the region's clusters stay empty and trust no other cluster."""
    chart_mirror: Oci | None = None
    """Registry from which Flux takes everything, as in oci://mirror.example.com/charts; docs/catalog.md says what it
    has to have. When left out, charts come from where they are published, and what is unpublished is left out."""
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
