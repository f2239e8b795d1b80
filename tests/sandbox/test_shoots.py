"""The stand-in for Gardener's controllers, behind the real gardener-apiserver."""

import contextlib
import threading
import time

import pytest
import yaml

from sandbox.api_server import NOBODY
from sandbox.client import Client, Manifest, Refused
from sandbox.shoots import AGAIN_SECONDS
from tests.sandboxes import (
    LIFE as NAME,
    NAMESPACE,
    SHOOT,
    SHOOT_SECONDS,
    Running,
    alive,
    bare_metal,
    command,
    listening,
    reachable,
    refusal,
    shoot_path,
    until,
)

pytestmark = pytest.mark.servers

CONFIRMATION = "confirmation.gardener.cloud/deletion"
FOREGROUND = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Foreground"}
Step = tuple[str, int, tuple[str, ...]]  # state and progress of the operation, and what the conditions say
CONDITIONS = ["APIServerAvailable", "ControlPlaneHealthy", "EveryNodeReady", "SystemComponentsHealthy"]


def test_it_succeeds_as_gardener_says_it(life: Manifest) -> None:
    status = life["status"]
    assert status["lastOperation"]["type"] == "Create", f"a new Shoot was created, not {status['lastOperation']}"
    assert status["lastOperation"]["progress"] == 100, "a success is not at 100 %"
    true = sorted(one["type"] for one in status["conditions"] if one["status"] == "True")
    assert true == CONDITIONS, f"not all conditions are True: {status['conditions']}"
    assert status["technicalID"] == f"shoot--c5c3--{NAME}", "the technical ID is not Gardener's"
    assert status["uid"] == life["metadata"]["uid"], "the status has no uid"
    assert "external" in [one["name"] for one in status["advertisedAddresses"]], "no address is advertised"
    assert "gardener" in life["metadata"]["finalizers"], "the Shoot has not Gardener's finalizer"


def test_nodes_have_what_the_worker_says(shared: Running, life: Manifest) -> None:
    nodes = shared.client(NAME).list("v1", "Node")
    zones = sorted(node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes)
    assert zones == ["eu-de-1a", "eu-de-1a", "eu-de-1b"], f"three nodes over two zones are in {zones}"
    for node in nodes:
        labels = node["metadata"]["labels"]
        assert labels["tier"] == "standard", f"the worker's label is missing: {labels}"
        assert "node-role.kubernetes.io/storage" in labels, f"the worker's role is missing: {labels}"
        assert labels["node.kubernetes.io/instance-type"] == "baremetal-storage", f"the machine type: {labels}"
        assert node["spec"]["taints"] == life["spec"]["provider"]["workers"][0]["taints"], f"taints: {node['spec']}"
        ready = [one["status"] for one in node["status"]["conditions"] if one["type"] == "Ready"]
        assert ready == ["True"], f"the node is not ready: {node['status']['conditions']}"
        assert node["status"]["allocatable"]["cpu"] == "64", "the node has not the CPUs of the cloud profile"
    addresses = {node["status"]["addresses"][0]["address"] for node in nodes}
    assert len(addresses) == 3, f"nodes share an address: {addresses}"


def test_nodes_follow_scaling_and_labels(shared: Running, life: Manifest) -> None:
    try:
        for minimum, tier in ((5, "standard"), (2, "premium")):
            follows(shared, life, minimum, tier)
    finally:
        shared.garden.patch(life, {"spec": {"provider": {"workers": life["spec"]["provider"]["workers"]}}})
        shared.succeeded(NAME)


