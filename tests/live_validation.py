"""The objects of a stack, sent once more to the servers that have them: read strictly, and nothing changed.

Pulumi's provider asks for no warnings, so a field that a server drops or warns of would not be heard of in an update.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from sandbox.client import APPLY, Client, Manifest, Refused
from tests.sandboxes import NAMESPACE, SHOOT, Running

STRICT = {"fieldManager": "cobaltcore", "force": "true", "dryRun": "All", "fieldValidation": "Strict"}


def complaints(client: Client, manifest: Manifest) -> list[str]:
    """What a server says against an object: its refusal, or its warnings."""
    heard: list[str] = []
    metadata = manifest["metadata"]
    path = client.path(manifest["apiVersion"], manifest["kind"], metadata.get("namespace", "default"))
    try:
        listening = dataclasses.replace(client, heard=heard)
        listening.request("PATCH", f"{path}/{metadata['name']}", manifest, content=APPLY, **STRICT)
    except Refused as refused:
        return [refused.message, *heard]
    return heard


def objects(resources: list[Mapping[str, Any]]) -> Iterator[tuple[str, Manifest]]:
    """What a state has of Kubernetes that the program made, with the name of the provider of each."""
    for one in resources:
        made = one.get("custom") and not one.get("external")
        if made and one["type"].startswith("kubernetes:"):
            yield one["provider"].split("::")[-2], one["inputs"]


def clients(running: Running, region: str) -> dict[str, Client]:
    """The servers by the name of the provider."""
    found = {f"{region}-garden": running.garden, f"{region}-management": running.client("management")}
    for shoot in running.garden.list(SHOOT, "Shoot", NAMESPACE):
        cluster = shoot["metadata"]["labels"]["c5c3.io/cluster"]
        found[f"{cluster}-cluster"] = running.client(shoot["metadata"]["name"])
    return found
