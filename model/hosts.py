"""What one tenant gets of its hypervisor pools: which nodes, and how Nova groups them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.pools import HypervisorPool
from model.tenant import OpenStackCluster

ZONE = "availability-zone"  # the label of a pool that says where it stands


@dataclass(frozen=True, kw_only=True)
class HostShare:
    """A tenant's nodes of one pool. They are one aggregate, called after the pool, in the tenant's own Nova."""

    tenant: str
    pool: str
    nodes: int | None
    """How many; when none is said, an even part of what nobody asks for by number: all where the tenant is alone."""
    zone: str | None
    """Nova's availability zone, where the pool names one."""
    metadata: Mapping[str, str]
    """What flavors may ask for: the pool's other labels."""


def host_shares(tenant: OpenStackCluster, pools: Mapping[str, HypervisorPool]) -> Iterator[HostShare]:
    for name in tenant.hypervisor_clusters:
        labels = pools[name].labels
        yield HostShare(
            tenant=tenant.name,
            pool=name,
            nodes=tenant.node_shares.get(name),
            zone=labels.get(ZONE),
            metadata={key: value for key, value in labels.items() if key != ZONE},
        )
