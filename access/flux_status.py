"""What the status of one of Flux's objects says to a person, in one sentence."""

from urllib.parse import quote

from access.garden import Object

CLUSTER_LABEL = "c5c3.io/cluster"
LONGEST = 1000
SOURCES = ("GitRepository", "HelmRepository", "OCIRepository")
PLURALS = {
    "FluxInstance": "fluxinstances",
    "GitRepository": "gitrepositories",
    "HelmRelease": "helmreleases",
    "HelmRepository": "helmrepositories",
    "Kustomization": "kustomizations",
    "OCIRepository": "ocirepositories",
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
    return (
        f"{what} is not ready: it was waited for up to {minutes} min. Flux says: {_said(found)}. Flux goes on trying: "
        f"mend what it names (`kubectl -n {namespace} describe {kind.lower()} {name}` in the management cluster shows "
        "all of it), then run the update again."
    )


def _said(found: Object) -> str:
    """The message of its condition Ready, and why Flux gave up where it did."""
    status: Object = found.get("status") or {}
    conditions: list[Object] = status.get("conditions") or []
    messages: list[str] = [one.get("message", "") for one in conditions if one["type"] in ("Ready", "Stalled")]
    lines = dict.fromkeys(" ".join(message.split()) for message in messages if message)
    said = "; ".join(line.rstrip(".") for line in lines) or "nothing yet"
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
