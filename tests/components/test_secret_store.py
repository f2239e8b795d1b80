"""The way from each cluster to the secrets in OpenBao, with no secret on it."""

import base64
from typing import Any

import pulumi
import pytest

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


def test_a_store_that_is_not_ready_says_what_openbao_has_to_know(monkeypatch: pytest.MonkeyPatch) -> None:
    made = region()
    said = heard(monkeypatch, "error")
    stores: list[tuple[str, str, ClusterKind]] = [
        ("hv-pool-a", "hv-pool-a-secret-store", "hypervisor"),
        ("management", "eu-de-1-management-secret-store", "management"),
    ]
    for cluster, name, kind in stores:
        (hook,) = made.named(name).on_error
        assert made.hooks[hook].callback(told("timed out waiting for the condition")) is False
        assert said.pop() == unknown_to_openbao(cluster, kind)
        assert f"at kubernetes/{cluster} with the role eso-{kind}" in unknown_to_openbao(cluster, kind)
    (hook,) = made.named("hv-pool-a-secret-store").on_error
    assert made.hooks[hook].callback(told("dial tcp: connection refused")) is False
    assert "its API gives no answer" in said[0]


def told(error: str) -> pulumi.ErrorHookArgs:
    name = "hv-pool-a-secret-store"
    return pulumi.ErrorHookArgs(urn="", id="", name=name, type="", failed_operation="create", errors=[error])
