"""What is said when an object in a cluster fails because the cluster cannot be reached, and when the garden refuses."""

from typing import Any

import pulumi
import pytest

from access.kubeconfig import ShootRef
from access.shoot_status import failed, refused
from components.cluster_trouble import explain

REF = ShootRef(garden="garden.yaml", namespace="garden-c5c3", name="hv-a")
UNREACHABLE = (
    "configured Kubernetes cluster is unreachable: unable to load schema information from the API server: Get "
    '"https://127.0.0.1:1/openapi/v2?timeout=32s": dial tcp 127.0.0.1:1: connect: connection refused'
)

# What the provider calls so, whatever the reason.
NO_ENTRY = "configured Kubernetes cluster is unreachable: unable to load schema information from the API server: {}"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    sentences: list[str] = []
    monkeypatch.setattr("pulumi.log.error", sentences.append)
    return sentences


def fails(hook: pulumi.ErrorHook, name: str, error: str) -> None:
    args = pulumi.ErrorHookArgs(urn="", id="", name=name, type="", failed_operation="create", errors=[error])
    assert hook(args) is False, "the next run tries again, not this one"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (UNREACHABLE, "its API gives no answer"),
        (
            NO_ENTRY.format("the server has asked for the client to provide credentials"),
            "its API takes the credential no more",
        ),
        (NO_ENTRY.format("the server has received too many requests"), "its API has too much to do"),
        (
            NO_ENTRY.format('Get "https://127.0.0.1:1": getting credentials: exec'),
            "the garden gave no credential for it",
        ),
        ("Unauthorized", "its API takes the credential no more"),
        ("the server has asked for the client to provide credentials", "its API takes the credential no more"),
        ("getting credentials: exec: executable failed with exit code 1", "the garden gave no credential for it"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_named_once(said: list[str], error: str, why: str) -> None:
    hook = explain("hv-pool-a-explains", "hv-pool-a", REF)
    fails(hook, "hv-pool-a-info", error)
    fails(hook, "hv-pool-a-other", error)
    assert len(said) == 1, "all that is in the cluster fails for the same reason"
    assert said[0].startswith(f"Cluster hv-pool-a: {why}, so hv-pool-a-info")
    assert "kubectl -n garden-c5c3 describe shoot hv-a" in said[0]
    assert "run the update again" in said[0]


@pytest.mark.parametrize(
    "error",
    [
        "ConfigMap is invalid: data is too long",
        'the Kubernetes API server reported that "a/b" failed to fully initialize or become live: a webhook denied it',
    ],
)
def test_what_the_cluster_itself_refuses_speaks_for_itself(said: list[str], error: str) -> None:
    """A change that is refused begins like one that is slow, and no operator is to blame for it."""
    fails(explain("explains", "hv-pool-a", REF), "hv-pool-a-info", error)
    assert said == []


def test_an_interrupt_is_no_trouble_of_the_cluster(said: list[str]) -> None:
    fails(
        explain("explains", "hv-pool-a", REF),
        "hv-pool-a-info",
        "configured Kubernetes cluster is unreachable: Get https://a: context canceled",
    )
    assert said == [], "the cluster is well"


def test_what_somebody_else_has_set_is_named(said: list[str]) -> None:
    error = 'an apply conflict: Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.a'
    fails(explain("explains", "hv-pool-a", REF), "hv-pool-a-info", error)
    assert said[0].startswith("Cluster hv-pool-a, hv-pool-a-info: somebody else (kubectl-edit) has set .data.a, and")


def test_a_garden_that_cannot_be_asked_is_said_with_the_object(said: list[str]) -> None:
    fails(
        explain("explains", "hv-pool-a", REF),
        "hv-pool-a-info",
        'reported that "a/b" failed to fully initialize or become live: timed out waiting for the condition',
    )
    assert said[0].startswith("Cluster hv-pool-a: hv-pool-a-info is not ready, and nobody knows why. garden.yaml is")


def test_the_garden_s_words_are_quoted_and_pulumi_s_are_not() -> None:
    error = (
        'resource "urn:pulumi:a::b::c" was not successfully created by the Kubernetes API server: spec.region: '
        'Unsupported value: "mars".'
    )
    sentence = refused("hv-a", "hv-pool-a", error)
    assert sentence.startswith("Cluster hv-pool-a: the garden refused its Shoot hv-a as this run wanted it")
    assert 'says: spec.region: Unsupported value: "mars". Mend' in sentence
    assert "urn:" not in sentence


POOL = {
    "apiVersion": "ceph.rook.io/v1",
    "kind": "CephBlockPool",
    "metadata": {"name": "a-volumes", "namespace": "rook-ceph"},
}
BLOCKED = {"type": "PoolDeletionIsBlocked", "status": "True", "message": 'pool "a-volumes" contains images: 2'}
DEPENDENTS = {"type": "DeletionIsBlocked", "status": "True", "message": "will not be deleted until all are removed"}
NOT_BLOCKED = {"type": "DeletionIsBlocked", "status": "False", "message": "nothing depends on it"}
NAMESPACES = {"type": "RadosNamespaceDeletionIsBlocked", "status": "True", "message": "it has namespaces"}
NOT_READY = {"type": "Ready", "status": "False", "message": "2 machines run on the nodes"}
GONE = "(docs/tenants.md). Where the whole tenant goes, its nodes, its ControlPlane with the databases, and its keys"


def goes(inputs: dict[str, Any], operation: str = "delete", error: str = "timed out") -> None:
    hook = explain("st-a-explains", "st-a", REF)
    args = pulumi.ErrorHookArgs(
        urn="", id="", name="a-volumes", type="", old_inputs=inputs, failed_operation=operation, errors=[error]
    )
    assert hook(args) is False


@pytest.mark.parametrize(
    ("kind", "condition", "says"),
    [
        (
            "CephBlockPool",
            BLOCKED,
            'Rook says: pool "a-volumes" contains images: 2. What is in it is not lost: it',
        ),
        (
            "CephBlockPool",
            DEPENDENTS,
            "Rook says: will not be deleted until all are removed. What is in it is not lost",
        ),
        ("CephBlockPool", NAMESPACES, "Rook says: it has namespaces. What is in it is not lost"),
        ("CephBlockPool", None, "Rook has not said why. What is in it is not lost"),
        ("CephBlockPool", None, GONE),
        (
            "CephFilesystem",
            DEPENDENTS,
            "Rook says: will not be deleted until all are removed. What is in it is not lost",
        ),
        ("CephFilesystem", NOT_BLOCKED, "Rook has not said why. What is in it is not lost"),
        ("CephObjectStore", DEPENDENTS, "it goes when the buckets in it are gone. Move them away or delete them, then"),
        ("CephObjectStore", None, GONE),
        ("HypervisorShare", NOT_READY, "its operator says: 2 machines run on the nodes. Nothing is lost: it goes when"),
        ("ControlPlane", NOT_READY, "its operator says: 2 machines run on the nodes. The tenant's data on Ceph is not"),
        ("ControlPlane", None, "(docs/tenants.md). Where the whole tenant goes, its nodes have gone already."),
    ],
)
def test_what_an_operator_keeps_is_said_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, said: list[str], kind: str, condition: dict[str, str] | None, says: str
) -> None:
    asked: list[str] = []

    def looked(_: ShootRef, path: str) -> dict[str, Any]:
        asked.append(path)
        return {"status": {"conditions": [condition] if condition else []}}

    monkeypatch.setattr("components.deletion_trouble.look", looked)
    goes({**POOL, "kind": kind})
    (sentence,) = said
    assert sentence.startswith(f"{kind} a-volumes in cluster st-a is not deleted yet: ")
    assert says in sentence
    assert asked == [f"/apis/ceph.rook.io/v1/namespaces/rook-ceph/{kind.lower()}s/a-volumes"]


def test_other_failures_are_not_taken_for_that(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    def looked(_: ShootRef, __: str) -> None:
        return None

    monkeypatch.setattr("components.deletion_trouble.look", looked)
    goes({**POOL, "kind": "Namespace"})
    goes(POOL, "update")
    goes(POOL)  # gone meanwhile
    assert said == []


def test_what_pulumi_itself_keeps_is_not_taken_for_that(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    def looked(_: ShootRef, __: str) -> dict[str, Any]:
        return {"status": {"conditions": []}}

    monkeypatch.setattr("components.deletion_trouble.look", looked)
    goes(POOL, error='resource "a-volumes" cannot be deleted\nbecause it is protected. To unprotect it, ...')
    assert said == []


def test_what_is_neither_refused_nor_slow_is_quoted() -> None:
    sentence = failed("hv-a", "hv-pool-a", 'no matches for kind "Shoot" in version "core.gardener.cloud/v1beta1".')
    assert sentence.startswith("Cluster hv-pool-a: its Shoot hv-a could not be made or changed, and goes on as it is: ")
    assert 'no matches for kind "Shoot" in version "core.gardener.cloud/v1beta1". Run the update again;' in sentence
