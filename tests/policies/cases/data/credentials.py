"""Keys and passwords are neither in objects nor in outputs."""

from typing import Any, cast

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import config_map, release
from tests.policies.judging import UNKNOWN, Plan, secret

# no-key-material

CEPH_KEY = "AQ" + "b" * 36 + "=="  # as a key of Ceph looks, and is none
PRIVATE = "-----BEGIN RSA " + "PRIVATE KEY-----\nMII\n"


@broken("no-key-material", "openstack-finance-prod/Secret/more", "stringData.userKey", "into OpenBao")
def a_secret_with_a_key(plan: Plan) -> None:
    """The example of the documents."""
    config_map(plan, {"userKey": "hidden"}, "Secret", "stringData")


@broken("no-key-material", "openstack-finance-prod/Secret/more", "data.userKey", "ExternalSecret")
def a_secret_that_is_marked_as_one(plan: Plan) -> None:
    config_map(plan, secret({"userKey": "aGlkZGVu"}), "Secret")


@broken("no-key-material", "openstack-finance-prod/ConfigMap/more", "data.keyring holds a key of Ceph", "into OpenBao")
def a_keyring_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"keyring": f"[client.a]\n\tkey = {CEPH_KEY}\n"})


@broken("no-key-material", "openstack-finance-prod/ConfigMap/more", "holds a private key", "into OpenBao")
def a_private_key_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"tls.pem": PRIVATE})


def kubeconfig(plan: Plan, text: str) -> None:
    next(one for one in plan.resources if one.name == "hv-pool-a-cluster").put(text, "kubeconfig")


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_with_a_token(plan: Plan) -> None:
    kubeconfig(plan, "users:\n- name: admin\n  user:\n    token: 31ada4fd-adec-460c\n")


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_of_json_with_a_token(plan: Plan) -> None:
    kubeconfig(plan, '{"users":[{"user":{"token":"31ada4fd-adec-460c"}}]}')


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_with_a_token_in_quotes(plan: Plan) -> None:
    kubeconfig(plan, 'users:\n- name: admin\n  user: {token: "31ada4fd-adec-460c"}\n')


@broken("no-key-material", "ConfigMap/more", "data.note holds a token of OpenBao", "into OpenBao")
def a_token_of_openbao(plan: Plan) -> None:
    config_map(plan, {"note": "log in with hvs." + "c" * 24})


@broken("no-key-material", "ConfigMap/more", "data.note holds a token of OpenBao", "into OpenBao")
def a_token_of_openbao_as_it_makes_them(plan: Plan) -> None:
    config_map(plan, {"note": "s." + "c" * 24})


@broken("no-key-material", "ConfigMap/more", "data.dsn holds an address with a password", "into OpenBao")
def an_address_with_a_password(plan: Plan) -> None:
    config_map(plan, {"dsn": "mysql+pymysql://root:hunter2@db/x"})


@broken("no-key-material", "Secret/more", "metadata.annotations.last holds a key of Ceph", "into OpenBao")
def a_key_in_an_annotation_of_a_secret(plan: Plan) -> None:
    config_map(plan, {}, "Secret")
    plan.resources[-1].put({"last": f'{{"data":{{"userKey":"{CEPH_KEY}"}}}}'}, "metadata", "annotations")


@broken("no-key-material", "Secret/more", "is not known yet", "into OpenBao")
def a_secret_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, cast("Any", UNKNOWN), "Secret", "stringData")


@fine("no-key-material")
def a_certificate_and_the_name_of_a_secret(plan: Plan) -> None:
    config_map(plan, {"ca.crt": "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n", "secretName": "a"})


@fine("no-key-material")
def what_is_like_a_key_and_is_none(plan: Plan) -> None:
    texts = ["postgres://db:5432/x", "https://a.example/b@c", "password: ${DB_PASSWORD}", "amqp://user:$(PW)@queue/"]
    more = ["token: {{ .token }}", "registry.example.com:5000/a@sha256:1", "tokenFile: /var/run/token", "us.example"]
    config_map(plan, {f"text-{at}": text for at, text in enumerate([*texts, *more])})


@fine("no-key-material")
def a_secret_with_nothing_in_it(plan: Plan) -> None:
    config_map(plan, {}, "Secret")


# no-keys-in-outputs


def outputs(plan: Plan, **told: Any) -> None:  # noqa: ANN401
    plan.find_type("cobaltcore:index:Region").outputs = told


