"""Faults on demand: what somebody meets who uses the sandbox meanwhile, and that it is as before afterwards."""

import base64
import contextlib
import dataclasses
import http.client
import re
import time
from collections.abc import Generator
from http import HTTPStatus
from pathlib import Path

import pytest
import yaml

from access import garden
from access.problem import Problem
from sandbox import pki
from sandbox.api_server import TRIES
from sandbox.client import BROKEN, Client, Manifest, Refused
from sandbox.server_faults import ServerFault
from tests.sandboxes import (
    LIFE,
    NAMESPACE,
    SHOOT,
    SHOOT_SECONDS,
    Running,
    bare_metal,
    command,
    fault,
    reachable,
    refusal,
    shoot_path,
    until,
)

pytestmark = pytest.mark.servers

SPACE = "faults"


def note(name: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": SPACE}}


@pytest.fixture
def cluster(shared: Running, life: Manifest) -> Generator[Client]:
    """A cluster that has its faults taken back."""
    client = shared.client(life["metadata"]["name"])
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
    yield client
    fault(shared, "end")
    until(lambda: client.healthy() or None, lambda: "the cluster is not back after its faults ended")
    until(lambda: None if tried(client) else True, lambda: "its webhook still refuses")
    assert shared.status.faults == []
    assert shared.status.ended == {}, "what was wished for is no news"


def test_a_paused_server_keeps_everybody_waiting(shared: Running, cluster: Client) -> None:
    fault(shared, "pause", LIFE)
    assert shared.status.faults == [f"{LIFE}: pause"]
    impatient = http.client.HTTPSConnection("127.0.0.1", int(cluster.url.rpartition(":")[2]), timeout=1)
    with pytest.raises(TimeoutError):
        impatient.request("GET", "/readyz")


def test_a_server_that_is_down_refuses_connections_and_comes_back_with_its_data(
    shared: Running, cluster: Client
) -> None:
    cluster.apply(note("kept"))
    fault(shared, "down", LIFE)
    with pytest.raises(BROKEN):
        cluster.get("v1", "ConfigMap", "kept", SPACE)
    fault(shared, "end")
    assert cluster.get("v1", "ConfigMap", "kept", SPACE), "the cluster has lost its data"


def test_a_server_that_throttles_answers_429_to_some_and_works_for_the_others(shared: Running, cluster: Client) -> None:
    fault(shared, "throttle", LIFE, "--share", "0.5")
    once = dataclasses.replace(cluster, tries=1)
    statuses: list[int] = []
    messages: set[str] = set()
    for number in range(20):
        try:
            once.apply(note(f"throttled-{number}"))
        except Refused as refused:
            statuses.append(refused.status)
            messages.add(refused.message)
        else:
            statuses.append(200)
    assert set(statuses) == {200, 429}, f"some are refused and some are not: {statuses}"
    assert messages == {"Too many requests, please try again later."}
    names = [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap", SPACE)]
    assert len([name for name in names if name.startswith("throttled-")]) == statuses.count(200)


def test_a_slow_server_answers_late_and_rightly(shared: Running, cluster: Client) -> None:
    fault(shared, "slow", f"long-name-of-{LIFE}", "--seconds", "0.7")
    began = time.monotonic()
    cluster.apply(note("late"))
    assert time.monotonic() - began > 0.7, "it is not slow"
    watch = cluster.watch("v1", "ConfigMap", SPACE)
    there = cluster.list("v1", "ConfigMap", SPACE)
    assert "late" in {next(watch).object["metadata"]["name"] for _ in there}, "a watch goes through"
    watch.close()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], 'admission webhook "refuses.sandbox.c5c3.io" denied the request: a fault of the sandbox'),
        (["--unreachable"], 'failed calling webhook "refuses.sandbox.c5c3.io"'),
    ],
    ids=["refuses", "unreachable"],
)
def test_a_webhook_refuses_a_kind_and_no_other(
    shared: Running, cluster: Client, words: list[str], sentence: str
) -> None:
    fault(shared, "webhook", LIFE, "configmaps", *words)
    refused = until(lambda: tried(cluster), lambda: "the webhook refuses nothing")
    assert sentence in refused.message
    cluster.apply({**note("other"), "kind": "Secret"})


