"""What a key of Ceph opens: the tenant's pools, each by name, and nothing more."""

from collections.abc import Iterator

from policies.ceph import rights
from policies.objects import Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import CEPH, Scene

HARMLESS = {("user", "read"), ("bucket", "*"), ("bucket", "read"), ("bucket", "write"), ("bucket", "read, write")}


def subjects(scene: Scene) -> list[Object]:
    return scene.of_kind(CEPH, "CephClient", "CephObjectStoreUser")


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    yield from _client(one, scene) if one.kind == "CephClient" else _user(one)


def _client(one: Object, scene: Scene) -> Iterator[Violation]:
    owner = scene.tenant_of(one)
    for node, right, pool in rights(one):
        if pool is None:
            yield at(
                node, f"has {right!r}, which opens more than one tenant's pools: write profile rbd pool=<tenant>-…."
            )
        elif owner is None or (scene.named_after(pool) or owner) != owner or not pool.startswith(f"{owner}-"):
            yield at(
                node,
                f"has {right!r}, and {pool} is not {owner or 'the tenant'}'s: name only pools of the tenant's own.",
            )


def _user(one: Object) -> Iterator[Violation]:
    """With `*` for users it could make users of its own, and read every bucket with them."""
    for node in one.at("spec", "capabilities").items():
        capability = node.path.rpartition(".")[2]
        if node.text() and (capability, node.text()) not in HARMLESS:
            yield at(
                node, f"is {node.text()!r}, which reaches beyond its own buckets: leave it out, or use read for user."
            )


POLICY = Policy(
    name="ceph-caps",
    title="Keys of Ceph open their tenant's pools only",
    description="The rights of a Ceph client name only pools of its tenant, each one; those of an object store's user "
    "reach no other user.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Name each pool in the right (profile rbd pool=<tenant>-volumes); drop what names none or another's.",
    subjects=subjects,
    judge=judge,
    tags=("isolation", "data", "rule 16"),
)
