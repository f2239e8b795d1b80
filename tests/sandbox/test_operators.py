"""The stand-ins for operators: what they make, what they wait for, what they refuse to delete."""

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from typing import Literal

import pytest
import yaml

from access.kubeconfig import ShootRef
from access.operator_status import explained, find
from sandbox import definitions
from sandbox.client import TIMEOUT, Client, Manifest
from sandbox.operators import failures
from sandbox.operators.ceph import IMAGES, SHARES
from sandbox.operators.control_plane import USAGE
from tests.operators import SPACE, becomes, current, gone, in_phase, secret, thing, with_condition
from tests.sandboxes import LIFE, NAMESPACE, Running, faults
from tools import cache

pytestmark = pytest.mark.servers

ROOK = "ceph.rook.io/v1"
ESO = "external-secrets.io/v1"
CEPH: list[tuple[str, Manifest]] = [
    ("CephCluster", {}),
    ("CephBlockPool", {"replicated": {"size": 3}}),
    ("CephClient", {"caps": {"mon": "profile rbd"}}),
    ("CephFilesystem", {"metadataPool": {}, "dataPools": [], "metadataServer": {"activeCount": 1}}),
    ("CephObjectStore", {"gateway": {"port": 80}}),
    ("CephObjectStoreUser", {"store": "rgw"}),
    ("CephRBDMirror", {"count": 1}),
]


@pytest.fixture(scope="module")
def cluster(shared: Running, life: Manifest) -> Generator[Client]:
    client = shared.client(life["metadata"]["name"])
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
    definitions.install(client, definitions.groups("ceph.rook.io", "external-secrets.io", "c5c3.io"))
    yield client
    failures.write(shared.home.path / failures.FILE, [])


@pytest.mark.parametrize(("kind", "spec"), CEPH, ids=[kind for kind, _ in CEPH])
def test_a_kind_of_rook_becomes_ready_and_goes_when_it_is_deleted(cluster: Client, kind: str, spec: Manifest) -> None:
    made = thing(ROOK, kind, "one", spec)
    cluster.apply(made)
    becomes(cluster, made, in_phase("Ready"))
    found = current(cluster, made)
    assert found is not None
    assert found["metadata"]["finalizers"] == [f"{kind.lower()}.ceph.rook.io"], "Rook holds what it still has to undo"
    cluster.delete(made)
    gone(cluster, made)


def test_a_ceph_client_gets_its_key_and_a_user_of_the_object_store_too(cluster: Client) -> None:
    client, user = (
        thing(ROOK, "CephClient", "nova", {"caps": {}}),
        thing(ROOK, "CephObjectStoreUser", "swift", {"store": "s"}),
    )
    for made in (client, user):
        cluster.apply(made)
    status = becomes(cluster, client, in_phase("Ready"))
    keys = secret(cluster, status["info"]["secretName"])
    assert set(keys) == {"userID", "userKey", "nova"}, f"Rook's keys: {sorted(keys)}"
    assert keys["userID"] == "nova"
    assert keys["userKey"] == keys["nova"]
    status = becomes(cluster, user, in_phase("Ready"))
    assert status["info"]["secretName"] == "rook-ceph-object-user-s-swift"
    assert set(secret(cluster, status["info"]["secretName"])) == {"AccessKey", "SecretKey", "Endpoint"}


def test_a_ceph_cluster_says_where_its_monitors_are(cluster: Client) -> None:
    made = thing(ROOK, "CephCluster", "rook-ceph", {})
    cluster.apply(made)
    status = becomes(cluster, made, in_phase("Ready"))
    assert status["ceph"]["health"] == "HEALTH_OK"
    found = cluster.get("v1", "ConfigMap", "rook-ceph-mon-endpoints", SPACE)
    assert found is not None
    assert [one.rpartition(":")[2] for one in found["data"]["data"].split(",")] == ["6789"] * 3, found["data"]


def test_a_pool_that_holds_images_stays_until_they_are_gone(cluster: Client) -> None:
    made = thing(ROOK, "CephBlockPool", "full", {})
    made["metadata"]["annotations"] = {IMAGES: "2"}
    cluster.apply(made)
    becomes(cluster, made, in_phase("Ready"))
    cluster.delete(made)
    becomes(cluster, made, with_condition("PoolDeletionIsBlocked", "True", 'pool "full" contains images or snapshots'))
    cluster.patch(made, {"metadata": {"annotations": {IMAGES: "0"}}})
    gone(cluster, made)


def test_a_filesystem_that_holds_shares_stays_until_they_are_gone(cluster: Client) -> None:
    made = thing(
        ROOK, "CephFilesystem", "full", {"metadataPool": {}, "dataPools": [], "metadataServer": {"activeCount": 1}}
    )
    made["metadata"]["annotations"] = {SHARES: "2"}
    cluster.apply(made)
    becomes(cluster, made, in_phase("Ready"))
    cluster.delete(made)
    becomes(cluster, made, with_condition("DeletionIsBlocked", "True", "until all dependents are removed: filesystem"))
    cluster.patch(made, {"metadata": {"annotations": {SHARES: "0"}}})
    gone(cluster, made)