def test_a_webhook_is_for_what_a_cluster_serves(shared: Running, cluster: Client) -> None:
    """Else it would hold, and refuse nothing."""
    assert reachable(cluster)
    done = command("fault", "--name", shared.home.name, "webhook", LIFE, "nosuchresources")
    assert (done.returncode, done.stderr) == (
        0,
        f"{LIFE} serves no nosuchresources yet: the webhook refuses them as soon as it does.\n",
    )
    for name, plural in (("configmap", "configmaps"), ("NetworkPolicy", "networkpolicies")):
        done = command("fault", "--name", shared.home.name, "webhook", LIFE, name)
        assert (done.returncode, f"did you mean {plural}?" in done.stderr) == (1, True), done.stderr
    done = command("fault", "--name", shared.home.name, "webhook", "garden", "Shoot")
    assert "did you mean shoots?" in done.stderr


def tried(client: Client) -> Refused | None:
    try:
        client.apply(note("refused"))
    except Refused as refused:
        return refused
    return None


def test_a_shoot_fails_with_gardener_s_last_errors(shared: Running, cluster: Client) -> None:
    assert reachable(cluster)
    fault(shared, "fail", "Shoot", "unlucky", "--message", "no server is left in the rack")
    shared.garden.create(bare_metal("unlucky"))

    def failed() -> Manifest | None:
        status = shared.shoot("unlucky").get("status", {})
        return status if status.get("lastErrors") else None

    status = until(failed, lambda: f"it does not fail: {shared.shoot('unlucky').get('status')}")
    told = command("status", "--name", shared.home.name).stdout
    assert "a fault that you wished for: fail Shoot unlucky, in every cluster" in told
    assert "no server is left in the rack" in status["lastErrors"][0]["description"]
    fault(shared, "end")
    shared.succeeded("unlucky")
    metadata = {"annotations": {"confirmation.gardener.cloud/deletion": "true"}}
    shoot = shared.garden.patch(bare_metal("unlucky"), {"metadata": metadata})
    assert shoot["apiVersion"] == SHOOT
    shared.garden.delete(shoot)
    until(
        lambda: None if shared.garden.get(SHOOT, "Shoot", "unlucky", NAMESPACE) else True,
        lambda: "it stays",
        SHOOT_SECONDS,
    )


def test_a_shoot_that_is_ready_fails_too(shared: Running, cluster: Client) -> None:
    assert reachable(cluster)
    fault(shared, "fail", "Shoot", LIFE, "--message", "the rack has no power")

    def failed() -> list[Manifest] | None:
        return shared.shoot(LIFE)["status"].get("lastErrors")

    errors = until(failed, lambda: f"it does not fail: {shared.shoot(LIFE)['status']}")
    assert "the rack has no power" in errors[0]["description"]
    fault(shared, "end")
    shared.succeeded(LIFE)


def test_a_shoot_that_fails_cannot_be_deleted(shared: Running, cluster: Client) -> None:
    """Gardener's words for it are those of a deletion, however ready the Shoot was."""
    assert cluster.healthy()
    shoot = shared.garden.create(bare_metal("stays"))
    shared.succeeded("stays")
    fault(shared, "fail", "Shoot", "stays", "--message", "a server does not let go of its disks")
    metadata = {"annotations": {"confirmation.gardener.cloud/deletion": "true"}}
    shared.garden.delete(shared.garden.patch(shoot, {"metadata": metadata}))

    def refused() -> Manifest | None:
        status = shared.shoot("stays")["status"]
        return status if status["lastOperation"]["type"] == "Delete" else None

    status = until(refused, lambda: f"its deletion does not fail: {shared.shoot('stays')['status']}")
    said = {key: status["lastOperation"][key] for key in ("state", "progress", "description")}
    assert said == {"state": "Error", "progress": 10, "description": "a server does not let go of its disks"}
    assert [one["description"] for one in status["lastErrors"]] == [said["description"]]
    assert "stays" in shared.status.clusters, "its cluster is gone"
    fault(shared, "end")
    until(
        lambda: None if shared.garden.get(SHOOT, "Shoot", "stays", NAMESPACE) else True,
        lambda: f"it stays when the fault is over: {shared.shoot('stays')['status']}",
    )


