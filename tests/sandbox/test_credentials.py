"""Credentials for a Shoot's cluster: from the real gardener-apiserver, and from the management cluster."""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox import pki
from sandbox.client import Client, Manifest, Refused
from tests.sandboxes import LIFE as NAME, NAMESPACE, Running, refusal, shoot_path, until

pytestmark = pytest.mark.servers

ADMIN = ["gardener.cloud:system:admins"]


def test_adminkubeconfig_gives_all_rights_for_a_short_time(shared: Running, life: Manifest, tmp_path: Path) -> None:
    status = _request(shared, life, "admin", 600)["status"]
    config = yaml.safe_load(base64.b64decode(status["kubeconfig"]))
    admin = _client(config, tmp_path)
    try:
        admin.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "made-by-admin"}})
        assert admin.list("v1", "Node"), "the credential sees no nodes"
    finally:
        admin.close()
    ends = pki.not_after((tmp_path / "user.crt").read_bytes())
    assert ends <= datetime.now(UTC) + timedelta(seconds=630), f"asked for 600 s, the certificate lasts until {ends}"


def test_gardener_gives_nothing_for_less_than_ten_minutes(shared: Running, life: Manifest) -> None:
    refused = refusal(lambda: _request(shared, life, "admin", 60))
    assert "less than 10 minutes" in refused.message, f"another refusal: {refused.message}"


def test_viewerkubeconfig_may_look_and_not_touch(shared: Running, life: Manifest, tmp_path: Path) -> None:
    config = yaml.safe_load(base64.b64decode(_request(shared, life, "viewer", 600)["status"]["kubeconfig"]))
    viewer = _client(config, tmp_path)
    try:
        until(lambda: _seen(viewer), lambda: "a viewer sees no ConfigMaps")
        touch = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "made-by-viewer"}}
        assert refusal(lambda: viewer.create(touch)).status == 403, "a viewer may create"
    finally:
        viewer.close()


def test_a_credential_really_expires(shared: Running, life: Manifest, tmp_path: Path) -> None:
    """Gardener's shortest is ten minutes; the same authority signs one here that lasts half a minute."""
    assert life
    keys = shared.home.path / "clusters" / NAME
    pair = pki.Pair(certificate=(keys / "ca-client.crt").read_bytes(), key=(keys / "ca-client.key").read_bytes())
    short = pki.Authority.load(pair).client("somebody", ADMIN, timedelta(seconds=30)).write(tmp_path, "short")
    of_all = shared.client(NAME)
    client = Client(url=of_all.url, authority=of_all.authority, certificate=short.certificate, key=short.key)
    try:
        client.list("v1", "Node")

        def refused() -> Refused | None:
            try:
                client.list("v1", "Node")
            except Refused as answer:
                return answer
            return None

        status = until(refused, lambda: "the credential works on after its end", 90).status
        assert status == 401, f"an expired credential is answered with {status}"
    finally:
        client.close()


def test_a_shoot_trusts_the_management_clusters_tokens(shared: Running, life: Manifest) -> None:
    """As its ConfigMap says, and as soon as the ConfigMap is changed."""
    management, shoot = shared.client("management"), shared.client(NAME)
    who = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "issuers", "namespace": NAMESPACE}}
    shared.garden.create({**config_map, "data": {"config.yaml": _issuers(management, "another")}})
    change = {"kubernetes": {"kubeAPIServer": {"structuredAuthentication": {"configMapName": "issuers"}}}}
    shared.garden.patch(life, {"spec": change})
    shared.succeeded(NAME)
    somebody = Client(url=shoot.url, authority=shoot.authority, token=_token(management, "flux"))

    def user() -> str | None:
        try:
            answer = somebody.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", who)
        except Refused:
            return None
        return answer["status"]["userInfo"]["username"]

    try:
        assert user() is None, "a token for another audience is taken"
        shared.garden.patch(config_map, {"data": {"config.yaml": _issuers(management, "flux")}})
        seen = until(user, lambda: "the changed ConfigMap has no effect", 240)
    finally:
        somebody.close()
    assert seen == "management:system:serviceaccount:default:flux", f"the token's user is {seen}"


def _request(shared: Running, shoot: Manifest, kind: str, seconds: int) -> Manifest:
    body = {
        "apiVersion": "authentication.gardener.cloud/v1alpha1",
        "kind": f"{kind.capitalize()}KubeconfigRequest",
        "spec": {"expirationSeconds": seconds},
    }
    return shared.garden.request("POST", f"{shoot_path(shoot['metadata']['name'])}/{kind}kubeconfig", body)


def _client(config: dict[str, Any], folder: Path) -> Client:
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    for name, data in (
        ("ca.crt", cluster["certificate-authority-data"]),
        ("user.crt", user["client-certificate-data"]),
        ("user.key", user["client-key-data"]),
    ):
        (folder / name).write_bytes(base64.b64decode(data))
    return Client(
        url=cluster["server"], authority=folder / "ca.crt", certificate=folder / "user.crt", key=folder / "user.key"
    )


def _token(management: Client, name: str) -> str:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": "default"}}
    management.apply(account)
    wanted = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": [name]}}
    answer = management.request("POST", f"/api/v1/namespaces/default/serviceaccounts/{name}/token", wanted)
    return answer["status"]["token"]


def _issuers(management: Client, audience: str) -> str:
    issuer = {
        "url": management.url,
        "certificateAuthority": management.authority.read_text(),
        "audiences": [audience],
    }
    names = {"username": {"claim": "sub", "prefix": "management:"}}
    return yaml.safe_dump(
        {
            "apiVersion": "apiserver.config.k8s.io/v1",
            "kind": "AuthenticationConfiguration",
            "jwt": [{"issuer": issuer, "claimMappings": names}],
        }
    )


def _seen(viewer: Client) -> bool | None:
    """The role `view` is put together by a controller, a moment after the cluster is made."""
    try:
        viewer.list("v1", "ConfigMap", "default")
    except Refused:
        return None
    return True
