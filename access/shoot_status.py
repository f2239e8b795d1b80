"""What a Shoot's status says to a person, in one sentence."""

from access.failure import line as _line, words
from access.garden import Object

CLUSTER_LABEL = "c5c3.io/cluster"


def explained(shoot: Object, minutes: int) -> str:
    """Which cluster, for how long it was waited for, what its status says, and what to do."""
    metadata: Object = shoot["metadata"]
    status: Object = shoot.get("status") or {}
    labels: dict[str, str] = metadata.get("labels") or {}
    shoot_name: str = metadata["name"]
    said = _said(shoot, *_operation(status), *_errors(status), *_conditions(status))
    cluster = labels.get(CLUSTER_LABEL, shoot_name)
    look = f"kubectl -n {metadata['namespace']} describe shoot {shoot_name}"
    return (
        f"Cluster {cluster} (Shoot {shoot_name}) is not ready: it was waited for up to {minutes} min until Gardener "
        f"succeeds and its API and nodes are well. Gardener says: {said}. Gardener goes on trying: mend what it names "
        f"(`{look}` in the garden shows all of it), then run the update again."
    )


def trouble(shoot: Object) -> str | None:
    """What Gardener says of a Shoot that it could not make as it was asked for last; None while it is at work."""
    status: Object = shoot.get("status") or {}
    last: Object = status.get("lastOperation") or {}
    seen = status.get("observedGeneration") == shoot["metadata"].get("generation")
    failed = last.get("state") in ("Error", "Failed") or bool(status.get("lastErrors"))
    return "; ".join([*_operation(status), *_errors(status)]) if seen and failed else None


def refused(shoot: str, cluster: str, error: str) -> str:
    """The garden did not take what was asked of it, with its own words."""
    return (
        f"Cluster {cluster}: the garden refused its Shoot {shoot} as this run wanted it, and it is as before. The "
        f"garden says: {words([error])}. Mend what it names in the stack file, or ask those who run the garden if it "
        "is theirs, then run the update again."
    )


def failed(shoot: str, cluster: str, error: str) -> str:
    """Something else went wrong than that it is not ready."""
    return (
        f"Cluster {cluster}: its Shoot {shoot} could not be made or changed, and goes on as it is: {_line(error)}. Run "
        "the update again; if it says the same then, ask those who run the garden."
    )


def kept(shoot: Object, minutes: int) -> str:
    """A Shoot that was to go and is still there."""
    metadata: Object = shoot["metadata"]
    name: str = metadata["name"]
    labels: dict[str, str] = metadata.get("labels") or {}
    status: Object = shoot.get("status") or {}
    said = _said(shoot, *_operation(status), *_errors(status))
    return (
        f"Cluster {labels.get(CLUSTER_LABEL, name)} (Shoot {name}) is not deleted yet: it was waited for up to "
        f"{minutes} min. Gardener says: {said}. Gardener goes on with it: mend what it names (`kubectl -n "
        f"{metadata['namespace']} describe shoot {name}` in the garden shows all of it), then run the update again."
    )


def not_deleted(shoot: str, cluster: str, error: str) -> str:
    """The garden did not even begin to delete it."""
    return (
        f"Cluster {cluster}: its Shoot {shoot} could not be deleted, and goes on as it is: {words([error])}. A cluster "
        "goes when its deletionProtection is false and an update has said so to Gardener: mend what is named here, "
        "then run the update again."
    )


def _said(shoot: Object, *words: str) -> str:
    """What is said of an earlier change is not to read as if it were of this one."""
    said = "; ".join(words) or "nothing yet"
    status: Object = shoot.get("status") or {}
    seen = status.get("observedGeneration") == shoot["metadata"].get("generation")
    return said if seen or not words else f"nothing of this change yet, and of what was before: {said}"


def _operation(status: Object) -> list[str]:
    last: Object = status.get("lastOperation") or {}
    if not last:
        return []
    return [f"{last['type']} is {last['state']} at {last.get('progress', 0)} %, {_line(last.get('description', ''))}"]


def _errors(status: Object) -> list[str]:
    """Those that the last operation does not say already."""
    last: Object = status.get("lastOperation") or {}
    rows: list[Object] = status.get("lastErrors") or []
    said = _line(last.get("description", ""))
    return [f"error{_codes(row)}: {_line(row['description'])}" for row in rows if _line(row["description"]) != said]


def _codes(row: Object) -> str:
    codes: list[str] = row.get("codes") or []
    return f" {', '.join(codes)}" if codes else ""


def _conditions(status: Object) -> list[str]:
    rows: list[Object] = status.get("conditions") or []
    return [f"{one['type']} is {one['status']}, {_line(one.get('message', ''))}" for one in rows if _wrong(one)]


def _wrong(condition: Object) -> bool:
    return bool(condition["status"] != "True")
