"""Every object of a tenant and of a Ceph cluster before a real API server, which knows the fields and rules of all."""

import json
from collections.abc import Generator
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.random_regions import regions
from tests.regions import STACKS, loaded, small, stack
from tests.servers import ApiServer, Manifest, api_server, until
from tests.tenants import objects, recorded
from tools import cache

pytestmark = pytest.mark.servers

MANIFESTS = cache.ROOT / "crds" / "generated" / "manifests"
DEFINITIONS = (
    *("hypervisorshares.c5c3.io", "externalsecrets.external-secrets.io", "pushsecrets.external-secrets.io"),
    *("controlplanes.c5c3.io", "cephblockpools.ceph.rook.io", "cephclients.ceph.rook.io"),
    *("cephclusters.ceph.rook.io", "cephfilesystems.ceph.rook.io", "cephobjectstores.ceph.rook.io"),
    *("cephobjectstoreusers.ceph.rook.io", "cephrbdmirrors.ceph.rook.io"),
)
EVERYTHING = {
    "region": "eu-de-1",
    "name": "everything",
    "size": "xlarge",
    "environment": "staging",
    "hypervisorClusters": ["hv-pool-a"],
    "storageClusters": ["st-pool-a", "st-pool-b", "st-pool-c"],
    "nodeShares": {"hv-pool-a": 20},
    "services": {"octavia": True, "manila": True},
    "cortex": {"enabled": True},
    "tempest": {"enabled": True},
    "network": {"externalNetwork": "internet", "mtu": 9000},
    "sizing": {"mariadb": {"storageClass": "fast"}, "rabbitmq": {"storageClass": "fast"}},
    "labels": {"team": "a"},
    "storage": {
        "ceph": {
            "volumePool": {
                "backends": {"st-pool-a": {"quotaGB": 5}, "st-pool-b": {"replication": 1}},
                "mirroring": {"enabled": True, "mode": "pool"},
            },
            "imagePool": {"storageCluster": "st-pool-b"},
            "filesystem": {"enabled": True, "storageCluster": "st-pool-b"},
            "objectStore": {"enabled": True, "sslCertificateRef": "certificate", "storageCluster": "st-pool-c"},
        }
    },
    "images": {"nova": {"repository": "ghcr.io/c5c3/nova", "digest": f"sha256:{'0' * 64}"}},
}


def full() -> dict[str, Any]:
    """A tenant with everything; one storage pool has only its object store."""
    config = small(openStackClusters=[EVERYTHING])
    (pool,) = config["storagePools"]
    ceph = {"rbdMirrors": 1, "encrypted": True, "targetCapacity": "500Ti"}
    config["storagePools"] = [
        {**pool, "name": name, "ironcore": {"machinePool": name}, "ceph": ceph}
        for name in ("st-pool-a", "st-pool-b", "st-pool-c")
    ]
    return config


@pytest.fixture(name="server", scope="module")
def defined() -> Generator[ApiServer]:
    with api_server() as running:
        definitions = [json.loads((MANIFESTS / f"{name}.json").read_text()) for name in DEFINITIONS]
        for one in definitions:
            answer = running.create(one)
            assert answer.status == HTTPStatus.CREATED, answer.message
        until(lambda: all(_established(running, one) for one in definitions) or None, lambda: "not established", 60)
        yield running


def _established(server: ApiServer, definition: Manifest) -> bool:
    rows: list[dict[str, str]] = server.get(definition).body.get("status", {}).get("conditions", [])
    return any(row["type"] == "Established" and row["status"] == "True" for row in rows)


def sent(inputs: Manifest) -> Manifest:
    """As the provider sends it: Pulumi has only one kind of number."""
    found: Manifest = json.loads(json.dumps(inputs), parse_float=lambda text: int(float(text)))
    return found


def judge(server: ApiServer, config: dict[str, Any]) -> None:
    seen: set[str] = set()
    for one in objects(recorded(loaded(config))):
        manifest = sent(one.inputs)
        server.namespace(manifest["metadata"].get("namespace", "default"))
        if manifest["kind"] == "Namespace":
            manifest["metadata"]["name"] += "-again"  # it is there already, for what stands in it
        answer = server.create(manifest, dry_run=True)
        assert answer.status == HTTPStatus.CREATED, f"{one.name}: {answer.message}"
        assert not answer.warnings, f"{one.name}: {'; '.join(answer.warnings)}"
        seen.add(manifest["kind"])
    assert "CephCluster" in seen, "every region has one, and most have tenants"


@pytest.mark.parametrize("name", [*STACKS, "everything"])
def test_a_real_api_server_takes_every_object_and_warns_of_none(server: ApiServer, name: str) -> None:
    judge(server, full() if name == "everything" else stack(name))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(config=regions(most_pools=3, most_tenants=3))
def test_it_takes_those_of_any_region(server: ApiServer, config: dict[str, Any]) -> None:
    judge(server, config)
