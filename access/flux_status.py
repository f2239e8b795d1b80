"""What the status of one of Flux's objects says to a person, in one sentence."""

import re
from urllib.parse import quote

from access.garden import Object

CLUSTER_LABEL = "c5c3.io/cluster"
LONGEST = 1000
AT_WORK = ("DependencyNotReady", "Progressing")  # of what it waits for, itself is said
MISSING = re.compile(r"unable to get '([^']+)' dependency: .* not found")
SOURCES = ("GitRepository", "HelmRepository", "OCIRepository")
PLURALS = {
    "FluxInstance": "fluxinstances",
    "GitRepository": "gitrepositories",
    "HelmRelease": "helmreleases",
    "HelmRepository": "helmrepositories",
    "Kustomization": "kustomizations",
    "OCIRepository": "ocirepositories",
    "ResourceSet": "resourcesets",
}


def flux_path(api_version: str, kind: str, namespace: str, name: str) -> str:
    return f"/apis/{api_version}/namespaces/{quote(namespace)}/{PLURALS[kind]}/{quote(name)}"


def explained(found: Object, minutes: int) -> str:
    """Which release in which cluster, for how long it was waited for, Flux's own words, and what to do."""
    metadata: Object = found["metadata"]
    kind, name, namespace = found["kind"], metadata["name"], metadata["namespace"]
    labels: dict[str, str] = metadata.get("labels") or {}
    cluster = labels.get(CLUSTER_LABEL, "management")
    what = f"Source {found['spec']['url']}" if kind in SOURCES else f"Release {name} in cluster {cluster}"
    said = _said(found)
    gone = MISSING.search(said)
    return (
        f"{what} is not ready: it was waited for up to {minutes} min. Flux says: {said}. Flux goes on trying: "
        f"mend what it names (`kubectl -n {namespace} describe {kind.lower()} {name}` in the management cluster shows "
        "all of it), then run the update again"
        + (f" with `--refresh`, which makes {gone[1]} again: somebody took it away." if gone else ".")
    )


def trouble(found: Object) -> str | None:
    """What Flux says of an object that it could not make as it was asked for last; None while it is at work."""
    status: Object = found.get("status") or {}
    conditions: list[Object] = status.get("conditions") or []
    generation = found["metadata"].get("generation")
    for one in conditions:
        if one["type"] == "Ready" and one["status"] == "False" and one.get("observedGeneration") == generation:
            said = _said(found)
            return said if one.get("reason") not in AT_WORK or MISSING.search(said) else None
    return None


def _said(found: Object) -> str:
    """The message of its condition Ready, and why Flux gave up where it did."""
    status: Object = found.get("status") or {}
    conditions: list[Object] = status.get("conditions") or []
    messages: list[str] = [one.get("message", "") for one in conditions if one["type"] in ("Ready", "Stalled")]
    lines = dict.fromkeys(" ".join(message.split()) for message in messages if message)
    said = "; ".join(line.rstrip(".") for line in lines) or "nothing yet"
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
