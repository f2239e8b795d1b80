"""An object in a cluster of the sandbox, and what the stand-in for its operator says of it."""

import base64
from collections.abc import Callable

from sandbox.client import Client, Manifest
from tests.sandboxes import until

SPACE = "operators"


def thing(api_version: str, kind: str, name: str, spec: Manifest) -> Manifest:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": SPACE}, "spec": spec}


def current(client: Client, made: Manifest) -> Manifest | None:
    return client.get(made["apiVersion"], made["kind"], made["metadata"]["name"], made["metadata"].get("namespace"))


def becomes(client: Client, made: Manifest, what: Callable[[Manifest], object]) -> Manifest:
    """The object's status, once it is as wanted."""

    def so() -> Manifest | None:
        status = (current(client, made) or {}).get("status", {})
        return status if what(status) else None

    return until(
        so, lambda: f"{made['kind']} {made['metadata']['name']} has {(current(client, made) or {}).get('status')}"
    )


def in_phase(phase: str) -> Callable[[Manifest], object]:
    return lambda status: status.get("phase") == phase


def with_condition(kind: str, value: str, text: str = "") -> Callable[[Manifest], object]:
    def so(status: Manifest) -> bool:
        conditions: list[Manifest] = status.get("conditions", [])
        return any(one["type"] == kind and one["status"] == value and text in one["message"] for one in conditions)

    return so


def gone(client: Client, made: Manifest) -> None:
    until(lambda: current(client, made) is None or None, lambda: f"{made['kind']} never goes: {current(client, made)}")


def secret(client: Client, name: str) -> dict[str, str]:
    found = until(lambda: client.get("v1", "Secret", name, SPACE), lambda: f"there is no Secret {name}")
    return {key: base64.b64decode(value).decode() for key, value in found["data"].items()}
