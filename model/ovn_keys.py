"""The certificates of a tenant's OVN, which its nodes show to the southbound database on the control plane."""

from model.keys import Key
from model.tenant import OpenStackCluster

SECRET = "ovn-tls-certs"  # noqa: S105  (the name of a Secret, which the c5c3-operator's OVNCluster gives it)
CERTIFICATES = ("ca.crt", "tls.crt", "tls.key")


class OvnKey(Key):
    """Authority, certificate and key: one of a tenant, the same on all its nodes."""

    @property
    def path(self) -> str:
        """Beside the documents' `openstack/ovn/config`, below which hypervisors may read, and by tenant."""
        return f"openstack/ovn/{self.tenant}"


def ovn_key(tenant: OpenStackCluster) -> OvnKey | None:
    """None where the networks have no TLS, or no nodes: those come with Nova, which needs Neutron."""
    if not (tenant.tls.enabled and tenant.services.nova):
        return None
    return OvnKey(
        tenant=tenant.name,
        owner=SECRET,
        source=SECRET,
        secret=SECRET,
        properties=CERTIFICATES,
        on_hypervisors=True,
    )
