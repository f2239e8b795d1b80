"""The region's clusters in Greenhouse, by tokens that nobody stores."""

import base64
import json
from typing import Any

import pytest

from components.authentication import configuration
from components.greenhouse import secret
from model import Problems
from tests.plans import plan
from tests.recorder import Recording
from tests.regions import loaded, small

MANAGEMENT = {
    "kubeconfig": "m.yaml",
    "issuer": "https://issuer.example.com",
    "secretStore": {"server": "https://openbao.example.com:8200"},
}
WITH = {**MANAGEMENT, "greenhouse": {"organization": "c5c3"}}
HELM = "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease"
CLUSTERS = ("eu-de-1-control-plane", "hv-pool-a", "st-pool-a")


def region(management: dict[str, Any]) -> Recording:
    return plan(small(management=management, chartMirror="oci://mirror.example.com"))


def last(urns: tuple[str, ...]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


def test_every_cluster_is_registered_when_greenhouse_is_there() -> None:
    made = region(WITH)
    organization = made.named("eu-de-1-management-organization")
    assert organization.inputs["metadata"]["name"] == "c5c3"
    assert "eu-de-1-management-greenhouse" in last(organization.depends_on), "asking for it brings the system"
    for cluster in CLUSTERS:
        one = made.named(f"{cluster}-greenhouse")
        assert one.inputs["metadata"]["namespace"] == cluster
        waits = last(one.depends_on)
        assert {"eu-de-1-management-organization", f"{cluster}-greenhouse-rights", f"{cluster}-namespace"} <= waits
        assert not waits & {release.name for release in made.of_type(HELM)} - {"eu-de-1-management-greenhouse"}, (
            "no release of the cluster, of which it needs nothing"
        )
        assert "::eu-de-1-management::" in one.provider


def test_greenhouse_has_rights_as_the_one_account_of_the_cluster() -> None:
    rights = region(WITH).named("hv-pool-a-greenhouse-rights")
    assert "::hv-pool-a-cluster::" in rights.provider
    assert rights.inputs["subjects"] == [
        {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "User",
            "name": "management:system:serviceaccount:c5c3:hv-pool-a",
        }
    ]


def test_what_registers_a_cluster_has_its_address_and_no_credential() -> None:
    made = secret("hv-pool-a", "c5c3", server="https://api.example.com", authority="PEM")
    assert made["type"] == "greenhouse.sap/oidc"
    assert made["metadata"] == {
        "name": "hv-pool-a",
        "namespace": "c5c3",
        "annotations": {"oidc.greenhouse.sap/api-server-url": "https://api.example.com"},
    }
    assert base64.b64decode(base64.b64decode(made["data"].pop("ca.crt"))) == b"PEM", "as it is in a kubeconfig"
    assert made["data"] == {}


def test_it_is_not_pulumi_that_owns_the_secret_greenhouse_writes_into() -> None:
    assert not region(WITH).of_type("kubernetes:core/v1:Secret")


def test_a_cluster_takes_greenhouse_s_tokens_only_where_greenhouse_is_asked_for() -> None:
    def issuer(management: dict[str, Any]) -> dict[str, Any]:
        settings = loaded(small(management=management)).management
        assert settings is not None
        found: dict[str, Any] = json.loads(configuration(settings, "hv-pool-a"))["jwt"][0]["issuer"]
        return found

    assert issuer(MANAGEMENT)["audiences"] == ["c5c3-hv-pool-a"]
    assert "audienceMatchPolicy" not in issuer(MANAGEMENT)
    assert issuer(WITH)["audiences"] == ["c5c3-hv-pool-a", "greenhouse"]
    assert issuer(WITH)["audienceMatchPolicy"] == "MatchAny"


def test_without_greenhouse_nothing_of_it_is_there() -> None:
    assert not [one.name for one in region(MANAGEMENT) if "greenhouse" in one.name or "organization" in one.name]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"issuer": None}, "cobaltcore:management.greenhouse is set, and issuer is not: add the issuer"),
        ({}, "cobaltcore:releases.greenhouse.enabled is false, and cobaltcore:management asks for it with greenhouse"),
    ],
)
def test_what_greenhouse_needs_is_a_sentence(change: dict[str, Any], says: str) -> None:
    management = {key: value for key, value in {**WITH, **change}.items() if value}
    with pytest.raises(Problems) as refused:
        loaded(small(management=management, releases={} if change else {"greenhouse": {"enabled": False}}))
    assert says in str(refused.value)
