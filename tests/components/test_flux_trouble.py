"""What a person reads when an object of Flux's could not be made, changed or deleted."""

import re
from typing import Any

import pulumi
import pytest

from access.problem import Problem
from components import flux_trouble
from components.flux_trouble import explain
from model.region import Management
from tests.plans import heard

SETTINGS = Management(kubeconfig="m.yaml")
RELEASE: dict[str, Any] = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "rook-ceph", "namespace": "st-pool-a", "labels": {"c5c3.io/cluster": "st-pool-a"}},
}
READY = {"status": {"conditions": [{"type": "Ready", "status": "True", "message": "Helm install succeeded"}]}}
LATE = "timed out waiting for the condition"
NOT_LIVE = 'the Kubernetes API server reported that "a/b" failed to fully initialize or become live: '
DENIED = 'admission webhook "guard.example.com" denied the request: not on Fridays'


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    class There:
        def get(self, path: str) -> dict[str, Any]:
            assert path == "/apis/helm.toolkit.fluxcd.io/v2/namespaces/st-pool-a/helmreleases/rook-ceph"
            return {**RELEASE, **READY}

    def of(*_: object, **__: object) -> There:
        return There()

    monkeypatch.setattr(flux_trouble.Connection, "of", of)
    return heard(monkeypatch, "error")


def fails(hook: pulumi.ErrorHook, operation: str, error: str) -> None:
    given = {"old_inputs": RELEASE} if operation == "delete" else {"new_inputs": RELEASE}
    args = pulumi.ErrorHookArgs(
        urn="", id="", name="st-pool-a-rook-ceph", type="", failed_operation=operation, errors=[error], **given
    )
    assert hook(args) is False, "Flux goes on by itself"


@pytest.mark.parametrize("operation", ["create", "update"])
def test_flux_is_quoted_on_what_it_was_waited_for(said: list[str], operation: str) -> None:
    fails(explain("explains", SETTINGS), operation, f"{NOT_LIVE}{LATE}")
    assert said[0].startswith("Release rook-ceph in cluster st-pool-a is not ready: it was waited for up to 20 min")


@pytest.mark.parametrize(
    ("operation", "error", "words"),
    [
        ("update", f"{NOT_LIVE}{DENIED}", f"could not be made or changed, and what was there is as before.*{DENIED}"),
        ("create", "x by the Kubernetes API server: helmreleases is forbidden: no", "says: helmreleases is forbidden"),
        ("delete", "helmreleases is forbidden: no", "could not be deleted, and is there as before.*is forbidden: no"),
        ("delete", LATE, "is not deleted yet: Flux is to take away first what it has installed"),
    ],
)
def test_what_flux_did_not_do_is_not_blamed_on_flux(said: list[str], operation: str, error: str, words: str) -> None:
    fails(explain("explains", SETTINGS), operation, error)
    (sentence,) = said
    assert re.search(words, sentence), sentence
    assert sentence.startswith("HelmRelease rook-ceph for cluster st-pool-a ")
    assert "install succeeded" not in sentence, "that Flux was ready before is no reason"
    assert "`kubectl -n st-pool-a describe helmrelease rook-ceph` in the management cluster" in sentence
    assert sentence.endswith("then run the update again.")


@pytest.mark.parametrize("operation", ["create", "update", "delete"])
def test_an_interrupt_is_no_trouble_of_flux_or_the_management_cluster(said: list[str], operation: str) -> None:
    fails(explain("explains", SETTINGS), operation, f"{NOT_LIVE}context canceled")
    assert said == [], "there is nothing to mend"


def test_a_management_cluster_that_is_silent_is_said_once(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    def of(*_: object, **__: object) -> None:
        raise Problem("The management cluster of m.yaml gives no answer.")

    monkeypatch.setattr(flux_trouble.Connection, "of", of)
    hook = explain("explains", SETTINGS)
    for _ in range(3):
        fails(hook, "create", "configured Kubernetes cluster is unreachable")
    assert said == ["The management cluster of m.yaml gives no answer."], "not for every release again"