def test_a_change_of_the_spec_is_seen(cluster: Client) -> None:
    made = thing(ROOK, "CephBlockPool", "grows", {"replicated": {"size": 2}})
    cluster.apply(made)
    becomes(cluster, made, lambda status: status.get("observedGeneration") == 1)
    cluster.patch(made, {"spec": {"replicated": {"size": 3}}})
    becomes(cluster, made, lambda status: status.get("observedGeneration") == 2 and status["phase"] == "Ready")


@pytest.fixture(scope="module")
def store(cluster: Client) -> Manifest:
    vault: Manifest = {"server": "https://openbao:8200", "path": "kv-v2", "version": "v2", "auth": {}}
    made = thing(ESO, "ClusterSecretStore", "openbao", {"provider": {"vault": vault}})
    del made["metadata"]["namespace"]
    cluster.apply(made)
    becomes(cluster, made, with_condition("Ready", "True", "store validated"))
    return {"name": "openbao", "kind": "ClusterSecretStore"}


def pushed(store: Manifest, source: str, path: str) -> Manifest:
    match = {"secretKey": "userKey", "remoteRef": {"remoteKey": path, "property": "key"}}
    spec = {"selector": {"secret": {"name": source}}, "secretStoreRefs": [store], "data": [{"match": match}]}
    return thing("external-secrets.io/v1alpha1", "PushSecret", source, {**spec, "deletionPolicy": "Delete"})


def fetched(store: Manifest, name: str, path: str) -> Manifest:
    data = [{"secretKey": "userKey", "remoteRef": {"key": path, "property": "key"}}]
    return thing(ESO, "ExternalSecret", name, {"secretStoreRef": store, "data": data, "target": {"name": name}})


def test_a_key_goes_through_the_vault(shared: Running, cluster: Client, store: Manifest) -> None:
    push, fetch = pushed(store, "source", "ceph/st/t/nova"), fetched(store, "arrived", "ceph/st/t/nova")
    cluster.apply(fetch)
    becomes(cluster, fetch, with_condition("Ready", "False", "Secret does not exist"))
    cluster.apply(push)
    becomes(cluster, push, with_condition("Ready", "False", 'could not get source secret: secrets "source" not found'))
    source = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "source", "namespace": SPACE}}
    cluster.apply({**source, "stringData": {"userKey": "k1"}})
    becomes(cluster, push, with_condition("Ready", "True", "PushSecret synced successfully"))
    becomes(cluster, fetch, with_condition("Ready", "True", "secret synced"))
    assert secret(cluster, "arrived") == {"userKey": "k1"}
    assert asked(shared, "/v1/kv-v2/data/ceph/st/t/nova")["data"]["data"] == {"key": "k1"}, "under OpenBao's path"
    cluster.delete(push)
    gone(cluster, push)
    assert asked(shared, "/v1/kv-v2/data/ceph/st/t/nova") == {"errors": []}, "what was pushed goes with its PushSecret"


def test_a_store_that_is_not_there_is_named(cluster: Client) -> None:
    made = fetched({"name": "nowhere", "kind": "ClusterSecretStore"}, "lost", "a")
    cluster.apply(made)
    becomes(cluster, made, with_condition("Ready", "False", 'could not get ClusterSecretStore "nowhere"'))


def test_a_cluster_s_service_account_may_log_in_to_the_vault(shared: Running, cluster: Client) -> None:
    cluster.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "eso", "namespace": SPACE}})
    path = f"/api/v1/namespaces/{SPACE}/serviceaccounts/eso/token"
    review: Manifest = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = cluster.request("POST", path, review)["status"]["token"]
    body = {"role": "eso", "jwt": token}
    issued = asked(shared, "/v1/auth/kubernetes/storage/login", body, token="")["auth"]["client_token"]
    written = asked(shared, "/v1/kv-v2/data/a/b", {"data": {"x": "1"}}, token=issued)
    assert written["data"]["version"] == 1
    refused = asked(shared, "/v1/auth/kubernetes/storage/login", {**body, "jwt": f"{token}x"}, token="")
    assert refused == {"errors": ["permission denied"]}
    nobodys = f"{issued}x"
    assert asked(shared, "/v1/kv-v2/data/a/b", token=nobodys) == {"errors": ["permission denied"]}


