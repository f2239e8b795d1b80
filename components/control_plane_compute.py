"""The part of a tenant's ControlPlane that says where its machines run: pools, nodes, aggregates and zones."""

from __future__ import annotations

from collections.abc import Iterable

from crds import c5c3
from model.hosts import HostShare
from model.tenant import OpenStackCluster


def compute(claim: OpenStackCluster, shares: Iterable[HostShare]) -> c5c3.ControlPlaneSpecComputeArgs:
    return c5c3.ControlPlaneSpecComputeArgs(
        hypervisor_clusters=list(claim.hypervisor_clusters),
        pools=[
            c5c3.ControlPlaneSpecComputePoolsArgs(
                name=share.pool,
                nodes=share.nodes,
                host_aggregate=c5c3.ControlPlaneSpecComputePoolsHostAggregateArgs(
                    name=share.pool, availability_zone=share.zone, metadata=dict(share.metadata) or None
                ),
            )
            for share in shares
        ]
        or None,
    )
