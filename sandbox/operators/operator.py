"""What a stand-in can do beyond a Stage, and with what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from sandbox.client import Client, Manifest
from sandbox.operators.stages import find, now
from sandbox.vault import Vault


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where an object is, and what its operator uses there."""

    cluster: str
    client: Client
    vault: Vault


@dataclass(frozen=True, kw_only=True)
class Next:
    """What an operator found: a status to write, if any, whether its stages may go on, and when to look again."""

    status: Manifest = field(default_factory=dict[str, object])
    go_on: bool = True
    again: float | None = None


DONE = Next()
Work = Callable[[Place, Manifest], Next]


@dataclass(frozen=True, kw_only=True)
class Operator:
    """The functions of one kind; a kind without any has its stages alone."""

    api_version: str
    kind: str
    work: Work = lambda _place, _manifest: DONE  # again and again, as long as the object is wanted
    delete: Work = lambda _place, _manifest: DONE  # as long as it is to go
    failing: Mapping[str, str] = field(default_factory=dict[str, str])  # in the status of one that is made to fail


def condition(  # noqa: PLR0913  (each is a part of it)
    manifest: Manifest, kind: str, *, status: bool, reason: str, message: str, where: str = ".status.conditions"
) -> Manifest:
    """A condition; its time changes with its status only."""
    value = "True" if status else "False"
    path = f'{where}.[] | select( .type == "{kind}" ) | .'
    since = find(f"{path}lastTransitionTime", manifest) if find(f"{path}status", manifest) == value else None
    return {
        "type": kind,
        "status": value,
        "reason": reason,
        "message": message,
        "lastTransitionTime": since or now(),
    }


def owned(manifest: Manifest, api_version: str, kind: str, name: str) -> Manifest:
    """An object beside another, which goes with that one."""
    owner = {
        "apiVersion": manifest["apiVersion"],
        "kind": manifest["kind"],
        "name": manifest["metadata"]["name"],
        "uid": manifest["metadata"]["uid"],
        "controller": True,
    }
    place = {"name": name, "namespace": manifest["metadata"]["namespace"], "ownerReferences": [owner]}
    return {"apiVersion": api_version, "kind": kind, "metadata": place}


def provide(place: Place, manifest: Manifest, name: str, data: dict[str, str], *, kind: str = "Opaque") -> None:
    """A Secret beside an object; one that is there stays as it is."""
    secret = owned(manifest, "v1", "Secret", name)
    if place.client.get("v1", "Secret", name, secret["metadata"]["namespace"]) is None:
        place.client.apply({**secret, "type": kind, "stringData": data})


def differs(status: Mapping[str, object], there: object) -> bool:
    """Whether writing a status would change anything; what only the server has does not count."""
    now = cast("Manifest", there) if isinstance(there, dict) else {}
    return any(now.get(key) != value for key, value in status.items())


def part(manifest: Manifest, *keys: str) -> Manifest:
    """What is below some keys; nothing where one of them is absent or null."""
    for key in keys:
        manifest = manifest.get(key) or {}
    return manifest
