"""What makes the Secrets that OpenBao's pods mount, and the issuer of tenants that name none."""

from pathlib import Path
from typing import Any

import pulumi
import pytest

from access.problem import Problem
from model.catalog import load_catalog
from tests.plans import heard, plan
from tests.recorder import Recording
from tests.regions import small, small_tenant

MANAGEMENT = {"kubeconfig": "there-is-none-either.yaml", "issuer": "https://issuer.example.com"}
CERTIFICATE = "kubernetes:cert-manager.io/v1:Certificate"
ISSUERS = ("kubernetes:cert-manager.io/v1:ClusterIssuer", "kubernetes:cert-manager.io/v1:Issuer")
HUB = "eu-de-1-management"


def region(server: str = "https://openbao.example.com:8200", **changes: Any) -> Recording:  # noqa: ANN401
    return plan(small(management={**MANAGEMENT, "secretStore": {"server": server}}, **changes))


def last(urns: tuple[str, ...]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


@pytest.fixture(name="made", scope="module")
def planned_region() -> Recording:
    return region()


def mounted() -> set[str]:
    values: Any = load_catalog().by_name["openbao"].values
    return {one["secret"]["secretName"] for one in values["server"]["volumes"]}


def test_every_secret_that_openbao_mounts_is_of_a_certificate_that_is_there_first(made: Recording) -> None:
    waits = last(made.named(f"{HUB}-openbao").depends_on)
    made_of = {one.inputs["spec"]["secretName"]: one for one in made.of_type(CERTIFICATE)}
    assert mounted() == {"openbao-tls", "openbao-client-tls"}
    for secret in mounted():
        assert made_of[secret].name in waits, f"OpenBao would start without {secret}"
        assert (
            made_of[secret].inputs["metadata"]["namespace"]
            == made.named(f"{HUB}-openbao").inputs["spec"]["targetNamespace"]
        )


def test_a_leaf_waits_for_its_authority_and_that_for_cert_manager(made: Recording) -> None:
    chain = [
        (f"{HUB}-openbao-tls", f"{HUB}-openbao-ca-issuer"),
        (f"{HUB}-openbao-client-tls", f"{HUB}-openbao-ca-issuer"),
        (f"{HUB}-openbao-ca-issuer", f"{HUB}-openbao-ca"),
        (f"{HUB}-openbao-ca", f"{HUB}-issuer"),
        (f"{HUB}-openbao-ca", f"{HUB}-openbao-system"),
        (f"{HUB}-issuer", f"{HUB}-cert-manager"),
    ]
    for name, first in chain:
        one = made.named(name)
        assert first in last(one.depends_on), f"{name} does not wait for {first}"
        assert f"::{HUB}::" in one.provider
        assert one.inputs["metadata"]["annotations"]["pulumi.com/waitFor"] == "condition=Ready"
        assert one.on_error, "what cert-manager says of a failure reaches a person"


def test_each_is_signed_by_what_is_there_and_lasts_as_long_as_the_documents_say(made: Recording) -> None:
    issuers = {
        (one.inputs["kind"], one.inputs["metadata"]["name"]): one for token in ISSUERS for one in made.of_type(token)
    }
    specs = {one.inputs["metadata"]["name"]: one.inputs["spec"] for one in made.of_type(CERTIFICATE)}
    assert {name: spec["duration"] for name, spec in specs.items()} == {
        "openbao-ca": "26280h",
        "openbao-tls": "8760h",
        "openbao-client-tls": "8760h",
    }
    for name, spec in specs.items():
        ref = spec["issuerRef"]
        assert (ref["kind"], ref["name"]) in issuers, f"nobody makes the issuer of {name}"
    assert issuers["Issuer", "openbao-ca"].inputs["spec"] == {"ca": {"secretName": specs["openbao-ca"]["secretName"]}}
    assert issuers["ClusterIssuer", "selfsigned-cluster-issuer"].inputs["spec"] == {"selfSigned": {}}
    assert specs["openbao-ca"]["isCA"] is True
    assert specs["openbao-ca"]["privateKey"]["rotationPolicy"] == "Never", "who trusts it goes on trusting it"
    assert (specs["openbao-tls"]["usages"], specs["openbao-client-tls"]["usages"]) == (["server auth"], ["client auth"])


@pytest.mark.parametrize(
    ("server", "field", "host"),
    [
        ("https://openbao.example.com:8200", "dnsNames", "openbao.example.com"),
        ("https://10.1.2.3:8200", "ipAddresses", "10.1.2.3"),
    ],
)
def test_openbao_is_believed_wherever_it_is_called(server: str, field: str, host: str) -> None:
    spec = region(server).named(f"{HUB}-openbao-tls").inputs["spec"]
    assert host in spec[field], "the other clusters reach it there"
    assert {"openbao.openbao-system.svc", "*.openbao-internal", "localhost"} <= set(spec["dnsNames"])
    assert "127.0.0.1" in spec["ipAddresses"]


def test_the_joining_servers_names_are_in_the_certificate(made: Recording) -> None:
    config = made.named(f"{HUB}-openbao").inputs["spec"]["values"]["server"]["ha"]["raft"]["config"]
    names = made.named(f"{HUB}-openbao-tls").inputs["spec"]["dnsNames"]
    for number in range(3):
        assert f"https://openbao-{number}.openbao-internal:8200" in config
    assert "*.openbao-internal" in names


def test_the_namespace_stays_with_the_data(made: Recording) -> None:
    assert made.named(f"{HUB}-openbao-system").retain, "the volumes of OpenBao are in it"


def test_no_key_passes_the_program(made: Recording) -> None:
    assert not made.of_type("kubernetes:core/v1:Secret")
    assert "PRIVATE" not in repr(list(made))


def test_another_region_s_openbao_has_its_certificates_already() -> None:
    shared = plan(small(management={**MANAGEMENT, "shared": True}))
    assert not shared.of_type(CERTIFICATE)


def with_tenant(**plane: Any) -> Recording:  # noqa: ANN401
    config = small()["controlPlane"]
    mirror = "oci://mirror.example.com/charts"
    return region(controlPlane={**config, **plane}, openStackClusters=[small_tenant()], chartMirror=mirror)


def test_the_issuer_of_tenants_that_name_none_is_there_before_them() -> None:
    made = with_tenant()
    issuer = made.named("eu-de-1-control-plane-issuer")
    assert issuer.inputs["metadata"]["name"] == "selfsigned-cluster-issuer"
    assert "::eu-de-1-control-plane-cluster::" in issuer.provider
    assert issuer.deleted_with.endswith("::eu-de-1-control-plane-shoot")
    assert "eu-de-1-control-plane-cert-manager" in last(issuer.depends_on)
    plane = made.named("a-control-plane")
    assert issuer.name in last(plane.depends_on)
    named = plane.inputs["spec"]["global"]["tls"]["issuerRef"]
    assert (named["name"], named["kind"]) == (issuer.inputs["metadata"]["name"], issuer.inputs["kind"])


@pytest.mark.parametrize("issuer", [{"name": "ours"}, {"name": "selfsigned-cluster-issuer", "kind": "Issuer"}])
def test_an_issuer_that_a_person_names_is_that_person_s(issuer: dict[str, str]) -> None:
    made = with_tenant(issuerRef=issuer)
    assert "eu-de-1-control-plane-issuer" not in [one.name for one in made]
    assert made.named("a-control-plane").inputs["spec"]["global"]["tls"]["issuerRef"]["name"] == issuer["name"]


def test_a_certificate_that_is_not_ready_says_what_cert_manager_says(
    made: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = made.named(f"{HUB}-openbao-tls")
    condition = {"type": "Ready", "status": "False", "message": "the issuer openbao-ca is not ready."}
    monkeypatch.setattr(
        "components.management_trouble.look", looking({**one.inputs, "status": {"conditions": [condition]}})
    )
    said = heard(monkeypatch, "error")
    (hook,) = one.on_error
    assert made.hooks[hook].callback(told("timed out waiting for the condition", one.inputs)) is False
    (sentence,) = said
    assert sentence.startswith("Certificate openbao-tls in cluster management is not ready: it was waited for up to 15")
    assert "says: Ready is False, the issuer openbao-ca is not ready. It goes on trying" in sentence
    assert "kubectl -n openbao-system describe certificate openbao-tls" in sentence


def test_a_management_cluster_that_cannot_be_asked_is_said(made: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.management_trouble.look", looking(Problem("It gives no answer.")))
    said = heard(monkeypatch, "error")
    one = made.named(f"{HUB}-issuer")
    (hook,) = one.on_error
    assert made.hooks[hook].callback(told("timed out waiting for the condition", one.inputs)) is False
    assert made.hooks[hook].callback(told("spec.selfSigned is wrong", one.inputs)) is False
    assert said == ["It gives no answer."], "what the server itself refuses speaks for itself"


def looking(found: Any) -> Any:  # noqa: ANN401
    """In the place of a look at the management cluster."""

    def look(_: Any) -> Any:  # noqa: ANN401
        def answer(_: Any) -> Any:  # noqa: ANN401
            if isinstance(found, Problem):
                raise found
            return found

        return answer

    return look


def told(error: str, inputs: dict[str, Any]) -> pulumi.ErrorHookArgs:
    return pulumi.ErrorHookArgs(
        urn="", id="", name="it", type="", new_inputs=inputs, failed_operation="create", errors=[error]
    )


def test_the_page_says_what_a_person_does_once() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/secret-stores.md").read_text()
    for word in ("bao operator init", "bao operator unseal", *mounted(), "openbao-ca", "certificateAuthority"):
        assert word in page
