"""`fault fail` on every kind that the sandbox stands in for: the program must notice, and nothing of it may stay."""

import json
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

import pytest
import yaml

from access.operator_status import explained
from components.readiness import READINESS
from sandbox import definitions
from sandbox.client import Client, Manifest
from sandbox.operators.controller import KINDS
from sandbox.operators.hypervisor_share import ROLE
from sandbox.operators.stages import find
from tests.operators import current, gone
from tests.sandboxes import LIFE, Running, faults, until
from tools import cache

pytestmark = pytest.mark.servers

SPACE = "failing"
MESSAGE = "the disk is on fire"
SECONDS = 60.0
SPARE: Manifest = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "failing", "labels": {ROLE: ""}}}
GREENHOUSE = '.status.statusConditions.conditions.[] | select( .type == "Ready" ) | .status'  # nobody waits for it

STORE: Manifest = {"provider": {"vault": {"server": "https://openbao:8200", "path": "kv-v2", "auth": {}}}}
NAMES = {"FluxInstance": "flux"}  # another is refused
STORE_REF = {"name": "one", "kind": "SecretStore"}
SPECS: dict[str, Manifest] = {
    "CephCluster": {},
    "CephBlockPool": {"replicated": {"size": 3}},
    "CephClient": {"caps": {"mon": "profile rbd"}},
    "CephFilesystem": {"metadataPool": {}, "dataPools": [], "metadataServer": {"activeCount": 1}},
    "CephObjectStore": {"gateway": {"port": 80}},
    "CephObjectStoreUser": {"store": "rgw"},
    "CephRBDMirror": {"count": 1},
    "Certificate": {"secretName": "x", "issuerRef": {"name": "i"}, "dnsNames": ["a.b"]},
    "ClusterIssuer": {"selfSigned": {}},
    "Issuer": {"selfSigned": {}},
    "ClusterSecretStore": STORE,
    "SecretStore": STORE,
    "ExternalSecret": {"secretStoreRef": STORE_REF, "target": {"name": "made"}, "data": []},
    "PushSecret": {"selector": {"secret": {"name": "source"}}, "secretStoreRefs": [STORE_REF]},
    "FluxInstance": {"distribution": {"version": "2.x", "registry": "example.com/fluxcd"}},
    "ResourceSet": {"resources": []},
    "Cluster": {"accessMode": "direct"},
    "Organization": {"displayName": "x", "mappedOrgAdminIdPGroup": "g"},
    "PluginPreset": {
        "plugin": {"pluginDefinitionRef": {"name": "x"}, "releaseNamespace": "x"},
        "clusterSelector": {},
        "deletionPolicy": "Delete",
    },
    "HypervisorShare": {
        "openStackCluster": "one",
        "nodeLabels": {"c5c3.io/tenant": "one"},
        "hostAggregate": {"name": "pool"},
        "ovn": {"sbConnection": "ssl:10.0.0.1:6642", "encapsulation": "geneve"},
        "nodes": 1,
    },
}


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Each object as it was before the fault, while it held, and after its end."""

    before: dict[str, Manifest]
    during: dict[str, Manifest]
    after: dict[str, Manifest]


@pytest.fixture(scope="module")
def objects(shared: Running, life: Manifest) -> Generator[dict[str, Manifest]]:
    """One of each kind, with what they need; the node goes in any case, as others count those of this cluster."""
    client = shared.client(life["metadata"]["name"])
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
    definitions.install(client, definitions.groups(*{version.partition("/")[0] for version, _ in KINDS}))
    made = {kind: thing(client, version, kind) for version, kind in KINDS}
    secrets = {"source", *named_secrets(made["ControlPlane"]["spec"])}
    try:
        client.apply(SPARE)
        for name in secrets:
            metadata = {"name": name, "namespace": SPACE}
            client.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"userKey": "k"}})
        for one in made.values():
            client.apply(one)
        yield made
        for one in made.values():
            client.delete(one)
        gone(client, made["HypervisorShare"])  # which gives its node back
    finally:
        client.delete(SPARE)


@pytest.fixture(scope="module")
def seen(shared: Running, objects: dict[str, Manifest]) -> Seen:
    """All kinds at once: one fault, and one end."""
    client = shared.client(LIFE)

    def now(done: Callable[[str, Manifest], object]) -> dict[str, Manifest]:
        """As soon as all of them are as wanted, or when there was time enough for it."""
        found: dict[str, Manifest] = {}

        def so() -> bool | None:
            found.update({kind: current(client, made) or {} for kind, made in objects.items()})
            return all(done(kind, one) for kind, one in found.items()) or None

        with suppress(AssertionError):
            until(so, lambda: "", SECONDS)
        return found

    before = now(ready)
    with faults(shared, ("fail", "*", "--cluster", LIFE, "--message", MESSAGE)):
        now(lambda kind, one: not ready(kind, one))
        time.sleep(1)  # whoever would set it right again meanwhile
        during = now(lambda kind, one: not ready(kind, one))
    after = now(lambda kind, one: ready(kind, one) and timeless(one) == timeless(before[kind]))
    return Seen(before=before, during=during, after=after)


def thing(client: Client, version: str, kind: str) -> Manifest:
    sample = cache.ROOT / f"tests/crds/objects/{kind}.{version.partition('/')[0]}.yaml"
    spec = SPECS[kind] if kind in SPECS else yaml.safe_load(sample.read_text())["spec"]
    namespaced = "/namespaces/" in client.path(version, kind, SPACE)
    space = {"namespace": SPACE} if namespaced else {}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": NAMES.get(kind, "one"), **space}, "spec": spec}


def named_secrets(part: object) -> set[str]:
    """By `secretRef`, wherever in a spec."""
    if isinstance(part, list):
        return {name for one in cast("list[object]", part) for name in named_secrets(one)}
    if not isinstance(part, dict):
        return set()
    fields = cast("Manifest", part)
    own = fields.get("secretRef")
    names = {own if isinstance(own, str) else own["name"]} if own else set[str]()
    return names.union(*(named_secrets(one) for one in fields.values()))


def ready(kind: str, found: Manifest) -> bool:
    """By what the program waits for."""
    if kind not in READINESS:
        return find(GREENHOUSE, found) == "True"
    return all(holds(rule, found) for rule in READINESS[kind].conditions)


def holds(rule: str, found: Manifest) -> bool:
    if rule.startswith("condition="):
        condition = rule.removeprefix("condition=")
        return find(f'.status.conditions.[] | select( .type == "{condition}" ) | .status', found) == "True"
    path, _, value = rule.removeprefix("jsonpath={").partition("}")
    return str(find(path, found)) == value[1:] if value else find(path, found) is not None


def timeless(found: Manifest) -> object:
    """The status without its times."""
    return json.loads(
        json.dumps(found.get("status")),
        object_hook=lambda fields: {key: value for key, value in fields.items() if not key.endswith("Time")},
    )


@pytest.mark.parametrize("kind", [kind for _, kind in KINDS])
def test_an_object_that_fails_is_not_ready_and_is_so_again_afterwards(seen: Seen, kind: str) -> None:
    before, during, after = seen.before[kind], seen.during[kind], seen.after[kind]
    assert ready(kind, before), f"it does not become ready: {before.get('status')}"
    assert not ready(kind, during), f"nobody would notice: {during['status']}"
    said = explained(during, LIFE) if kind in READINESS else str(during["status"])
    assert MESSAGE in said, f"nobody would know why: {during['status']}"
    assert "Ready;" not in said, f"it says both: {said}"
    assert timeless(after) == timeless(before)
