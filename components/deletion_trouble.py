"""What is said when something of a tenant does not go: its operator keeps it as long as it is in use."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import pulumi

from access.kubeconfig import ShootRef
from access.look import look
from access.problem import Problem


class Kept(NamedTuple):
    """What is said of a kind: who keeps an object of it, what is safe, what must be gone first, and what to do."""

    plural: str
    who: str
    until: str
    do: str = "Move them away or delete them"
    safe: str = "What is in it is not lost"
    gone: str = "its nodes, its ControlPlane with the databases, and its keys"
    """What of a tenant that goes as a whole has gone before."""


KEPT = {
    "CephBlockPool": Kept("cephblockpools", "Rook", "the volumes, images and snapshots in it are gone"),
    "CephFilesystem": Kept("cephfilesystems", "Rook", "the shares in it are gone"),
    "CephObjectStore": Kept("cephobjectstores", "Rook", "the buckets in it are gone"),
    "CephObjectStoreUser": Kept("cephobjectstoreusers", "Rook", "the buckets of it are gone"),
    "ControlPlane": Kept(
        "controlplanes",
        "its operator",
        "all that its operator made of it is gone",
        do="See what that waits for in its namespace",
        safe="The tenant's data on Ceph is not lost",
        gone="its nodes",
    ),
    "HypervisorShare": Kept(
        "hypervisorshares", "its operator", "the machines on its nodes are gone", safe="Nothing is lost", gone=""
    ),
}
# Rook's, for pools with something in them and for whatever else something depends on.
BLOCKED = {"PoolDeletionIsBlocked", "DeletionIsBlocked", "RadosNamespaceDeletionIsBlocked"}
PROTECTED = "it is protected"  # Pulumi has not asked for the deletion then


def kept(cluster: str, ref: ShootRef, args: pulumi.ErrorHookArgs) -> str | None:
    """The sentence about an object that was to go and is still there; none for any other failure."""
    if args.failed_operation != "delete" or any(PROTECTED in error for error in args.errors):
        return None
    inputs: Mapping[str, Any] = args.old_inputs or {}
    kind = str(inputs.get("kind"))
    if kind not in KEPT:
        return None
    of = KEPT[kind]
    metadata = cast("Mapping[str, str]", inputs["metadata"])
    name, namespace = metadata["name"], metadata["namespace"]
    try:
        found = look(ref, f"/apis/{inputs['apiVersion']}/namespaces/{namespace}/{of.plural}/{name}")
    except Problem as problem:
        return f"{kind} {name} in cluster {cluster} is not deleted, and nobody knows why: {problem}"
    if found is None:
        return None
    gone = f" Where the whole tenant goes, {of.gone} have gone already." if of.gone else ""
    return (
        f"{kind} {name} in cluster {cluster} is not deleted yet: {_said(found, of.who)}. {of.safe}: it goes when "
        f"{of.until}. {of.do}, then run the update again (docs/tenants.md).{gone}"
    )


def _said(found: Mapping[str, Any], who: str) -> str:
    """A condition that says why, the last one where none is known for it."""
    status = cast("Mapping[str, Any]", found.get("status") or {})
    rows = cast("list[Mapping[str, str]]", status.get("conditions") or [])
    blocked = [one for one in rows if one["type"] in BLOCKED and one["status"] == "True"]
    not_ready = [one for one in rows if one["type"] == "Ready" and one["status"] == "False"]
    for one in [*blocked, *not_ready]:
        return f"{who} says: {one.get('message', one['type'])}".rstrip(".")
    return f"{who} has not said why"
