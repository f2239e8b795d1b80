"""What the operator of an object in a cluster says of it, in one sentence."""

from collections.abc import Iterator
from urllib.parse import quote

from access.garden import Garden, Object
from access.kubeconfig import ShootRef
from access.look import enter

LONGEST = 600
PHASES = ("phase", "state", "updatePhase")


def find(ref: ShootRef, wanted: Object) -> Object | None:
    """The object as it is in its cluster now."""
    return find_in(enter(ref), wanted)


def find_in(cluster: Garden, wanted: Object) -> Object | None:
    path = _path(cluster, wanted)
    return cluster.get(path) if path else None


def explained(found: Object, cluster: str, waited: str = "") -> str:
    """Which object in which cluster, what was `waited` for, its operator's own words, and what to do."""
    kind, metadata = found["kind"], found["metadata"]
    space = f"-n {metadata['namespace']} " if metadata.get("namespace") else ""
    said = "; ".join(dict.fromkeys(_said(found.get("status") or {}))) or "nothing yet"
    said = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    why = f": {waited}" if waited else ""
    return (
        f"{kind} {metadata['name']} in cluster {cluster} is not ready{why}. Its operator says: {said}. It goes on "
        f"trying: mend what it names (`kubectl {space}describe {kind.lower()} {metadata['name']}` in that cluster "
        "shows all of it), then run the update again."
    )


def not_ready(found: Object) -> str | None:
    """The words of an object whose condition Ready is not True; None while it says nothing."""
    status: Object = found.get("status") or {}
    conditions: list[Object] = status.get("conditions") or []
    rows = [one for one in conditions if one["type"] == "Ready" and one.get("status") != "True"]
    return next((said for one in rows if (said := _line(one.get("message") or ""))), None)


def _said(status: Object) -> Iterator[str]:
    yield from (f"{name} {status[name]}" for name in PHASES if status.get(name))
    ceph: Object = status.get("ceph") or {}
    if ceph.get("health"):
        yield f"health {ceph['health']}"
    if status.get("message"):
        yield _line(status["message"])
    conditions: list[Object] = status.get("conditions") or []
    for one in conditions:
        if one.get("status") != "True":
            yield f"{one['type']} is {one.get('status')}, {_line(one.get('message') or one.get('reason') or '')}"


def _line(said: str) -> str:
    return " ".join(said.split()).rstrip(".")


def _path(cluster: Garden, wanted: Object) -> str | None:
    version: str = wanted["apiVersion"]
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    resources: list[Object] = (cluster.get(root) or {}).get("resources") or []
    resource = next((one for one in resources if one["kind"] == wanted["kind"] and "/" not in one["name"]), None)
    metadata: Object = wanted["metadata"]
    if resource is None:
        return None
    # The provider puts what it does not know yet into the namespace default, and the cluster may know better.
    space = f"/namespaces/{quote(metadata['namespace'])}" if resource["namespaced"] else ""
    return f"{root}{space}/{resource['name']}/{quote(metadata['name'])}"