def follows(shared: Running, life: Manifest, minimum: int, tier: str) -> None:
    worker: Manifest = {**life["spec"]["provider"]["workers"][0], "minimum": minimum}
    labels: dict[str, str] = worker["labels"]
    worker["labels"] = {**labels, "tier": tier}
    shared.garden.patch(life, {"spec": {"provider": {"workers": [worker]}}})
    kind = shared.succeeded(NAME)["status"]["lastOperation"]["type"]
    assert kind == "Reconcile", f"a change is a Reconcile, not a {kind}"
    nodes = shared.client(NAME).list("v1", "Node")
    assert len(nodes) == minimum, f"the worker wants {minimum} nodes, and there are {len(nodes)}"
    tiers = {node["metadata"]["labels"]["tier"] for node in nodes}
    assert tiers == {tier}, f"the worker's label is {tier}, and the nodes say {tiers}"


def test_an_upgrade_reaches_the_nodes(shared: Running) -> None:
    shared.garden.create(bare_metal("old") | {"spec": {**bare_metal("old")["spec"], "kubernetes": {"version": "1.34"}}})
    old = shared.succeeded("old")
    assert old["spec"]["kubernetes"]["version"] == "1.34.7", "a minor version means its newest patch"
    shared.garden.patch(old, {"spec": {"kubernetes": {"version": "1.35.4"}}})
    shared.succeeded("old")
    versions = {node["status"]["nodeInfo"]["kubeletVersion"] for node in shared.client("old").list("v1", "Node")}
    assert versions == {"v1.35.4"}, f"the nodes run {versions}"


def test_deleting_takes_a_confirmation_and_leaves_nothing(shared: Running) -> None:
    shoot = shared.garden.create(bare_metal("gone"))
    shared.succeeded("gone")
    client, processes = shared.client("gone"), shared.status.processes
    client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "made-before"}})
    pids = until(
        lambda: [pid for name, pid in shared.status.processes.items() if name.startswith("gone.")] or None,
        lambda: f"no process of the cluster is in the status: {processes}",
    )
    refused = refusal(lambda: shared.garden.delete(shoot))
    assert CONFIRMATION in refused.message, f"without confirmation, the admission says: {refused.message}"
    assert reachable(client), "the cluster ended although its deletion was refused"

    shared.garden.patch(shoot, {"metadata": {"annotations": {CONFIRMATION: "true"}}})
    shared.garden.request("DELETE", shoot_path("gone"), FOREGROUND)  # as Pulumi does
    until(
        lambda: None if _there(shared, "gone") else True,
        lambda: f"it is still there: {shared.shoot('gone')}",
        SHOOT_SECONDS,
    )
    assert not alive(pids), "a process of the deleted cluster runs"
    assert not listening([int(client.url.rpartition(":")[2])]), "the deleted cluster's port is open"
    assert not (shared.home.path / "clusters" / "gone").exists(), "files of the deleted cluster are left"
    for kind, suffix in (("InternalSecret", "ca-client"), ("ConfigMap", "ca-cluster")):
        version = SHOOT if kind == "InternalSecret" else "v1"
        left = shared.garden.get(version, kind, f"gone.{suffix}", NAMESPACE)
        assert left is None, f"the {kind} of the deleted cluster is left"

    shared.forget("gone")
    shared.garden.create(bare_metal("gone"))
    shared.succeeded("gone")
    names = {one["metadata"]["name"] for one in shared.client("gone").list("v1", "Namespace")}
    assert "made-before" not in names, "a new cluster of the same name has the old one's data"


