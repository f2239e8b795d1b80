"""A key of Ceph travels by way of OpenBao, and on the whole way it is its tenant's."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import C5C3, TENANT, Scene

ESO = "external-secrets.io"
NAMESPACE = "openstack-"
ROOKS = ("rook-ceph-client-", "rook-ceph-object-user-")


def subjects(scene: Scene) -> list[Object]:
    pulled = [one for one in scene.of_kind(ESO, "ExternalSecret") if (one.namespace or "").startswith(NAMESPACE)]
    pushed = [one for one in scene.of_kind(ESO, "PushSecret") if one.namespace == "rook-ceph" or one.label(TENANT)]
    return [*pulled, *pushed, *scene.of_kind(C5C3, "HypervisorShare")]


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    match one.kind:
        case "ExternalSecret":
            yield from _pulled(one, (one.namespace or "").removeprefix(NAMESPACE))
        case "PushSecret":
            yield from _pushed(one, scene)
        case _:
            yield from _used(one, scene)


def _pulled(one: Object, tenant: str) -> Iterator[Violation]:
    """Into a tenant's namespace nothing comes but what is under its name."""
    for entry in [*one.at("spec", "data").items(), *one.at("spec", "dataFrom").items()]:
        if entry.at("find").value is not None:
            yield at(entry.at("find"), f"looks for whatever fits: name the path of each key of {tenant}.")
        for key in (entry.at("remoteRef", "key"), entry.at("extract", "key")):
            if key.value is not None and tenant not in (key.text() or "").split("/"):
                yield at(
                    key, f"is {key.text()!r}, which is not under the name of {tenant}: use ceph/<pool>/{tenant}/…."
                )


def _pushed(one: Object, scene: Scene) -> Iterator[Violation]:
    """A tenant's key goes to its tenant's path, and to that of the storage pool that it comes from."""
    source = one.at("spec", "selector", "secret", "name")
    client = (source.text() or "").removeprefix(ROOKS[0]).removeprefix(ROOKS[1])
    owner = scene.named_after(client, ends=True)
    if owner is None:
        yield at(source, f"is {source.text()!r}, which is no tenant's key: name the Secret of one client of Ceph.")
        return
    for entry in one.at("spec", "data").items():
        key = entry.at("match", "remoteRef", "remoteKey")
        path = (key.text() or "").split("/")
        if owner not in path or one.cluster not in path:
            yield at(
                key, f"is {key.text()!r}, and the key is {owner}'s on {one.cluster}: use ceph/{one.cluster}/{owner}/…."
            )


def _used(one: Object, scene: Scene) -> Iterator[Violation]:
    """Hypervisors that work for a tenant have that tenant's keys."""
    named = one.at("spec", "openStackCluster")
    if one.namespace != f"{NAMESPACE}{named.text()}":
        yield at(named, f"is {named.text()!r} in the namespace {one.namespace}: use {NAMESPACE}{named.text()}.")
    for entry in one.at("spec", "ceph").items():
        user: Node = entry.at("user")
        if scene.named_after(user.text() or "", ends=True) != named.text():
            yield at(
                user, f"is {user.text()!r}, which is not {named.text()}'s: name a client of Ceph of {named.text()}."
            )


POLICY = Policy(
    name="keys-stay-with-tenants",
    title="Keys stay with their tenant",
    description="Keys of Ceph are pushed to their tenant's path in OpenBao, and only from there into that tenant's "
    "namespaces.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Use the path ceph/<storage pool>/<tenant>/<client> with the tenant whose key it is, on both sides.",
    subjects=subjects,
    judge=judge,
    tags=("isolation", "secrets"),
)