@broken("no-keys-in-outputs", "the output ceph.keyring holds a key of Ceph", "name of its Secret")
def a_key_among_the_outputs(plan: Plan) -> None:
    outputs(plan, ceph={"keyring": f"key = {CEPH_KEY}"})


@broken("no-keys-in-outputs", "the output adminPassword holds what is called a secret", "name of its Secret")
def a_password_among_the_outputs(plan: Plan) -> None:
    outputs(plan, adminPassword="hidden")


@broken("no-keys-in-outputs", "the output clusters[0] holds a private key", "name of its Secret")
def a_secret_key_among_the_outputs(plan: Plan) -> None:
    outputs(plan, clusters=[secret(PRIVATE)])


@broken("no-keys-in-outputs", "the output adminPassword.value holds what is called a secret", "name of its Secret")
def a_password_one_level_deeper_among_the_outputs(plan: Plan) -> None:
    outputs(plan, adminPassword={"value": "hidden"})


@broken("no-keys-in-outputs", "the output passwords[0] holds what is called a secret", "name of its Secret")
def several_passwords_among_the_outputs(plan: Plan) -> None:
    outputs(plan, passwords=["hidden"])


@fine("no-keys-in-outputs")
def the_names_of_secrets_among_the_outputs(plan: Plan) -> None:
    outputs(plan, secret_names=["ceph-client-a"], secretRef="a", token=UNKNOWN)


# no-plain-passwords


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.auth.adminPassword", "refer to a Secret")
def a_password_among_the_values(plan: Plan) -> None:
    release(plan, values={"auth": {"adminPassword": "hunter2"}})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.auth.adminPassword.value", "refer to a Secret")
def a_password_one_level_deeper(plan: Plan) -> None:
    release(plan, values={"auth": {"adminPassword": {"value": "hunter2"}}})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.passwords[1]", "refer to a Secret")
def several_passwords(plan: Plan) -> None:
    release(plan, values={"passwords": ["${A}", "hunter2"]})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.password is a secret", "refer to a Secret")
def a_password_of_digits(plan: Plan) -> None:
    release(plan, values={"password": 12345})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.password is a secret", "refer to a Secret")
def a_password_that_begins_as_a_path_does(plan: Plan) -> None:
    release(plan, values={"password": "/Hunter2"})


@broken("no-plain-passwords", "Kustomization/more", "spec.postBuild.substitute.DB_PASSWORD", "refer to a Secret")
def a_password_in_what_flux_fills_in(plan: Plan) -> None:
    api = "kustomize.toolkit.fluxcd.io/v1"
    metadata, spec = (
        {"name": "more", "namespace": "hv-pool-a"},
        {"postBuild": {"substitute": {"DB_PASSWORD": "hunter2"}}},
    )
    props = {"apiVersion": api, "kind": "Kustomization", "metadata": metadata, "spec": spec}
    plan.add(f"kubernetes:{api}:Kustomization", "more", props, provider="eu-de-1-garden")


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.env[0].value (DB_PASSWORD)", "refer to a Secret")
def a_password_in_a_variable(plan: Plan) -> None:
    release(plan, values={"env": [{"name": "DB_PASSWORD", "value": "hunter2"}]})


@broken("no-plain-passwords", "ConfigMap/more", "data.client_secret is a secret", "refer to a Secret")
def a_secret_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"client_secret": "hunter2"})


@fine("no-plain-passwords")
def references_in_place_of_passwords(plan: Plan) -> None:
    reference = {"secretKeyRef": {"name": "a", "key": "password"}}
    values = {"passwordSecret": {"name": "a"}, "secretName": "a", "tokenPath": "/var/run/token", "password": "${DB}"}
    release(plan, values={**values, "env": [{"name": "DB_PASSWORD", "valueFrom": reference}], "token": ""})


@fine("no-plain-passwords")
def the_name_of_a_key_in_a_secret(plan: Plan) -> None:
    api = "external-secrets.io/v1"
    plan.add(
        f"kubernetes:{api}:ExternalSecret",
        "brought",
        {
            "apiVersion": api,
            "kind": "ExternalSecret",
            "metadata": {"name": "brought", "namespace": "openstack-finance-prod"},
            "spec": {"data": [{"secretKey": "userKey", "remoteRef": {"key": "ceph/a", "property": "userKey"}}]},
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )
