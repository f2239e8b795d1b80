"""What elects a leader has an odd number of members, and from medium up it survives the loss of one."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import C5C3, CEPH, SIZE, Cluster, Scene

MAJORITY = 3
ARBITERS = ("ceph.cobaltcore.sap.com", "ceph.c5c3.io")
PLANE = (("mariadb", "replicas"), ("rabbitmq", "replicas"), ("ovn", "northbound"), ("ovn", "southbound"))
OTHERS = (
    ("k8s.mariadb.com", "MariaDB", (("spec", "replicas"),)),
    ("rabbitmq.com", "RabbitmqCluster", (("spec", "replicas"),)),
    ("ovn.c5c3.io", "OVNCluster", (("spec", "northbound", "replicas"), ("spec", "southbound", "replicas"))),
)


def subjects(scene: Scene) -> list[Object]:
    kinds = [(C5C3, "ControlPlane"), (CEPH, "CephCluster"), *((group, kind) for group, kind, _ in OTHERS)]
    return [one for group, kind in kinds for one in scene.of_kind(group, kind)]


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    if one.kind == "ControlPlane":
        yield from _plane(one)
    elif one.kind == "CephCluster":
        node, home = one.at("spec", "mon", "count"), scene.cluster_of(one)
        if node.number() is not None:
            elsewhere = _arbiters(one, scene)
            yield from _odd(node, elsewhere)
            yield from _enough(node, elsewhere, one, scene)
            if home is not None and (node.number() or 0) > home.nodes:
                yield from _spread(node, home)
    else:
        yield from _members(one, scene)


def _enough(node: Node, elsewhere: int, one: Object, scene: Scene) -> Iterator[Violation]:
    larger = [tenant.name for _, tenant in scene.users.get(one.cluster, []) if tenant.size != "small"]
    if larger and (node.number() or 0) + elsewhere == 1:
        yield at(node, f"is 1, and {larger[0]} is larger than small: use {MAJORITY} or more, so that one may fail.")


def _members(one: Object, scene: Scene) -> Iterator[Violation]:
    """What somebody wrote beside the ControlPlane is as large as the tenant whose namespace it is in."""
    tenant = scene.by_name.get(scene.tenant_of(one) or "")
    least = 1 if tenant is None or tenant.size == "small" else MAJORITY
    for path in next(paths for group, kind, paths in OTHERS if one.is_a(group, kind)):
        node = one.at(*path)
        number = node.number()
        if number is not None:
            yield from _odd(node)
        if number == 1 < least or (number is None and least > 1 and one.kind != "OVNCluster"):  # by itself it is one
            yield at(node, f"is {number}: from medium up use {MAJORITY} or more, so that one may fail.")


def _plane(one: Object) -> Iterator[Violation]:
    infrastructure = one.at("spec", "infrastructure")
    least = 1 if one.label(SIZE) == "small" else MAJORITY
    for path in PLANE:
        node = infrastructure.at(*path)
        number = node.number()
        if number is None:
            continue
        yield from _odd(node)
        if number % 2 and number < least:
            yield at(node, f"is {number}: from medium up use {MAJORITY} or more, so that one may fail.")
    valkey = infrastructure.at("valkey")
    members = valkey.at("replicas").number()
    if valkey.at("sentinel", "enabled").flag() and members is not None and (members < MAJORITY or members % 2 == 0):
        yield at(
            valkey.at("replicas"),
            f"is {members} with sentinel: use an odd number of at least {MAJORITY}, or disable sentinel.",
        )


def _arbiters(one: Object, scene: Scene) -> int:
    """Monitors at a third site, which count with those of the cluster."""
    return sum(
        arbiter.cluster == one.cluster for group in ARBITERS for arbiter in scene.of_kind(group, "RemoteArbiter")
    )


def _odd(node: Node, elsewhere: int = 0) -> Iterator[Violation]:
    number = node.number() or 0
    if number < 1 or (number + elsewhere) % 2 == 0:
        more = f" with {elsewhere} elsewhere" if elsewhere else ""
        yield at(
            node,
            f"is {number}{more}: use an odd number, as an even one can split in halves and survives no more losses.",
        )


def _spread(node: Node, home: Cluster) -> Iterator[Violation]:
    yield at(node, f"is {node.value}, and {home.name} has {home.nodes} nodes: use at most one a node.")


POLICY = Policy(
    name="quorums",
    title="Quorums are odd",
    description="Databases, queues, OVN and Ceph's monitors have an odd number of members, three or more from size "
    "medium up.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Use 1 for a small tenant, and 3 or 5 for all others; never 2.",
    subjects=subjects,
    judge=judge,
    tags=("sizing", "rule 12"),
)
