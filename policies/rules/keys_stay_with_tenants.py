"""A key of Ceph or of OVN travels by way of OpenBao, and on the whole way it is its tenant's."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import C5C3, TENANT, TENANTS, Scene

ESO = "external-secrets.io"
ROOKS = ("rook-ceph-client-", "rook-ceph-object-user-")
CEPH = "ceph"
OVN = ["openstack", "ovn"]
SELECTORS = ("namespaceSelector", "namespaceSelectors")


def subjects(scene: Scene) -> list[Object]:
    """Without a namespace an object goes wherever the kubeconfig leads, which may be a tenant's."""
    pulled = [one for one in scene.of_kind(ESO, "ExternalSecret") if one.namespace is None or _tenant(one.namespace)]
    pushed = [one for one in scene.of_kind(ESO, "PushSecret") if _of_tenants(one)]
    wide = scene.of_kind(ESO, "ClusterExternalSecret", "ClusterPushSecret")
    return [*pulled, *pushed, *wide, *scene.of_kind(C5C3, "HypervisorShare")]


def _of_tenants(one: Object) -> bool:
    return one.namespace in (None, "rook-ceph") or bool(_tenant(one.namespace) or one.label(TENANT))


def _tenant(namespace: str | None) -> str:
    return (namespace or "").removeprefix(TENANTS) if (namespace or "").startswith(TENANTS) else ""


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    match one.kind:
        case "ExternalSecret":
            yield from _pulled(one.at("spec"), _tenant(one.namespace))
        case "PushSecret" if _tenant(one.namespace):
            yield from _put(one.at("spec"), _tenant(one.namespace))
        case "PushSecret":
            yield from _pushed(one, scene)
        case "ClusterExternalSecret":
            yield from _wide(one)
        case "ClusterPushSecret":
            yield Violation(
                object=one, says="it pushes Secrets of whatever namespaces fit: write a PushSecret for each key."
            )
        case _:
            yield from _used(one, scene)


def _pulled(spec: Node, tenant: str) -> Iterator[Violation]:
    """Into a tenant's namespace nothing comes but what is under its name."""
    if not tenant:
        yield Violation(object=spec.object, says="it names no namespace, so anybody may get its keys: write one.")
        return
    for entry in [*spec.at("data").items(), *spec.at("dataFrom").items()]:
        if entry.at("find").value is not None:
            yield at(entry.at("find"), f"looks for whatever fits: name the path of each key of {tenant}.")
        for key in (entry.at("remoteRef", "key"), entry.at("extract", "key")):
            if key.value is not None and not _own(key.text() or "", tenant):
                yield at(key, _strange(key.text() or "", tenant))


def _strange(path: str, tenant: str) -> str:
    right = "/".join([*OVN, tenant]) if path.split("/")[:2] == OVN else f"ceph/<pool>/{tenant}/…"
    return f"is {path!r}, which is not under the name of {tenant}: use {right}."


def _own(path: str, tenant: str) -> bool:
    """By the place of the name in the path: a tenant may be called like a pool, a client, ceph or ovn."""
    parts = path.split("/")
    if parts[:2] == OVN:
        return bool(tenant) and parts == [*OVN, tenant]
    at_ = 2 if parts[0] == CEPH else 1
    return bool(tenant) and len(parts) > at_ + 1 and parts[at_] == tenant and ".." not in parts


def _wide(one: Object) -> Iterator[Violation]:
    spec = one.at("spec")
    for key in SELECTORS:
        if spec.at(key).value is not None:
            yield at(spec.at(key), "reaches whatever namespaces fit: write an ExternalSecret in each namespace.")
    for node in spec.at("namespaces").items():
        if _tenant(node.text()):
            yield from _pulled(spec.at("externalSecretSpec"), _tenant(node.text()))


def _put(spec: Node, tenant: str) -> Iterator[Violation]:
    """From its namespace a tenant's Secrets go to its own paths, or they would take the place of another's."""
    yield from _whatever(spec)
    for entry in spec.at("data").items():
        key = entry.at("match", "remoteRef", "remoteKey")
        if not _own(key.text() or "", tenant):
            yield at(key, _strange(key.text() or "", tenant))


def _whatever(spec: Node) -> Iterator[Violation]:
    if spec.at("dataTo").value is not None:
        yield at(spec.at("dataTo"), "pushes whatever fits: name each value and its path in data.")


def _pushed(one: Object, scene: Scene) -> Iterator[Violation]:
    """A tenant's key goes to its tenant's path, and to that of the storage pool that it comes from."""
    source = one.at("spec", "selector", "secret", "name")
    client = (source.text() or "").removeprefix(ROOKS[0]).removeprefix(ROOKS[1])
    owner = scene.named_after(client, ends=True)
    if owner is None:
        yield at(source, f"is {source.text()!r}, which is no tenant's key: name the Secret of one client of Ceph.")
        return
    yield from _whatever(one.at("spec"))
    for entry in one.at("spec", "data").items():
        key = entry.at("match", "remoteRef", "remoteKey")
        path = key.text() or ""
        if not path.startswith(f"{CEPH}/{one.cluster}/") or not _own(path, owner):
            yield at(
                key, f"is {key.text()!r}, and the key is {owner}'s on {one.cluster}: use ceph/{one.cluster}/{owner}/…."
            )


def _used(one: Object, scene: Scene) -> Iterator[Violation]:
    """Hypervisors that work for a tenant have that tenant's keys."""
    named = one.at("spec", "openStackCluster")
    if one.namespace != f"{TENANTS}{named.text()}":
        yield at(named, f"is {named.text()!r} in the namespace {one.namespace}: use {TENANTS}{named.text()}.")
    for entry in one.at("spec", "ceph").items():
        user: Node = entry.at("user")
        if scene.named_after(user.text() or "", ends=True) != named.text():
            yield at(
                user, f"is {user.text()!r}, which is not {named.text()}'s: name a client of Ceph of {named.text()}."
            )


POLICY = Policy(
    name="keys-stay-with-tenants",
    title="Keys stay with their tenant",
    description="Keys of Ceph and certificates of OVN are pushed to their tenant's path in OpenBao, and only from "
    "there into that tenant's namespaces; nothing else is pushed from there.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Use the path ceph/<storage pool>/<tenant>/<client>, or openstack/ovn/<tenant>, with the tenant whose key "
    "it is, on both sides.",
    subjects=subjects,
    judge=judge,
    tags=("isolation", "secrets"),
)
