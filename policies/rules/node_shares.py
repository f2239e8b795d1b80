"""A node serves one tenant, so nobody is promised a node that another has."""

from collections.abc import Iterator

from policies.objects import Node
from policies.policy import Policy, Severity, Violation, at
from policies.scene import C5C3, Cluster, Scene


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    promised = _promised(pool, scene)
    total = sum(node.number() or 0 for node in promised.values())
    for name, node in promised.items():
        tenant = scene.by_name.get(name)
        if tenant is None or pool.name not in [reference for _, reference in tenant.references]:
            yield at(node, f"is a share of {pool.name}, which {name} does not name: name the pool, or drop the share.")
    if total > pool.nodes:
        last = promised[max(promised)]
        yield at(
            last,
            f"is {last.number()}, and with it {total} nodes of {pool.name} are promised, which has {pool.nodes}: lower "
            f"the shares by {total - pool.nodes}, or raise its workers.",
        )
        return
    others = [node for node, tenant in scene.users.get(pool.name, []) if tenant.name not in promised]
    left = pool.nodes - total
    for node in others if left < len(others) else ():
        yield at(
            node,
            f"is {pool.name!r}, {total} of whose {pool.nodes} nodes are promised to others: the {left} that "
            f"are left are too few for {len(others)} tenants without a share, as a node serves one tenant. Lower the "
            "others' nodeShares, raise its workers, or name another pool.",
        )


def _promised(pool: Cluster, scene: Scene) -> dict[str, Node]:
    """By tenant: what its ControlPlane says, or what stands in the pool's cluster if that is more."""
    found = {tenant.name: node for tenant in scene.tenants if (node := tenant.shares().get(pool.name)) is not None}
    for share in scene.of_kind(C5C3, "HypervisorShare"):
        if share.cluster != pool.name:
            continue
        name = share.at("spec", "openStackCluster").text() or scene.tenant_of(share) or share.resource
        nodes, said = share.at("spec", "nodes"), found.get(name)
        if said is None or (nodes.number() or 0) > (said.number() or 0):
            found[name] = nodes
    return found


POLICY = Policy(
    name="node-shares",
    title="Nodes are promised once",
    description="All shares of a hypervisor pool come to no more than the nodes that it has at least, and leave "
    "one for each of its tenants without a share.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Lower nodeShares of the pool's tenants, or raise the pool's workers.",
    subjects=lambda scene: scene.pools("hypervisor").values(),
    judge=judge,
    tags=("isolation", "sizing", "rule 9"),
)
