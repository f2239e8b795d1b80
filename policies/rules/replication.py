"""Copies need nodes to be on, and data that matters needs copies."""

from collections.abc import Iterator

from policies.ceph import Copies, copies, persistent
from policies.objects import Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Cluster, Scene

LEAST = 2


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    home = scene.cluster_of(one)
    tenant = scene.by_name.get(scene.tenant_of(one) or "")
    production = tenant is None or tenant.environment == "production"
    for pool in copies(one):
        node, number = pool.node, pool.number
        if number is None:
            yield at(node, "is missing: write how many copies the pool keeps.")
            continue
        if production and persistent(one, scene) and number < LEAST:
            yield at(node, f"is {number} in production, where the loss of a disk would lose data: use {LEAST} or more.")
        if home is not None:
            yield from _places(pool, home)
    safe = one.at("spec", "replicated", "requireSafeReplicaSize")
    if safe.flag() and one.at("spec", "replicated", "size").number() == 1:
        yield at(safe, "is True with one copy, which Rook refuses: set it to false, or keep more copies.")


def _places(pool: Copies, home: Cluster) -> Iterator[Violation]:
    """Each copy, or each chunk of data and of coding, is on a node of its own."""
    if pool.hosts > home.nodes:
        yield at(
            pool.node,
            f"is {pool.node.value}{_chunks(pool)}, and {home.name} has {home.nodes} nodes: use at most {home.nodes}.",
        )
    elif pool.domain == "zone" and pool.hosts > len(home.zones):
        zones = len(home.zones)
        yield at(
            pool.node,
            f"is {pool.node.value}{_chunks(pool)}, and {home.name} spreads copies over its {zones} zones: use at most "
            f"{zones}.",
        )


def _chunks(pool: Copies) -> str:
    coded = pool.hosts != pool.number
    return f" of {pool.hosts} chunks, each on a node of its own" if coded else ""


POLICY = Policy(
    name="replication",
    title="Copies fit their pool",
    description="Every pool of Ceph keeps at most as many copies as its storage pool has nodes (or zones), and at "
    "least two of what production keeps.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Use two or more copies in production, and at most one a node; or add nodes to the storage pool.",
    subjects=lambda scene: scene.ceph(),
    judge=judge,
    tags=("data", "sizing", "rule 11"),
)
