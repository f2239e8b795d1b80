"""What a tenant asks for: the claim OpenStackCluster, with the field names of the documents."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from model.claim import Claim
from model.pools import Issuer, Labels
from model.sizing import PartialSizing, Sizing, sizing
from model.words import (
    ClusterName,
    Compression,
    Digest,
    Environment,
    Flag,
    Mtu,
    Name,
    Nodes,
    QuotaGB,
    Replicas,
    Replication,
    Repository,
    Schedule,
    Size,
    Tag,
    TenantName,
    Text,
)

Pipeline = Literal["nova", "cinder"]


class Services(Claim):
    """The OpenStack services; Keystone and Placement are always there."""

    nova: Flag = True
    """Virtual machines; needs neutron and glance."""
    neutron: Flag = True
    """Networks."""
    cinder: Flag = True
    """Volumes."""
    glance: Flag = True
    """Images."""
    octavia: Flag = False
    """Load balancers; needs nova and neutron."""
    manila: Flag = False
    """Shared filesystems; needs storage.ceph.filesystem."""
    horizon: Flag = True
    """Dashboard."""


class Cortex(Claim):
    """Cortex, the scheduler that learns from the region's metrics."""

    enabled: Flag = False
    """Whether Cortex schedules for this tenant."""
    pipelines: tuple[Pipeline, ...] = ("nova", "cinder")
    """Services that it schedules for; each must be enabled."""


class Tempest(Claim):
    """OpenStack's own tests, run against the tenant."""

    enabled: Flag = False
    """Whether the tests run."""
    schedule: Schedule = "0 2 * * *"
    """When they run, as five fields of cron."""


def _issuer(value: Any) -> Any:  # noqa: ANN401  (whatever stands in the file)
    """The documents name an issuer by a bare string and, elsewhere, by name and kind."""
    return {"name": value} if isinstance(value, str) else value


class Tls(Claim):
    """Certificates of the tenant's endpoints."""

    enabled: Flag = True
    """Whether the endpoints speak TLS."""
    issuer_ref: Annotated[Issuer | None, BeforeValidator(_issuer, json_schema_input_type=Issuer | Name | None)] = None
    """Issuer of the certificates: its name, or name and kind. The control plane's issuerRef when left out."""


class Network(Claim):
    """Networks of the tenant."""

    external_network: Text | None = None
    """External network that floating IPs come from."""
    mtu: Mtu = 1500
    """Largest packet of the tenant's networks."""


class Backend(Claim):
    """Volumes on one storage pool, where they differ from the volume pool's own values."""

    replication: Replication | None = None
    """Copies of each object."""
    compression: Compression | None = None
    """Compression of the data."""
    quota_gb: QuotaGB | None = Field(default=None, alias="quotaGB")
    """Quota in GiB; 0 is none."""


class Mirroring(Claim):
    """Copies of the volumes at another site."""

    enabled: Flag = False
    """Whether the volume pools are mirrored."""
    mode: Literal["image", "pool"] = "image"
    """Whether single volumes are mirrored, or all of them."""


class VolumePool(Claim):
    """Pool of Cinder's volumes, one on each storage pool of the tenant."""

    replication: Replication = 3
    """Copies of each object."""
    compression: Compression = "aggressive"
    """Compression of the data."""
    quota_gb: QuotaGB = Field(default=0, alias="quotaGB")
    """Quota in GiB on each storage pool; 0 is none."""
    backends: dict[ClusterName, Backend] = Field(default={})
    """Storage pools that hold volumes, each with what differs there; all of the tenant's when left out."""
    mirroring: Mirroring = Mirroring()


class ImagePool(Claim):
    """Pool of Glance's images."""

    replication: Replication = 3
    """Copies of each object."""
    compression: Compression = "aggressive"
    """Compression of the data."""
    storage_cluster: ClusterName | None = None
    """Storage pool that holds the images; the tenant's first when left out."""


class EphemeralPool(Claim):
    """Pool of Nova's ephemeral disks."""

    enabled: Flag = True
    """Whether there is one; without it ephemeral disks are on the hypervisors."""
    replication: Replication = 2
    """Copies of each object."""
    storage_cluster: ClusterName | None = None
    """Storage pool that holds the disks; the tenant's first when left out."""


