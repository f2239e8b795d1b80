"""The stand-in that gives a pool's nodes to tenants: free ones, none of them twice, and back when they are empty."""

from collections.abc import Callable, Generator
from contextlib import suppress

import pytest

from sandbox import definitions
from sandbox.client import Client, Manifest, Refused
from sandbox.operators.hypervisor_share import API, MACHINES, ROLE
from tests.operators import gone
from tests.sandboxes import Running, bare_metal, until

pytestmark = pytest.mark.servers

LABEL = "c5c3.io/tenant"
NAME, NODES = "shares", 3  # a Shoot of its own, since others scale the shared one


@pytest.fixture(scope="module")
def pool(shared: Running) -> Generator[Client]:
    shoot = shared.garden.create(bare_metal(NAME, minimum=NODES))
    shared.succeeded(NAME)
    client = shared.client(NAME)
    definitions.install(client, ["hypervisorshares.c5c3.io"])
    nodes = client.list("v1", "Node")
    assert len(nodes) == NODES
    for node in nodes:
        client.patch(node, {"metadata": {"labels": {ROLE: ""}}})
    yield client
    shared.garden.patch(shoot, {"metadata": {"annotations": {"confirmation.gardener.cloud/deletion": "true"}}})
    shared.garden.delete(shoot)
    shared.forget(NAME)


@pytest.fixture
def cluster(pool: Client) -> Generator[Client]:
    """Its nodes are free, afterwards too."""
    yield pool
    for left in pool.list(API, "HypervisorShare"):
        with suppress(Refused):  # one that goes already
            pool.patch(left, {"metadata": {"annotations": {MACHINES: "0"}}})
        pool.delete(left)
    until(lambda: None if held(pool) else True, lambda: f"nodes are not given back: {held(pool)}")


def held(client: Client) -> list[str]:
    """Nodes that some share has marked still."""
    return [
        one["metadata"]["name"]
        for one in client.list("v1", "Node")
        if LABEL in one["metadata"]["labels"] or LABEL in [taint["key"] for taint in one["spec"].get("taints", [])]
    ]


def share(name: str, nodes: int | None = None) -> Manifest:
    spec: Manifest = {
        "openStackCluster": name,
        "nodeLabels": {LABEL: name},
        "nodeTaints": [{"key": LABEL, "value": name, "effect": "PreferNoSchedule"}],
        "hostAggregate": {"name": "pool"},
        "ovn": {"sbConnection": "ssl:10.0.0.1:6642", "encapsulation": "geneve"},
    }
    made: Manifest = {"apiVersion": API, "kind": "HypervisorShare", "metadata": {"name": name, "namespace": "default"}}
    return {**made, "spec": {**spec, **({"nodes": nodes} if nodes else {})}}


def becomes(client: Client, made: Manifest, what: Callable[[Manifest], bool]) -> Manifest:
    def so() -> Manifest | None:
        status = current(client, made).get("status", {})
        return status if status and what(status) else None

    return until(so, lambda: f"{made['metadata']['name']} is not as wanted: {current(client, made)}")


def current(client: Client, made: Manifest) -> Manifest:
    return client.get(API, "HypervisorShare", made["metadata"]["name"], "default") or {}


def nodes_of(client: Client, tenant: str) -> list[Manifest]:
    return client.list("v1", "Node", labelSelector=f"{LABEL}={tenant}")


def test_a_node_serves_one_tenant_and_comes_back(cluster: Client) -> None:
    first, second = share("first", 2), share("second", 2)
    cluster.apply(first)
    status = becomes(cluster, first, lambda found: found["phase"] == "Ready")
    assert {node["metadata"]["name"] for node in nodes_of(cluster, "first")} == set(status["nodes"])
    (taint,) = (one for one in nodes_of(cluster, "first")[0]["spec"]["taints"] if one["key"] == LABEL)
    assert taint == {"key": LABEL, "value": "first", "effect": "PreferNoSchedule"}

    cluster.apply(second)
    lacks = becomes(cluster, second, lambda found: found["phase"] == "Pending" and found["nodeCount"] == 1)
    assert lacks["conditions"][0]["message"] == (
        f"2 nodes are wanted, and 1 of the pool's {NODES} are this tenant's or free"
    )

    cluster.patch(first, {"metadata": {"annotations": {MACHINES: "7"}}})
    cluster.delete(first)
    kept = becomes(cluster, first, lambda found: found["phase"] == "Releasing")
    assert kept["conditions"][0]["message"] == "7 machines run on the nodes"
    assert len(nodes_of(cluster, "first")) == 2
    cluster.patch(first, {"metadata": {"annotations": {MACHINES: "0"}}})
    becomes(cluster, second, lambda found: found["phase"] == "Ready")
    gone(cluster, first)
    cluster.delete(second)
    until(lambda: not nodes_of(cluster, "second") or None, lambda: "the nodes keep the label of a tenant that is gone")
    left = [one for node in cluster.list("v1", "Node") for one in node["spec"].get("taints", []) if one["key"] == LABEL]
    assert left == []


def test_who_names_no_number_has_a_part_of_what_is_left(cluster: Client) -> None:
    alone, other, sized = share("alone"), share("other"), share("sized", 1)
    cluster.apply(alone)
    becomes(cluster, alone, lambda found: found["nodeCount"] == NODES)
    cluster.patch(alone, {"metadata": {"annotations": {MACHINES: "4"}}})
    becomes(cluster, alone, lambda found: found["machines"] == 4)
    cluster.apply(sized)
    becomes(cluster, sized, lambda found: found["phase"] == "Pending")
    kept = becomes(cluster, alone, lambda found: "until" in found["conditions"][0]["message"])
    says = "3 nodes are the tenant's, 1 of them until the machines on its nodes are gone"
    assert kept["conditions"][0]["message"] == says
    assert kept["nodeCount"] == NODES, "no node is taken from under a machine"
    cluster.patch(alone, {"metadata": {"annotations": {MACHINES: "0"}}})
    becomes(cluster, sized, lambda found: found["phase"] == "Ready")
    becomes(cluster, alone, lambda found: found["nodeCount"] == NODES - 1)
    cluster.apply(other)
    becomes(cluster, other, lambda found: found["phase"] == "Ready")
    assert [len(nodes_of(cluster, name)) for name in ("alone", "other", "sized")] == [1, 1, 1]


def test_nodes_wait_for_the_certificates_of_their_networks(cluster: Client) -> None:
    made = share("safe", 1)
    tls = {"secretRef": {"name": "ovn-tls-certs"}}
    made["spec"]["ovn"] = {"sbConnection": "ssl:10.0.0.1:6642", "encapsulation": "geneve", "tls": tls}
    metadata = {"name": "ovn-tls-certs", "namespace": "default"}
    secret: Manifest = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}
    cluster.apply(made)
    waits = becomes(cluster, made, lambda found: found["phase"] == "Pending")
    assert waits["conditions"][0]["message"] == 'secrets "ovn-tls-certs" with the key ca.crt not found in default'
    cluster.apply({**secret, "stringData": dict.fromkeys(("ca.crt", "tls.crt", "tls.key"), "made up")})
    becomes(cluster, made, lambda found: found["phase"] == "Ready")
