"""The way from each cluster to the secrets in OpenBao, with no secret on it."""

import base64
from typing import Any

import pulumi
import pytest

from access.problem import Problem
from components.secret_store import unknown_to_openbao
from model.catalog import ClusterKind
from tests.plans import heard, plan
from tests.recorder import Recording, Registered
from tests.regions import small

MANAGEMENT = {"kubeconfig": "there-is-none-either.yaml", "issuer": "https://issuer.example.com"}
STORE = "kubernetes:external-secrets.io/v1:ClusterSecretStore"
SERVER = "https://openbao.example.com:8200"
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KINDS = {"eu-de-1-control-plane": "control-plane", "hv-pool-a": "hypervisor", "st-pool-a": "storage"}


def region(**store: Any) -> Recording:  # noqa: ANN401
    return plan(small(management={**MANAGEMENT, "secretStore": {"server": SERVER, **store}}))


def vault(one: Registered) -> dict[str, Any]:
    found: dict[str, Any] = one.inputs["spec"]["provider"]["vault"]
    return found


@pytest.mark.parametrize("cluster", KINDS)
def test_each_cluster_has_the_store_and_logs_in_as_itself(cluster: str) -> None:
    made = region()
    one = made.named(f"{cluster}-secret-store")
    assert one.inputs["metadata"]["name"] == "openbao-cluster-store"
    assert one.inputs["metadata"]["annotations"]["pulumi.com/waitFor"] == "condition=Ready"
    assert f"::{cluster}-cluster::" in one.provider
    assert f"{cluster}-external-secrets" in {urn.rpartition("::")[2] for urn in one.depends_on}
    assert vault(one) == {
        "server": SERVER,
        "path": "kv-v2",
        "version": "v2",
        "auth": {
            "kubernetes": {
                "mountPath": f"kubernetes/{cluster}",
                "role": f"eso-{KINDS[cluster]}",
                "serviceAccountRef": {"name": "external-secrets", "namespace": "external-secrets"},
            }
        },
    }


def test_an_authority_is_in_the_store_and_a_client_certificate_is_only_named() -> None:
    given = vault(region(certificateAuthority=PEM, clientCertificate="openbao-client").named("hv-pool-a-secret-store"))
    assert base64.b64decode(given["caBundle"]).decode() == PEM
    assert given["tls"] == {
        "certSecretRef": {"name": "openbao-client", "namespace": "external-secrets", "key": "tls.crt"},
        "keySecretRef": {"name": "openbao-client", "namespace": "external-secrets", "key": "tls.key"},
    }


def test_the_management_cluster_reaches_openbao_where_it_runs() -> None:
    one = region().named("eu-de-1-management-secret-store")
    assert "::eu-de-1-management::" in one.provider
    waits = {urn.rpartition("::")[2] for urn in one.depends_on}
    assert {"eu-de-1-management-external-secrets", "eu-de-1-management-openbao"} <= waits
    given = vault(one)
    assert given["server"] == "https://openbao.openbao-system.svc:8200"
    assert given["auth"]["kubernetes"]["mountPath"] == "kubernetes/management"
    assert given["caProvider"]["name"] == "openbao-tls"


def test_without_an_address_there_are_no_stores_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = heard(monkeypatch, "info")
    made = plan(small(management=MANAGEMENT))
    assert [one.name for one in made.of_type(STORE)] == ["eu-de-1-management-secret-store"]
    assert len([text for text in said if "cobaltcore:management.secretStore is not set" in text]) == 1


STORES: list[tuple[str, str, ClusterKind]] = [
    ("hv-pool-a", "hv-pool-a-secret-store", "hypervisor"),
    ("management", "eu-de-1-management-secret-store", "management"),
]
UNKNOWN = "unable to validate store: permission denied."


@pytest.mark.parametrize(("cluster", "name", "kind"), STORES)
def test_a_store_that_is_not_ready_is_quoted_and_says_what_openbao_has_to_know(
    monkeypatch: pytest.MonkeyPatch, cluster: str, name: str, kind: ClusterKind
) -> None:
    asked = stands(monkeypatch, {"status": {"conditions": [{"type": "Ready", "status": "False", "message": UNKNOWN}]}})
    made = region()
    said = heard(monkeypatch, "error")
    fails(made, name, "timed out waiting for the condition")
    assert [one["metadata"]["name"] for one in asked] == ["openbao-cluster-store"]
    (sentence,) = said
    assert sentence == unknown_to_openbao(cluster, kind, f"It says: {UNKNOWN}")
    assert f"{UNKNOWN} OpenBao has to " in sentence
    assert f"at kubernetes/{cluster} with the role eso-{kind}" in sentence
    assert ("initialised and unsealed" in sentence) is (cluster == "management")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (None, "It says: nothing yet."),
        ({"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, "It says: nothing yet."),
        (Problem("The cluster gives no answer."), "Nobody could look what it says: The cluster gives no answer."),
    ],
)
def test_a_store_that_says_nothing_is_not_made_to_speak(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, Any] | Problem | None, says: str
) -> None:
    stands(monkeypatch, found)
    made = region()
    said = heard(monkeypatch, "error")
    for _, name, _ in STORES:
        fails(made, name, "timed out waiting for the condition")
    assert [says in sentence for sentence in said] == [True, True]


def test_what_else_keeps_a_store_from_being_made_is_said_as_for_all_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stands(monkeypatch, None)
    made = region()
    said = heard(monkeypatch, "error")
    fails(made, "hv-pool-a-secret-store", "dial tcp: connection refused")
    fails(made, "eu-de-1-management-secret-store", 'Apply failed with 1 conflict: conflict with "kubectl": .spec.a')
    assert "its API gives no answer" in said[0]
    assert "somebody else (kubectl) has set .spec.a" in said[1]
    fails(made, "hv-pool-a-secret-store", "timed out waiting for the condition", "delete")
    assert len(said) == 2, "a store that does not go lacks nothing of OpenBao"
    assert not asked


def stands(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any] | Problem | None) -> list[dict[str, Any]]:
    """What every look at a store finds; and what was looked for."""
    asked: list[dict[str, Any]] = []

    def answer(_: object, wanted: dict[str, Any]) -> dict[str, Any] | None:
        asked.append(wanted)
        if isinstance(found, Problem):
            raise found
        return found

    def connect(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr("components.secret_store.find", answer)
    monkeypatch.setattr("components.management_trouble.find_in", answer)
    monkeypatch.setattr("components.management_trouble.Connection.of", connect)
    return asked


def fails(made: Recording, name: str, error: str, operation: str = "create") -> None:
    one = made.named(name)
    (hook,) = one.on_error
    args = pulumi.ErrorHookArgs(
        urn="", id="", name=name, type="", new_inputs=one.inputs, failed_operation=operation, errors=[error]
    )
    assert made.hooks[hook].callback(args) is False, "the next update tries again, not this one"
