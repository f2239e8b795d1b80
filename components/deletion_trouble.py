"""What is said when something of a tenant does not go: its operator keeps it as long as it is in use."""

from collections.abc import Mapping
from typing import Any, cast

import pulumi

from access.kubeconfig import ShootRef
from access.look import look
from access.problem import Problem

# By kind: the plural, who keeps it, and what must be gone first.
KEPT = {
    "CephBlockPool": ("cephblockpools", "Rook", "the volumes, images and snapshots in it"),
    "CephFilesystem": ("cephfilesystems", "Rook", "the shares in it"),
    "CephObjectStore": ("cephobjectstores", "Rook", "the buckets in it"),
    "CephObjectStoreUser": ("cephobjectstoreusers", "Rook", "the buckets of it"),
    "HypervisorShare": ("hypervisorshares", "its operator", "the machines on its nodes"),
}
BLOCKED = "PoolDeletionIsBlocked"


def kept(cluster: str, ref: ShootRef, args: pulumi.ErrorHookArgs) -> str | None:
    """The sentence about an object that was to go and is still there; none for any other failure."""
    if args.failed_operation != "delete":
        return None
    inputs: Mapping[str, Any] = args.old_inputs or {}
    kind = str(inputs.get("kind"))
    if kind not in KEPT:
        return None
    plural, who, what = KEPT[kind]
    metadata = cast("Mapping[str, str]", inputs["metadata"])
    name, namespace = metadata["name"], metadata["namespace"]
    try:
        found = look(ref, f"/apis/{inputs['apiVersion']}/namespaces/{namespace}/{plural}/{name}")
    except Problem as problem:
        return f"{kind} {name} in cluster {cluster} is not deleted, and nobody knows why: {problem}"
    if found is None:
        return None
    return (
        f"{kind} {name} in cluster {cluster} is not deleted yet: {_said(found, who)}. Nothing is lost: it goes when "
        f"{what} are gone. Move them away or delete them, then run the update again (docs/tenants.md)."
    )


def _said(found: Mapping[str, Any], who: str) -> str:
    """A condition that says why, the last one where none is known for it."""
    status = cast("Mapping[str, Any]", found.get("status") or {})
    rows = cast("list[Mapping[str, str]]", status.get("conditions") or [])
    blocked = [one for one in rows if one["type"] == BLOCKED and one["status"] == "True"]
    not_ready = [one for one in rows if one["type"] == "Ready" and one["status"] == "False"]
    for one in [*blocked, *not_ready]:
        return f"{who} says: {one.get('message', one['type'])}".rstrip(".")
    return f"{who} has not said why"
