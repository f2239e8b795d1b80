"""All objects of a cluster, whatever their kinds: what is there after and was not before was left by somebody."""

from collections.abc import Iterator

from sandbox.client import PARTIAL, Client, Manifest

# What servers write of themselves, at any time, and of each kind that they serve.
FLEETING = {"APIService", "Event", "Lease", "ComponentStatus"}


def everything(client: Client) -> set[str]:
    """Each as `Kind namespace/name`."""
    found: set[str] = set()
    for kind, path in _kinds(client):
        items: list[Manifest] = client.request("GET", path, accept=PARTIAL.format("List"))["items"] or []
        found |= {f"{kind} {one['metadata'].get('namespace', '')}/{one['metadata']['name']}" for one in items}
    return found


def _kinds(client: Client) -> Iterator[tuple[str, str]]:
    """Every kind that can be listed, and where all of it is."""
    groups: list[Manifest] = client.request("GET", "/apis")["groups"]
    for path in ["/api/v1", *(f"/apis/{group['preferredVersion']['groupVersion']}" for group in groups)]:
        for row in client.request("GET", path)["resources"]:
            if "list" in row["verbs"] and "/" not in row["name"] and row["kind"] not in FLEETING:
                yield row["kind"], f"{path}/{row['name']}"
