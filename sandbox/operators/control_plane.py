"""The c5c3-operator's ControlPlane: its phases in the documents' order, each waiting for what it needs."""

import base64
import hashlib
import json
from collections.abc import Callable

from sandbox.client import Manifest
from sandbox.operators.operator import Next, Operator, Place, condition, part, provide
from sandbox.operators.stages import find

API = "c5c3.io/v1alpha1"
STEP_SECONDS = 0.3
AGAIN_SECONDS = 1.0
LOOK_SECONDS = 10.0  # whether the keys are still there
PORTS = {"keystone": 5000, "nova": 8774, "neutron": 9696, "glance": 9292, "cinder": 8776, "placement": 8778}

USAGE = "sandbox.c5c3.io/usage"  # on a ControlPlane: what its users have, in JSON
COUNTED = ("machines", "volumes", "images", "shares", "buckets")
SOUTHBOUND = 6642
KEY = "userKey"
NETWORKS = "ovn-tls-certs"  # the Secret of its OVN
CERTIFICATES = ("ca.crt", "tls.crt", "tls.key")

Missing = Callable[[Place, Manifest], str | None]


def _nothing(_place: Place, _manifest: Manifest) -> str | None:
    return None


def _certificates(place: Place, manifest: Manifest) -> str | None:
    """Nothing is missing: its own OVN makes what shows who it is, and what its nodes show to it."""
    if _speaks_tls(manifest) and _has_networks(manifest):
        uid: str = manifest["metadata"]["uid"]
        provide(place, manifest, NETWORKS, {one: _made_up(f"{uid}/{one}") for one in CERTIFICATES})
    return None


def _made_up(what: str) -> str:
    """As opaque as a key, other for each ControlPlane, and of no use."""
    return base64.b64encode(hashlib.sha512(what.encode()).digest()).decode()


def _has_networks(manifest: Manifest) -> bool:
    return bool(part(manifest, "spec", "services", "neutron").get("enabled"))


def _speaks_tls(manifest: Manifest) -> bool:
    return bool(part(manifest, "spec", "global", "tls").get("enabled"))


def _keys(place: Place, manifest: Manifest) -> str | None:
    """Every Secret with a Ceph key that the spec names is there, with the key in it."""
    namespace: str = manifest["metadata"]["namespace"]
    for name, key in sorted(_references(manifest)):
        secret = place.client.get("v1", "Secret", name, namespace)
        if secret is None:
            return f'secrets "{name}" not found in {namespace}'
        if key not in secret.get("data", {}):
            return f'secrets "{name}" in {namespace} has no key {key}'
    return None


def _references(manifest: Manifest) -> set[tuple[str, str]]:
    """Of the storage clusters, and of every service's backends, which name the Secret alone."""
    ceph = part(manifest, "spec", "storage", "ceph")
    found = {(one["secretRef"]["name"], one["secretRef"].get("key") or KEY) for one in _with_secret(ceph)}
    services = part(manifest, "spec", "services")
    backends: list[Manifest] = [
        *part(services, "cinder").get("backends", []),
        *part(services, "manila").get("backends", []),
        part(services, "glance", "backend"),
        part(services, "nova", "ephemeral"),
    ]
    return found | {(one["secretRef"], KEY) for one in backends if one.get("secretRef")}


def _with_secret(ceph: Manifest) -> list[Manifest]:
    return [one for one in [ceph, *ceph.get("clusters", [])] if part(one, "secretRef")]


PHASES: list[tuple[str, str, Missing]] = [
    ("CrossClusterSyncReady", "The keys of the storage pools are here", _keys),
    ("InfrastructureReady", "Database, messaging, cache and networks are ready", _certificates),
    ("KeystoneReady", "Keystone answers", _nothing),
    ("CredentialsReady", "The services have their application credentials", _nothing),
    ("ServicesReady", "All services are ready", _nothing),
]


def control_plane(place: Place, manifest: Manifest) -> Next:
    """One more phase at each look, so that whoever watches sees them pass."""
    conditions: list[Manifest] = []
    for kind, message, missing in PHASES:
        lacks = missing(place, manifest)
        if lacks:
            conditions.append(condition(manifest, kind, status=False, reason="Waiting", message=lacks))
            return _underway(manifest, conditions, f"{kind}: {lacks}", AGAIN_SECONDS)
        conditions.append(condition(manifest, kind, status=True, reason="Ready", message=message))
        if not _passed(manifest, kind):
            return _underway(manifest, conditions, message, STEP_SECONDS)
    ready = condition(manifest, "Ready", status=True, reason="Ready", message="The control plane is ready")
    services = _enabled(manifest)
    return Next(
        status={
            "observedGeneration": manifest["metadata"]["generation"],
            "updatePhase": "Idle",
            "conditions": [*conditions, ready],
            "endpoints": {name: _endpoint(manifest, name) for name in services if name in PORTS}
            | _southbound(manifest),
            "services": [{"name": name, "ready": True} for name in services],
            **_usage(manifest),
        },
        again=LOOK_SECONDS,
    )


OPERATORS = [Operator(api_version=API, kind="ControlPlane", work=control_plane)]


def _usage(manifest: Manifest) -> dict[str, Manifest]:
    """An operator asks OpenStack, the stand-in the annotation; without it nobody has counted."""
    given = manifest["metadata"].get("annotations", {}).get(USAGE)
    if given is None:
        return {}
    counts: dict[str, int] = json.loads(given)
    return {"usage": {key: counts.get(key, 0) for key in COUNTED}}


def _passed(manifest: Manifest, kind: str) -> bool:
    return find(f'.status.conditions.[] | select( .type == "{kind}" ) | .status', manifest) == "True"


def _underway(manifest: Manifest, conditions: list[Manifest], message: str, again: float) -> Next:
    ready = condition(manifest, "Ready", status=False, reason="Progressing", message=message)
    return Next(status={"conditions": [*conditions, ready]}, again=again)


def _enabled(manifest: Manifest) -> list[str]:
    services: dict[str, Manifest] = manifest["spec"]["services"]
    return sorted(name for name, service in services.items() if service.get("enabled"))


def _endpoint(manifest: Manifest, service: str) -> str:
    return f"https://{service}.{manifest['metadata']['namespace']}.svc.cluster.local:{PORTS[service]}"


def _southbound(manifest: Manifest) -> dict[str, str]:
    """Of the tenant's own OVN: an address that other clusters reach, if the spec asks for one."""
    if not _has_networks(manifest):
        return {}
    namespace: str = manifest["metadata"]["namespace"]
    if part(manifest, "spec", "infrastructure", "ovn").get("southboundService") == "LoadBalancer":
        first, second = hashlib.sha256(namespace.encode()).digest()[:2]
        host = f"172.31.{first}.{second}"
    else:
        host = f"ovn-sb.{namespace}.svc.cluster.local"
    scheme = "ssl" if _speaks_tls(manifest) else "tcp"
    return {"ovn-southbound": f"{scheme}:{host}:{SOUTHBOUND}"}
