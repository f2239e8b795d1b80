"""What is said when an object in a cluster fails because the cluster cannot be reached, and when the garden refuses."""

import pulumi
import pytest

from access.kubeconfig import ShootRef
from access.shoot_status import refused
from components.cluster_trouble import explain

REF = ShootRef(garden="garden.yaml", namespace="garden-c5c3", name="hv-a")
UNREACHABLE = (
    "configured Kubernetes cluster is unreachable: unable to load schema information from the API server: Get "
    '"https://127.0.0.1:1/openapi/v2?timeout=32s": dial tcp 127.0.0.1:1: connect: connection refused'
)


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


def test_what_the_cluster_itself_refuses_speaks_for_itself(said: list[str]) -> None:
    fails(explain("explains", "hv-pool-a", REF), "hv-pool-a-info", "ConfigMap is invalid: data is too long")
    assert said == []


def test_the_garden_s_words_are_quoted_and_pulumi_s_are_not() -> None:
    error = (
        'resource "urn:pulumi:a::b::c" was not successfully created by the Kubernetes API server: spec.region: '
        'Unsupported value: "mars".'
    )
    sentence = refused("hv-a", "hv-pool-a", error)
    assert sentence.startswith("Cluster hv-pool-a: the garden refused its Shoot hv-a as this run wanted it")
    assert 'says: spec.region: Unsupported value: "mars". Mend' in sentence
    assert "urn:" not in sentence
