"""Rules of storage: copies need nodes, promises need capacity."""

from collections import defaultdict
from collections.abc import Iterator

from model.ceph import GIB, CephPool, ceph_pools
from model.pools import StoragePool
from model.problems import Finding, Path
from model.rules.scene import Scene

LEAST_IN_PRODUCTION = 2
LEAST_WITH_ARBITER = 3  # monitors: one there, and one on each side
NAMED = 5  # of the tenants whose quotas are too much


def check(scene: Scene) -> Iterator[Finding]:
    pools = {name: (path, pool) for name, (path, pool) in scene.pools.items() if isinstance(pool, StoragePool)}
    for path, pool in scene.storage_pools:
        yield from _pool(path, pool)
    promised: defaultdict[str, list[CephPool]] = defaultdict(list)
    for path, tenant in scene.tenants:
        seen: set[Path] = set()
        mine = list(ceph_pools(tenant))
        for ceph_pool in mine:
            place = (*path, "storage", "ceph", *ceph_pool.path)
            known = pools.get(ceph_pool.storage_cluster)
            promised[ceph_pool.storage_cluster].append(ceph_pool)
            found = next(_copies(place, ceph_pool, known, production=tenant.environment == "production"), None)
            if found and place not in seen:
                seen.add(place)
                yield found
        if tenant.storage.ceph.volume_pool.mirroring.enabled:
            yield from _mirroring(path, mine, pools)
    for path, pool in pools.values():
        yield from _capacity(path, pool, promised[pool.name])


def _pool(path: Path, pool: StoragePool) -> Iterator[Finding]:
    ceph = pool.ceph
    at, workers = (*path, "ceph"), (*path, "workers")
    for key, count, what in (
        ("replicationFactor", ceph.replication_factor, "copies"),
        ("monCount", ceph.mon_count, "monitors"),
    ):
        if count > pool.workers:
            yield Finding(
                (*at, key),
                f"is {count}, and the pool has {pool.workers} workers: use at most {pool.workers} {what}, "
                "or raise workers",
                (workers,),
            )
    if ceph.failure_domain == "zone" and len(pool.zones) < ceph.replication_factor:
        yield Finding(
            (*at, "failureDomain"),
            f"is 'zone', and the pool has {len(pool.zones)} zones for {ceph.replication_factor} copies: "
            "name more zones, or use host",
            ((*path, "zones"), (*at, "replicationFactor")),
        )
    if pool.arbiter_cluster and ceph.mon_count < LEAST_WITH_ARBITER:
        yield Finding(
            (*at, "monCount"),
            f"is {ceph.mon_count}, and one of the monitors is with the arbiter: use {LEAST_WITH_ARBITER} or more, or "
            "leave arbiterCluster out",
            ((*path, "arbiterCluster"),),
        )
    if pool.arbiter_cluster == pool.name:
        yield Finding(
            (*path, "arbiterCluster"),
            f"is {pool.name!r}, the pool itself: name a cluster at a third site, or leave the key out",
            ((*path, "name"),),
        )


def _copies(
    place: Path, ceph_pool: CephPool, known: tuple[Path, StoragePool] | None, *, production: bool
) -> Iterator[Finding]:
    if production and ceph_pool.persistent and ceph_pool.replication < LEAST_IN_PRODUCTION:
        yield Finding(
            place,
            f"is {ceph_pool.replication} in production, where the loss of a disk would lose data: use "
            f"{LEAST_IN_PRODUCTION} or more, or another environment",
            ((*place[:2], "environment"),),
        )
    if known is None:
        return
    path, pool = known
    if ceph_pool.replication > pool.workers:
        yield Finding(
            place,
            f"is {ceph_pool.replication}, and {pool.name} has {pool.workers} nodes: use at most {pool.workers}",
            ((*path, "workers"),),
        )
    elif pool.ceph.failure_domain == "zone" and ceph_pool.replication > len(pool.zones):
        yield Finding(
            place,
            f"is {ceph_pool.replication}, and {pool.name} spreads copies over its {len(pool.zones)} zones: "
            f"use at most {len(pool.zones)}",
            ((*path, "zones"), (*path, "ceph")),
        )


def _mirroring(path: Path, mine: list[CephPool], pools: dict[str, tuple[Path, StoragePool]]) -> Iterator[Finding]:
    for ceph_pool in mine:
        place, pool = pools.get(ceph_pool.storage_cluster, ((), None))
        if ceph_pool.purpose == "volumes" and pool and not pool.ceph.rbd_mirrors:
            yield Finding(
                (*path, "storage", "ceph", "volumePool", "mirroring", "enabled"),
                f"is true, and {pool.name} has no daemon that mirrors: set its ceph.rbdMirrors to 1 or more",
                ((*place, "ceph", "rbdMirrors"),),
            )
            return


def _capacity(path: Path, pool: StoragePool, promised: list[CephPool]) -> Iterator[Finding]:
    """Quotas are counted with their own replication against what the disks hold."""
    raw = pool.ceph.raw_bytes
    total = sum(one.raw_bytes for one in promised)
    if raw is None or total <= raw:
        return
    factor = pool.ceph.replication_factor
    largest = sorted((one for one in promised if one.quota_gib), key=lambda one: (-one.raw_bytes, one.tenant))
    named = ", ".join(f"{one.tenant} {one.quota_gib}Gi" for one in largest[:NAMED])
    more = f" and {len(largest) - NAMED} more" if len(largest) > NAMED else ""
    yield Finding(
        (*path, "ceph", "targetCapacity"),
        f"is {pool.ceph.target_capacity!r}, and the tenants' quotas come to {total // (factor * GIB)}Gi at {factor} "
        f"copies ({named}{more}): lower the quotas, or raise the capacity",
        ((*path, "ceph", "replicationFactor"),),
    )
