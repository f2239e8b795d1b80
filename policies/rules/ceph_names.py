"""Whose an object of Ceph is, is in its name; and nobody names another's."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import ENDING, Scene, Tenant

KINDS = ("CephBlockPool", "CephFilesystem", "CephObjectStore", "CephClient", "CephObjectStoreUser")
NAMED = 5
KEY = 3  # parts of the name of a Secret with a key
REFERENCES = ("pool", "filesystem", "volumes", "images", "ephemeral")


def subjects(scene: Scene) -> list[Object | Tenant]:
    return [*scene.ceph(*KINDS), *scene.tenants]


def judge(one: Object | Tenant, scene: Scene) -> Iterator[Violation]:
    yield from _references(one, scene) if isinstance(one, Tenant) else _named(one, scene)


def _named(one: Object, scene: Scene) -> Iterator[Violation]:
    owner = scene.tenant_of(one)
    names = [one.at("metadata", "name"), one.at("spec", "name"), one.at("spec", "store")]
    for node in names:
        name = node.text()
        if name is None and node is not names[0]:
            continue
        whose = scene.named_after(name or "", ends=node is names[0] and one.kind in ENDING)
        if name is None or owner is None or not carries(name, owner) or whose not in (None, owner):
            yield at(
                node,
                f"is {name!r}, which does not carry the name of {_whose(owner, scene)}: "
                "call it after its tenant, as in <tenant>-volumes.",
            )
            return
    tenant = scene.by_name.get(owner or "")
    if tenant is not None and one.cluster not in [name for _, name in tenant.references]:
        yield at(
            names[0],
            f"is {one.name!r} in the cluster {one.cluster!r}, which {owner} does not name among its storageClusters: "
            "name it there, or make the object where the tenant is.",
        )


def _whose(owner: str | None, scene: Scene) -> str:
    if owner:
        return f"its tenant {owner!r}"
    named = sorted(scene.by_name)[:NAMED]
    return f"any tenant ({', '.join(named) or 'there is none'}{', ...' if len(scene.by_name) > NAMED else ''})"


def _references(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    """A control plane that names another tenant's pool, filesystem or key would work with another's data."""
    for node in _inside(tenant.plane.at("spec")):
        key = node.path.rpartition(".")[2]
        if key not in REFERENCES and not node.path.endswith("ecretRef") and not node.path.endswith("ecretRef.name"):
            continue
        name = node.text() if not isinstance(node.value, dict | list) else None
        if name is None or _own(name, tenant, scene):
            continue
        yield at(
            node, f"is {name!r}, which is not {tenant.name}'s: name a pool, filesystem or Secret of {tenant.name}."
        )


def _inside(node: Node) -> Iterator[Node]:
    for below in node.items() if isinstance(node.value, dict | list) else ():
        yield below
        yield from _inside(below)


def _own(name: str, tenant: Tenant, scene: Scene) -> bool:
    """Keys are called ceph-<service>-<tenant>, and after the storage pool where the tenant has several."""
    places = {place for _, place in tenant.references}
    keys = {tenant.name, *(f"{tenant.name}-{place}" for place in places)}
    parts = name.split("-", 2)
    return (len(parts) == KEY and parts[2] in keys) or scene.named_after(name) == tenant.name


def carries(name: str, tenant: str) -> bool:
    return name.startswith(f"{tenant}-") or name.endswith(f"-{tenant}")


POLICY = Policy(
    name="ceph-names",
    title="Objects of Ceph carry their tenant's name",
    description="Each pool, filesystem, object store, client and user carries its tenant's name and stands where the "
    "tenant is, and a control plane names only its own.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Call the object after its tenant (<tenant>-volumes, openstack-<tenant>) and let others' names alone.",
    subjects=subjects,
    judge=judge,
    tags=("isolation", "data", "rule 16"),
)
