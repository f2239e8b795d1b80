"""A dedicated pool serves one tenant."""

from collections.abc import Iterator

from policies.objects import Node
from policies.policy import Policy, Severity, Violation, at
from policies.scene import C5C3, Cluster, Scene, Tenant

LABEL = "dedicated"


def judge(pool: Cluster, scene: Scene) -> Iterator[Violation]:
    value = pool.labels.get(LABEL)
    if value in (None, "false"):
        return
    if value != "true":
        yield Violation(object=pool.shoot, says=f'the label {LABEL} is {value!r}: use "true" or "false".')
    users = _users(pool, scene)
    owner = users[0][1] if users else None
    for node, name in users[1:]:
        yield at(
            node,
            f"is {pool.name!r}, which is dedicated to one tenant, and {owner} has it: {name} is to name another pool, "
            f'or the pool is to lose its label {LABEL}="true".',
        )


def _users(pool: Cluster, scene: Scene) -> list[tuple[Node, str]]:
    """By what ControlPlanes name, and by what stands in the pool's cluster although no ControlPlane says so."""
    named: list[tuple[Node, Tenant]] = scene.users.get(pool.name, [])
    found = {tenant.name: node for node, tenant in named}
    kinds = ("CephBlockPool", "CephFilesystem", "CephObjectStore", "CephClient", "CephObjectStoreUser")
    for one in [*scene.ceph(*kinds), *scene.of_kind(C5C3, "HypervisorShare")]:
        owner = scene.tenant_of(one) if one.cluster == pool.name else None
        if owner is not None and owner not in found:
            found[owner] = Node(one, "the pool", pool.name)
    return [(node, name) for name, node in found.items()]


POLICY = Policy(
    name="dedicated-pools",
    title="Dedicated pools have one tenant",
    description='A pool with the label dedicated="true" is one tenant\'s alone.',
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Give the second tenant a pool of its own, or take the label from a pool that is meant to be shared.",
    subjects=lambda scene: scene.pools().values(),
    judge=judge,
    tags=("isolation", "rule 3"),
)