def test_what_a_cluster_gave_out_is_refused_and_a_new_request_works(
    shared: Running, cluster: Client, tmp_path: Path
) -> None:
    with contextlib.closing(given(shared, cluster, tmp_path / "old")) as old:
        assert old.list("v1", "Node")
        fault(shared, "expire", LIFE)
        with pytest.raises((Refused, *BROKEN)):
            old.list("v1", "Node")

    def works() -> bool | None:
        """Gardener's API server signs with what it knows of the cluster, which may be a moment old."""
        with contextlib.closing(given(shared, cluster, tmp_path / "new")) as new, contextlib.suppress(Refused):
            return bool(new.list("v1", "Node")) or None
        return None

    until(works, lambda: "a new request gives nothing that works")
    assert reachable(cluster), "the sandbox's own credential is another"


def given(shared: Running, cluster: Client, folder: Path) -> Client:
    """A user with what gardener-apiserver gives out."""
    body = {
        "apiVersion": "authentication.gardener.cloud/v1alpha1",
        "kind": "AdminKubeconfigRequest",
        "spec": {"expirationSeconds": 600},
    }
    answer = shared.garden.request("POST", f"{shoot_path(LIFE)}/adminkubeconfig", body)
    user = yaml.safe_load(base64.b64decode(answer["status"]["kubeconfig"]))["users"][0]["user"]
    pair = pki.Pair(
        certificate=base64.b64decode(user["client-certificate-data"]), key=base64.b64decode(user["client-key-data"])
    ).write(folder, "user")
    return Client(url=cluster.url, authority=cluster.authority, certificate=pair.certificate, key=pair.key, tries=TRIES)


def test_a_mistyped_cluster_is_answered_with_those_there_are(shared: Running, life: Manifest) -> None:
    assert life
    done = command("fault", "--name", shared.home.name, "pause", "lief")
    assert done.returncode == 1
    said = re.search(r"The sandbox has no cluster lief; it has ([^.]+)\.", done.stderr)
    assert said, done.stderr
    assert set(said[1].split(", ")) >= {"garden", "management", LIFE}


def test_a_fault_says_what_it_is() -> None:
    assert str(ServerFault(cluster="a", how="throttle", share=0.25)) == "a: throttle, 25% of the requests"
    assert str(ServerFault(cluster="a", how="slow", seconds=2)) == "a: slow by 2 s"


@pytest.fixture
def issuer(shared: Running) -> Generator[Client]:
    """The management cluster as another cluster meets it that has to trust its tokens: nobody's name, no credential."""
    known = shared.client("management")
    nobody = Client(url=known.url, authority=known.authority)
    with contextlib.closing(nobody):
        yield nobody
    fault(shared, "end")


def test_a_slow_issuer_of_tokens_gives_its_keys_to_whoever_asks(shared: Running, issuer: Client) -> None:
    """Else no cluster takes a token from it, and a slow management cluster looks like one that nobody trusts."""
    fault(shared, "slow", "management", "--seconds", "0.1")
    keys: str = issuer.request("GET", "/.well-known/openid-configuration")["jwks_uri"]
    assert keys == f"{issuer.url}/openid/v1/jwks", "the keys are looked for where the proxy is not"
    assert issuer.request("GET", "/openid/v1/jwks", accept="application/jwk-set+json")["keys"]


def test_a_management_cluster_that_refuses_everything_is_said_to_have_too_much_to_do(
    shared: Running, issuer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With which an update stops, and of which a preview warns (tests/components/test_neighbours.py)."""
    monkeypatch.setattr(garden, "PAUSE_SECONDS", 0.1)
    fault(shared, "throttle", "management", "--share", "1")
    assert refusal(lambda: issuer.request("GET", "/version")).status == HTTPStatus.TOO_MANY_REQUESTS
    kubeconfig = shared.home.path / "kubeconfigs" / "management.yaml"
    with pytest.raises(Problem, match=r"The management cluster of \S+ has too much to do, and 8 times refused"):
        garden.Garden.of(str(kubeconfig), what="management cluster").get("/api/v1/namespaces")
