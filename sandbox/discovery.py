"""What a cluster serves now, as its discovery says."""

from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.client import Client, Manifest

ALL = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"  # of all groups in one answer


@dataclass(frozen=True, kw_only=True)
class Resource:
    group: str
    kind: str
    plural: str
    singular: str


def served(client: Client) -> set[Resource]:
    return {one for path in ("/api", "/apis") for one in _resources(client.request("GET", path, accept=ALL))}


def _resources(found: Manifest) -> Iterator[Resource]:
    for group in found["items"]:
        for version in group["versions"]:
            for one in version.get("resources", []):
                kind: Manifest = one.get("responseKind") or {}  # null where there are subresources alone
                yield Resource(
                    group=group["metadata"].get("name", ""),
                    kind=kind.get("kind", ""),
                    plural=one["resource"],
                    singular=one.get("singularResource", ""),
                )