class Filesystem(Claim):
    """CephFS for Manila's shares."""

    enabled: Flag = False
    """Whether there is one."""
    data_pool_replication: Replication = 3
    """Copies of each object of data."""
    metadata_pool_replication: Replication = 3
    """Copies of each object of metadata."""
    storage_cluster: ClusterName | None = None
    """Storage pool that holds the filesystem; the tenant's first when left out."""


class ObjectStore(Claim):
    """Object storage with the APIs of Swift and S3."""

    enabled: Flag = False
    """Whether there is one."""
    data_pool_replication: Replication = 3
    """Copies of each object of data."""
    metadata_pool_replication: Replication = 3
    """Copies of each object of metadata."""
    instances: Replicas = 2
    """Gateways."""
    ssl_certificate_ref: Name | None = None
    """Secret with the gateway's certificate on the storage pool; without it the gateway speaks HTTP only."""
    storage_cluster: ClusterName | None = None
    """Storage pool that holds the objects; the tenant's first when left out."""


class TenantCeph(Claim):
    """What the tenant gets on its storage pools."""

    volume_pool: VolumePool = VolumePool()
    image_pool: ImagePool = ImagePool()
    ephemeral_pool: EphemeralPool = EphemeralPool()
    filesystem: Filesystem = Filesystem()
    object_store: ObjectStore = ObjectStore()


class Storage(Claim):
    """Storage of the tenant."""

    ceph: TenantCeph = TenantCeph()


class Image(Claim):
    """A container image in place of the operator's own choice."""

    repository: Repository
    """Registry and path of the image."""
    tag: Tag | None = None
    """Tag; a digest is safer."""
    digest: Digest | None = None
    """Digest, which stays the same image when a tag moves."""

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        if not self.tag and not self.digest:
            raise ValueError("has neither tag nor digest: give one of them, as the image would be latest without")
        return self


class Images(Claim):
    """Images in place of the operators' own."""

    keystone: Image | None = None
    """Image of Keystone."""
    placement: Image | None = None
    """Image of Placement."""
    glance: Image | None = None
    """Image of Glance."""
    nova: Image | None = None
    """Image of Nova."""
    neutron: Image | None = None
    """Image of Neutron."""
    cinder: Image | None = None
    """Image of Cinder."""
    horizon: Image | None = None
    """Image of Horizon."""
    octavia: Image | None = None
    """Image of Octavia."""
    manila: Image | None = None
    """Image of Manila."""
    cortex: Image | None = None
    """Image of Cortex."""
    tempest: Image | None = None
    """Image of Tempest."""


class OpenStackCluster(Claim):
    """One tenant's OpenStack, on the region's control plane and on the pools it names (claim OpenStackCluster)."""

    region: Name
    """Region that the claim belongs to: the region of this stack."""
    name: TenantName
    """Name of the tenant's OpenStack, at most 53 characters: the claim's metadata.name."""
    namespace: Name | None = None
    """Namespace of the claim (`tenant-<owner>`); becomes a label of everything that is made for it."""
    size: Size
    """Size of the control plane: a row of the table of sizes."""
    environment: Environment = "production"
    """What the tenant is for; production is held to stricter rules."""
    hypervisor_clusters: tuple[ClusterName, ...] = Field(min_length=1)
    """Hypervisor pools that run its machines."""
    storage_clusters: tuple[ClusterName, ...] = Field(min_length=1)
    """Storage pools that hold its data; the first holds all but the volumes unless `storage` says otherwise."""
    control_plane_cluster: ClusterName | None = None
    """Control-plane cluster; a region has one, so this can only repeat its name."""
    node_shares: dict[ClusterName, Nodes] = Field(default={})
    """Nodes of a shared hypervisor pool that are this tenant's alone; a node serves one tenant."""
    services: Services = Services()
    cortex: Cortex = Cortex()
    tempest: Tempest = Tempest()
    tls: Tls = Tls()
    network: Network = Network()
    storage: Storage = Storage()
    sizing: PartialSizing | None = None
    """Single replicas and capacities in place of the table of sizes."""
    images: Images = Images()
    labels: Labels = Field(default={})
    """Labels of the tenant's namespace and ControlPlane."""
    monitoring: Flag = True
    """Whether the tenant's services are scraped."""
    deletion_protection: Flag = True
    """Whether deleting the tenant, or anything that it has, is refused."""

    @property
    def sized(self) -> Sizing:
        """Replicas and capacities: the size's, with the tenant's own."""
        return sizing(self.size, self.sizing)
