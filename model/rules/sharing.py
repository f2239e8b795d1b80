"""Rules between the tenants of a pool: exclusive pools, compliance, shares of nodes."""

from collections import defaultdict
from collections.abc import Iterator

from model.ceph import ceph_pools
from model.pools import HypervisorPool, Pool
from model.problems import Finding, Path
from model.rules.scene import Placed, Scene
from model.tenant import OpenStackCluster

Pools = dict[str, tuple[Path, Pool]]

LEAST_COPIES = 3  # of data under compliance


def check(scene: Scene) -> Iterator[Finding]:
    pools = scene.pools
    yield from _labels(scene)
    yield from _dedicated(scene, pools)
    yield from _shares(scene, pools)
    for path, tenant in scene.tenants:
        yield from _compliance(path, tenant, pools)


def _references(path: Path, tenant: OpenStackCluster) -> Iterator[tuple[Path, str]]:
    for key, names in (
        ("hypervisorClusters", tenant.hypervisor_clusters),
        ("storageClusters", tenant.storage_clusters),
    ):
        for at, name in enumerate(names):
            yield (*path, key, at), name


def _labels(scene: Scene) -> Iterator[Finding]:
    for path, pool in [*scene.hypervisor_pools, *scene.storage_pools]:
        if pool.labels.get("dedicated", "true") not in ("true", "false"):
            yield Finding((*path, "labels", "dedicated"), f'is {pool.labels["dedicated"]!r}: use "true" or "false"')
    for path, pool in scene.storage_pools:
        if "compliance" in pool.labels and not pool.ceph.encrypted:
            yield Finding(
                (*path, "ceph", "encrypted"),
                f"is false, and the pool is labelled compliance={pool.labels['compliance']}: set it to true, "
                "or remove the label",
                ((*path, "labels"),),
            )


def _dedicated(scene: Scene, pools: Pools) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for path, tenant in scene.tenants:
        for place, name in _references(path, tenant):
            at, pool = pools.get(name, ((), None))
            if pool is None or pool.labels.get("dedicated") != "true":
                continue
            owner = owners.setdefault(name, tenant.name)
            if owner != tenant.name:
                yield Finding(
                    place,
                    f"is {name!r}, which is dedicated to one tenant, and {owner} has it: name another pool, "
                    'or remove the label dedicated="true"',
                    ((*at, "labels"),),
                )


def _compliance(path: Path, tenant: OpenStackCluster, pools: Pools) -> Iterator[Finding]:
    """A tenant on one pool of a compliance regime is under it with everything it has."""
    references = [(place, *pools[name]) for place, name in _references(path, tenant) if name in pools]
    regime, source, labels = next(
        (
            (pool.labels["compliance"], pool.name, (*at, "labels"))
            for _, at, pool in references
            if "compliance" in pool.labels
        ),
        (None, "", ()),
    )
    if regime is None:
        return
    for place, at, pool in references:
        if pool.labels.get("compliance") != regime:
            yield Finding(
                place,
                f"is {pool.name!r}, which is not labelled compliance={regime} as {source} is: "
                "name only pools of that label",
                (labels, (*at, "labels")),
            )
    why = f"{source} is labelled compliance={regime}"
    if not tenant.tls.enabled:
        yield Finding((*path, "tls", "enabled"), f"is false, and {why}: set it to true", (labels,))
    yield from _copies(path, tenant, why, labels)


def _copies(path: Path, tenant: OpenStackCluster, why: str, labels: Path) -> Iterator[Finding]:
    ceph = (*path, "storage", "ceph")
    for pool in ceph_pools(tenant):
        if pool.persistent and pool.replication < LEAST_COPIES:
            says = f"is {pool.replication}, and {why}: use {LEAST_COPIES} or more"
            yield Finding((*ceph, *pool.path), says, (labels,))


def _shares(scene: Scene, pools: Pools) -> Iterator[Finding]:
    users_of: defaultdict[str, Placed[OpenStackCluster]] = defaultdict(list)
    for place, tenant in scene.tenants:
        for name in set(tenant.hypervisor_clusters):
            users_of[name].append((place, tenant))
    for path, pool in scene.hypervisor_pools:
        if pool.name not in pools:
            continue
        users = users_of[pool.name]
        promised = {
            tenant.name: tenant.node_shares[pool.name] for _, tenant in users if pool.name in tenant.node_shares
        }
        total = sum(promised.values())
        reads = ((*path, "workers"),)
        if total > pool.workers:
            place, last = [(place, tenant) for place, tenant in users if tenant.name in promised][-1]
            yield Finding(
                (*place, "nodeShares", pool.name),
                f"is {promised[last.name]}, and with it {total} nodes of {pool.name} are promised, which has "
                f"{pool.workers} workers: lower the shares by {total - pool.workers}, or raise its workers",
                reads,
            )
        else:
            yield from _without(
                pool, pool.workers - total, [one for one in users if one[1].name not in promised], reads
            )


def _without(
    pool: HypervisorPool, left: int, users: Placed[OpenStackCluster], reads: tuple[Path, ...]
) -> Iterator[Finding]:
    """Of the tenants without a share of their own each needs a node; the last ones are those that came too late."""
    for place, tenant in users[left:]:
        why = f"all of whose {pool.workers} nodes are promised to other tenants: lower their nodeShares"
        if left:
            why = (
                f"which has {left} of its {pool.workers} nodes left for the {len(users)} tenants without nodeShares, "
                "and each needs one: raise its workers, lower the nodeShares of others"
            )
        yield Finding(
            (*place, "hypervisorClusters", tenant.hypervisor_clusters.index(pool.name)),
            f"is {pool.name!r}, {why}, or name another pool",
            reads,
        )
