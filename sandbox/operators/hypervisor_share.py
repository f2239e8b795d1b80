"""Who gives a pool's nodes to tenants: as many free ones as a share asks for, with its labels and taints."""

import threading
from collections import defaultdict
from collections.abc import Iterator

from sandbox.client import Manifest
from sandbox.operators.control_plane import CERTIFICATES
from sandbox.operators.operator import Next, Operator, Place, condition, part

API = "c5c3.io/v1alpha1"
ROLE = "node-role.kubernetes.io/hypervisor"
OWNER = "sandbox.c5c3.io/hypervisor-share"  # on a node: whose it is
MACHINES = "sandbox.c5c3.io/machines"  # on a share: how many machines run on its nodes
FINALIZER = "hypervisorshare.c5c3.io/finalizer"
AGAIN_SECONDS = 1.0  # while nodes or keys are missing
LOOK_SECONDS = 10.0  # whether the nodes are still there
_LOCKS: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)  # no two shares take the same node


def share(place: Place, manifest: Manifest) -> Next:
    there: list[str] = manifest["metadata"].get("finalizers", [])
    if FINALIZER not in there:
        place.client.patch(manifest, {"metadata": {"finalizers": [*there, FINALIZER]}})
    lacks = _missing_key(place, manifest)
    if lacks:
        return _pending(manifest, [], lacks)
    with _LOCKS[place.cluster]:
        mine, free, all_ = _nodes(place, manifest)
        wanted = _wanted(place, manifest, all_)
        # No node is taken from under a machine: a share that shrinks keeps what it has until its machines are gone.
        kept = len(mine) if _machines(manifest) else wanted
        for node in mine[kept:]:
            _put(place, manifest, node, mine=False)
        taken = [*mine[:kept], *free[: max(0, wanted - len(mine))]]
        for node in taken:
            _put(place, manifest, node, mine=True)
    names = [node["metadata"]["name"] for node in taken]
    if len(names) < max(1, wanted):
        lacks = f"{max(1, wanted)} nodes are wanted, and {len(names)} of the pool's {all_} are this tenant's or free"
        return _pending(manifest, names, lacks)
    more = len(names) - max(1, wanted)
    message = f"{len(names)} nodes are the tenant's"
    if more > 0:
        message += f", {more} of them until the machines on its nodes are gone"
    ready = condition(manifest, "Ready", status=True, reason="NodesTaken", message=message)
    return Next(status=_status(manifest, "Ready", names, ready), again=LOOK_SECONDS)


def share_gone(place: Place, manifest: Manifest) -> Next:
    """Nodes go back when no machine runs on them; an operator asks Nova, the stand-in the share's annotation."""
    count = _machines(manifest)
    if count:
        names: list[str] = part(manifest, "status").get("nodes", [])
        blocked = condition(
            manifest, "Ready", status=False, reason="NodesInUse", message=f"{count} machines run on the nodes"
        )
        return Next(status=_status(manifest, "Releasing", names, blocked), go_on=False, again=AGAIN_SECONDS)
    with _LOCKS[place.cluster]:
        for node in _nodes(place, manifest)[0]:
            _put(place, manifest, node, mine=False)
    rest = [one for one in manifest["metadata"].get("finalizers", []) if one != FINALIZER]
    place.client.patch(manifest, {"metadata": {"finalizers": rest}})
    return Next()


OPERATORS = [
    Operator(api_version=API, kind="HypervisorShare", work=share, delete=share_gone, failing={"phase": "Pending"})
]


def _pending(manifest: Manifest, names: list[str], message: str) -> Next:
    waiting = condition(manifest, "Ready", status=False, reason="Waiting", message=message)
    return Next(status=_status(manifest, "Pending", names, waiting), again=AGAIN_SECONDS)


def _status(manifest: Manifest, phase: str, names: list[str], ready: Manifest) -> Manifest:
    return {
        "observedGeneration": manifest["metadata"]["generation"],
        "phase": phase,
        "nodeCount": len(names),
        "nodes": names,
        "machines": _machines(manifest),
        "conditions": [ready],
    }


def _machines(manifest: Manifest) -> int:
    return int(manifest["metadata"].get("annotations", {}).get(MACHINES, "0"))


def _missing_key(place: Place, manifest: Manifest) -> str | None:
    namespace: str = manifest["metadata"]["namespace"]
    for name, key in _references(manifest["spec"]):
        secret = place.client.get("v1", "Secret", name, namespace)
        if secret is None or key not in secret.get("data", {}):
            return f'secrets "{name}" with the key {key} not found in {namespace}'
    return None


def _references(spec: Manifest) -> Iterator[tuple[str, str]]:
    """Of each storage cluster, and of the tenant's networks where they have certificates."""
    for one in spec.get("ceph", []):
        yield one["secretRef"]["name"], one["secretRef"]["key"]
    networks = part(spec, "ovn", "tls", "secretRef")
    if networks:
        yield from ((networks["name"], one) for one in CERTIFICATES)


def _nodes(place: Place, manifest: Manifest) -> tuple[list[Manifest], list[Manifest], int]:
    """Those of this share, those of nobody, and how many hypervisors there are."""
    nodes = sorted(place.client.list("v1", "Node", labelSelector=ROLE), key=lambda node: node["metadata"]["name"])
    owners = [(node, node["metadata"].get("annotations", {}).get(OWNER)) for node in nodes]
    mine = [node for node, owner in owners if owner == _owner(manifest)]
    return mine, [node for node, owner in owners if owner is None], len(nodes)


def _wanted(place: Place, manifest: Manifest, all_: int) -> int:
    """What the share says, or an even part of what no share asks for by number."""
    if "nodes" in manifest["spec"]:
        return manifest["spec"]["nodes"]
    shares = [one for one in place.client.list(API, "HypervisorShare") if "deletionTimestamp" not in one["metadata"]]
    rest = all_ - sum(one["spec"].get("nodes", 0) for one in shares)
    others = sorted({_owner(manifest), *(_owner(one) for one in shares if "nodes" not in one["spec"])})
    part_, more = divmod(max(0, rest), len(others))
    return part_ + (1 if others.index(_owner(manifest)) < more else 0)


def _put(place: Place, manifest: Manifest, node: Manifest, *, mine: bool) -> None:
    """Labels and taints of the share on a node, or off it; whatever else the node has stays."""
    spec: Manifest = manifest["spec"]
    labels: dict[str, str] = spec["nodeLabels"]
    taints: list[Manifest] = spec.get("nodeTaints", [])
    keys = {(one["key"], one["effect"]) for one in taints}
    others = [one for one in node["spec"].get("taints", []) if (one["key"], one["effect"]) not in keys]
    wanted = [*others, *taints] if mine else others
    metadata = {
        "labels": {key: value if mine else None for key, value in labels.items()},
        "annotations": {OWNER: _owner(manifest) if mine else None},
    }
    has: dict[str, str] = node["metadata"].get("labels", {})
    owner = node["metadata"].get("annotations", {}).get(OWNER)
    same = all(has.get(key) == value for key, value in metadata["labels"].items())
    if same and owner == metadata["annotations"][OWNER] and wanted == node["spec"].get("taints", []):
        return
    place.client.patch(node, {"metadata": metadata, "spec": {"taints": wanted or None}})


def _owner(manifest: Manifest) -> str:
    return f"{manifest['metadata']['namespace']}/{manifest['metadata']['name']}"