def asked(shared: Running, path: str, body: Manifest | None = None, *, token: str | None = None) -> Manifest:
    """What the vault answers, with its root token where no other is given."""
    root = (shared.home.path / "vault-token").read_text()
    request = urllib.request.Request(  # noqa: S310  (the sandbox's own)
        shared.status.endpoints["vault"] + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-Vault-Token": root if token is None else token},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)  # a refusal is an answer too


def test_a_control_plane_waits_for_its_keys_then_passes_its_phases(cluster: Client) -> None:
    text = (cache.ROOT / "tests/crds/objects/ControlPlane.c5c3.io.yaml").read_text()
    made: Manifest = yaml.safe_load(text)
    made["metadata"]["namespace"] = SPACE
    names = ["ceph-client-customer-a-prod", "ceph-client-customer-a-prod-st-pool-b", "ceph-manila-customer-a-prod"]
    names += ["ceph-nova-customer-a-prod", "ceph-glance-customer-a-prod"]
    cluster.apply(made)
    becomes(cluster, made, with_condition("CrossClusterSyncReady", "False", f'secrets "{names[0]}" not found'))
    for name in names:
        said = with_condition(
            "CrossClusterSyncReady", "False", f'secrets "{min(names[names.index(name) :])}" not found'
        )
        becomes(cluster, made, said)
        metadata = {"name": name, "namespace": SPACE}
        cluster.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"userKey": "k"}})
    becomes(cluster, made, with_condition("KeystoneReady", "True"))
    status = becomes(cluster, made, with_condition("Ready", "True"))
    assert status["endpoints"]["keystone"] == f"https://keystone.{SPACE}.svc.cluster.local:5000"
    assert re.fullmatch(r"ssl:172\.31\.\d+\.\d+:6642", status["endpoints"]["ovn-southbound"]), "reached from outside"
    assert {one["name"] for one in status["services"]} >= {"keystone", "nova", "cinder"}
    assert set(secret(cluster, "ovn-tls-certs")) == {"ca.crt", "tls.crt", "tls.key"}, "for its nodes"
    assert "usage" not in status, "nobody has counted"
    cluster.patch(made, {"metadata": {"annotations": {USAGE: json.dumps({"volumes": 2})}}})
    counted = becomes(cluster, made, lambda status: "usage" in status)
    assert counted["usage"] == {"machines": 0, "volumes": 2, "images": 0, "shares": 0, "buckets": 0}


def said_of(shared: Running, made: Manifest) -> str:
    """What the program says of an object that was not ready in time, with no right but that to ask the garden."""
    garden = str(shared.home.kubeconfigs / "garden.yaml")
    found = find(ShootRef(garden=garden, namespace=NAMESPACE, name=LIFE), made)
    assert found is not None
    return explained(found, LIFE)


@pytest.mark.parametrize("how", ["fail", "hang"])
def test_a_fault_of_one_object_is_its_own_and_ends_when_it_is_taken_back(
    shared: Running, cluster: Client, how: Literal["fail", "hang"]
) -> None:
    made, other = thing(ROOK, "CephBlockPool", f"{how}s", {}), thing(ROOK, "CephBlockPool", f"not-{how}", {})
    with faults(shared, (how, "CephBlockPool", f"{how}s", "--cluster", LIFE, "--message", "no OSD is left")):
        cluster.apply(made)
        cluster.apply(other)
        becomes(cluster, other, in_phase("Ready"))
        if how == "fail":
            becomes(cluster, made, with_condition("Ready", "False", "no OSD is left"))
            assert "phase Failure; Ready is False, no OSD is left. It goes on trying" in said_of(shared, made)
        else:
            assert "Its operator says: nothing yet. It goes on trying" in said_of(shared, made)
            found = current(cluster, made)
            assert found is not None
            assert "status" not in found, "a hanging operator writes nothing"
    status = becomes(cluster, made, in_phase("Ready"))
    assert all(one["status"] == "True" for one in status.get("conditions", [])), f"it still says: {status}"


def test_a_paused_cluster_keeps_no_other_cluster_s_operators_waiting(shared: Running, cluster: Client) -> None:
    """All of its objects are looked at, and none of them can be written."""
    stuck = [thing(ROOK, "CephBlockPool", f"stuck-{number}", {}) for number in range(6)]
    for made in stuck:
        cluster.apply(made)
    for made in stuck:
        becomes(cluster, made, in_phase("Ready"))
    management = shared.client("management")
    issuer = {"apiVersion": "cert-manager.io/v1", "kind": "ClusterIssuer", "metadata": {"name": "meanwhile"}}
    try:
        with faults(shared, ("pause", LIFE), ("fail", "CephBlockPool", "stuck-*", "--cluster", LIFE)):
            time.sleep(1)  # for all of them to be at it
            management.apply({**issuer, "spec": {"selfSigned": {}}})
            before = time.monotonic()
            becomes(management, issuer, with_condition("Ready", "True"))
            assert time.monotonic() - before < TIMEOUT / 2, "it waited for the paused cluster"
    finally:
        management.delete(issuer)
    for made in stuck:
        becomes(cluster, made, in_phase("Ready"))
        cluster.delete(made)
