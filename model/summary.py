"""A region in a few lines, for the person who just checked its stack file."""

from collections import defaultdict

from model.ceph import GIB, ceph_pools
from model.region import RegionSpec
from model.words import in_bytes


def of(region: RegionSpec) -> str:
    """Its clusters, and how much of each pool is promised to tenants."""
    plane = region.control_plane
    rows = [("control plane", plane.name, _workers(plane.workers, plane.max_workers), "")]
    shares: defaultdict[str, int] = defaultdict(int)
    quotas: defaultdict[str, int] = defaultdict(int)
    for tenant in region.open_stack_clusters:
        for pool, nodes in tenant.node_shares.items():
            shares[pool] += nodes
        for ceph_pool in ceph_pools(tenant):
            quotas[ceph_pool.storage_cluster] += ceph_pool.raw_bytes
    for pool in region.hypervisor_pools:
        promised = f"{shares[pool.name]} nodes promised" if shares[pool.name] else ""
        rows.append(("hypervisors", pool.name, _workers(pool.workers, pool.max_workers), promised))
    for pool in region.storage_pools:
        quota = quotas[pool.name] // (pool.ceph.replication_factor * GIB)
        usable = f" of {in_bytes(pool.ceph.target_capacity) // GIB}Gi" if pool.ceph.target_capacity else ""
        promised = f"{quota}Gi{usable} promised" if quota else ""
        rows.append(("storage", pool.name, _workers(pool.workers, pool.max_workers), promised))
    for tenant in region.open_stack_clusters:
        pools = ", ".join([*tenant.hypervisor_clusters, *tenant.storage_clusters])
        rows.append(("tenant", tenant.name, f"{tenant.size}, {tenant.environment}", pools))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, [*widths, 0], strict=True)).rstrip()
        for row in rows
    )


def _workers(least: int, most: int) -> str:
    return f"{least} to {most} nodes" if most > least else f"{least} nodes"