def test_what_gardener_cannot_do_stands_in_the_status(shared: Running) -> None:
    empty = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "empty", "namespace": NAMESPACE}}
    shared.garden.create(empty)
    shoot = bare_metal("lost")
    shoot["spec"]["kubernetes"]["kubeAPIServer"] = {"structuredAuthentication": {"configMapName": "empty"}}
    until(lambda: _created(shared, shoot), lambda: "the admission does not find the ConfigMap")

    def failed() -> Manifest | None:
        status = shared.shoot("lost").get("status", {})
        return status if status.get("lastErrors") and status["lastOperation"]["state"] == "Error" else None

    errors = until(failed, lambda: f"it does not fail: {shared.shoot('lost').get('status')}")["lastErrors"]
    assert "empty" in errors[0]["description"], f"the error does not name the ConfigMap: {errors}"
    tries, began = {errors[0]["lastUpdateTime"]}, time.monotonic()
    while time.monotonic() < began + AGAIN_SECONDS:
        tries.add(shared.shoot("lost")["status"]["lastErrors"][0]["lastUpdateTime"])
        time.sleep(0.2)
    most = 2 + (time.monotonic() - began) / AGAIN_SECONDS
    assert len(tries) <= most, f"a failure is tried again without a pause: {sorted(tries)}"
    shared.garden.patch(empty, {"data": {"config.yaml": yaml.safe_dump(NOBODY)}})
    healed = shared.succeeded("lost")
    assert not healed["status"].get("lastErrors"), "the errors stay after the success"


def test_kubeconfig_finds_a_cluster_by_each_of_its_names(shared: Running, life: Manifest) -> None:
    assert life
    by_name = command("kubeconfig", "--name", shared.home.name, NAME).stdout
    by_label = command("kubeconfig", "--name", shared.home.name, f"long-name-of-{NAME}").stdout
    assert shared.client(NAME).url in by_name, f"no kubeconfig of the cluster: {by_name}"
    assert by_name == by_label, "the region's name of the cluster leads elsewhere"
    unknown = command("kubeconfig", "--name", shared.home.name, "nobody")
    assert unknown.returncode == 1, "an unknown cluster is no failure"
    assert "has no cluster nobody. There are: " in unknown.stderr, f"no sentence: {unknown.stderr}"
    assert "garden" in unknown.stderr, "the person is not told which there are"


def test_a_shoot_walks_through_its_progress(shared: Running) -> None:
    """Whoever watches sees that it goes on, and never backwards."""
    watched, seen = _another(shared.garden), list[Step]()
    threading.Thread(target=_follow, args=(watched, "walks", seen), daemon=True).start()
    with contextlib.closing(watched):
        shared.garden.create(bare_metal("walks"))
        until(lambda: ("Succeeded", 100, ("True",)) in seen or None, lambda: f"only {seen}", SHOOT_SECONDS)
    on_the_way = seen[:-1]
    assert {state for state, _, _ in on_the_way} == {"Processing"}, f"it succeeds once, at the end: {seen}"
    assert {conditions for _, _, conditions in on_the_way} == {("Progressing",)}, f"it is ready too early: {seen}"
    progress = [at for _, at, _ in seen]
    assert progress == sorted(progress), f"it goes back: {progress}"
    assert len(set(progress)) >= 3, f"nothing between the beginning and the end: {progress}"
    shared.garden.patch(bare_metal("walks"), {"metadata": {"annotations": {CONFIRMATION: "true"}}})
    shared.garden.delete(bare_metal("walks"))


def _follow(client: Client, name: str, seen: list[Step]) -> None:
    """Every step of a Shoot's operation, until the client is closed."""
    for event in client.watch(SHOOT, "Shoot", NAMESPACE):
        status = event.object.get("status", {})
        if event.object["metadata"]["name"] == name and "lastOperation" in status:
            last = status["lastOperation"]
            states = tuple(sorted({one["status"] for one in status.get("conditions", [])}))
            if (step := (last["state"], last["progress"], states)) not in seen[-1:]:
                seen.append(step)


def _another(known: Client) -> Client:
    """The same user with connections of its own."""
    return Client(url=known.url, authority=known.authority, certificate=known.certificate, key=known.key)


def _there(shared: Running, name: str) -> bool:
    return shared.garden.get(SHOOT, "Shoot", name, NAMESPACE) is not None


def _created(shared: Running, shoot: Manifest) -> Manifest | None:
    """Gardener's admission looks in a cache, which is a moment late."""
    with contextlib.suppress(Refused):
        return shared.garden.create(shoot)
    return None
