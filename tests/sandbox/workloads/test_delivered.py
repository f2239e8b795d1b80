"""Every system of the catalogue in its cluster, by the real program and the real Flux."""

import base64
import json
from datetime import datetime
from typing import cast

import pytest

from model.catalog import CLUSTER_KINDS
from tests import live_tenants
from tests.live_region import CLUSTERS, KUBECONFIG, ORGANIZATION, STACK, THIRD, asked, asked_for, program
from tests.live_releases import HELM, check_all_are_ready, condition, of_flux, since
from tests.live_validation import clients, complaints, objects
from tests.model.catalog.test_catalog_matrix import DIFFERENT, MATRIX
from tests.regions import loaded, stack
from tests.sandboxes import Running, command, until

pytestmark = pytest.mark.servers

AUTH, RBAC = "authentication.k8s.io", "authorization.k8s.io"
CERTIFICATES = "cert-manager.io/v1"


def test_every_row_of_the_catalogue_is_ready_in_its_cluster_and_namespace(region: Running) -> None:
    check_all_are_ready(region, asked_for())


def test_every_row_of_the_matrix_was_delivered(region: Running) -> None:
    """With all that is optional: no two systems of the catalogue exclude each other."""
    delivered: dict[str, set[str]] = {kind: set() for kind in CLUSTER_KINDS}
    for namespace, name in of_flux(region):
        delivered[CLUSTERS[namespace][0]].add(name)
    there = {row.name: DIFFERENT.get((row.name, "clusters"), (row.clusters, ""))[0] for row in MATRIX}
    for kind, names in delivered.items():
        rows = {name for name, clusters in there.items() if kind in cast("tuple[str, ...]", clusters)}
        assert names == rows - {"flux-operator", "flux-instance"}, f"{kind}: but for what brings Flux"


def test_the_servers_read_every_object_strictly_and_drop_and_warn_of_nothing(region: Running) -> None:
    code, said = program(region, "stack", "export")
    assert code == 0, said
    servers = clients(region, STACK)
    sent = list(objects(json.loads(said[: said.rindex("}") + 1])["deployment"]["resources"]))
    assert {provider for provider, _ in sent} == servers.keys(), "something of every server"
    wrong = {f"{one['kind']} {one['metadata']['name']}": complaints(servers[provider], one) for provider, one in sent}
    assert {name: words for name, words in wrong.items() if words} == {}


def test_what_a_server_drops_or_warns_of_would_be_seen(region: Running) -> None:
    management = region.client("management")
    (one, *_) = management.list(HELM, "HelmRelease", "flux-system")
    metadata = {"name": one["metadata"]["name"], "namespace": "flux-system"}
    misspelt = {"apiVersion": HELM, "kind": "HelmRelease", "metadata": metadata, "spec": {"intervall": "1m"}}
    assert "intervall: field not declared" in complaints(management, misspelt)[0]
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"nodeSelector": {"beta.kubernetes.io/os": "linux"}, "containers": [{"name": "a", "image": "a"}]},
    }
    old = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "old", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    }
    assert "beta.kubernetes.io/os" in " ".join(complaints(management, old))
    assert management.get("apps/v1", "Deployment", "old", "default") is None, "nothing is made of it"


def test_each_is_ready_after_what_it_needs(region: Running) -> None:
    there = of_flux(region)
    for (namespace, name), one in there.items():
        for need in one["spec"].get("dependsOn", []):
            first = there[need["namespace"], need["name"]]
            assert since(first) <= since(one), f"{namespace}/{name} did not wait for {need}"
    k_orc, c5c3 = (there["us-east-1-control-plane", name] for name in ("k-orc", "c5c3-operator"))
    assert since(k_orc) <= since(c5c3), "a HelmRelease cannot name a Kustomization, so Pulumi waits"


def test_openbao_comes_after_its_certificates_and_tenants_have_their_issuer(region: Running) -> None:
    management = region.client("management")
    certificates = management.list(CERTIFICATES, "Certificate", "openbao-system")
    assert {one["spec"]["secretName"] for one in certificates} == {"openbao-ca", "openbao-tls", "openbao-client-tls"}
    made = datetime.fromisoformat(of_flux(region)["flux-system", "openbao"]["metadata"]["creationTimestamp"])
    for one in certificates:
        assert since(one) <= made, f"OpenBao did not wait for {one['metadata']['name']}"
    (issuer,) = region.client("us-east-1-cp").list(CERTIFICATES, "ClusterIssuer")
    assert (issuer["metadata"]["name"], condition(issuer)["status"]) == ("selfsigned-cluster-issuer", "True")


@pytest.mark.parametrize("shoot", [shoot for _, shoot in CLUSTERS.values()])
def test_every_cluster_has_its_way_to_the_secrets(region: Running, shoot: str) -> None:
    cluster = next(namespace for namespace, (_, one) in CLUSTERS.items() if one == shoot)
    name = "management" if shoot == "management" else cluster
    (store,) = region.client(shoot).list("external-secrets.io/v1", "ClusterSecretStore")
    assert condition(store)["status"] == "True"
    assert store["spec"]["provider"]["vault"]["auth"]["kubernetes"]["mountPath"] == f"kubernetes/{name}"


def test_ceph_is_ready_on_the_disks_of_the_storage_pool(region: Running) -> None:
    storage = region.client("st-pool-us")
    (ceph,) = storage.list("ceph.rook.io/v1", "CephCluster")
    assert ceph["spec"]["mon"]["count"] == 2, "the third is the arbiter's"
    assert (ceph["status"]["phase"], ceph["status"]["ceph"]["health"]) == ("Ready", "HEALTH_OK")
    (disks,) = ceph["spec"]["storage"]["storageClassDeviceSets"]
    wanted = disks["volumeClaimTemplates"][0]["spec"]["storageClassName"]
    assert storage.get("storage.k8s.io/v1", "StorageClass", wanted)


def test_the_arbiter_is_ready_with_a_kubeconfig_from_openbao(region: Running) -> None:
    storage = region.client("st-pool-us")
    (monitor,) = storage.list("ceph.cobaltcore.sap.com/v1alpha1", "RemoteArbiter")
    assert monitor["status"]["state"] == "Ready"
    secret = storage.get("v1", "Secret", f"kubeconfig-{THIRD}", "external-arbiter-system")
    assert secret is not None
    assert base64.b64decode(secret["data"]["kubeconfig.yaml"]).decode() == KUBECONFIG


@pytest.mark.parametrize("cluster", [cluster for cluster in CLUSTERS if cluster != "flux-system"])
def test_greenhouse_knows_every_cluster_and_gets_in(region: Running, cluster: str) -> None:
    management, shoot = region.client("management"), region.client(CLUSTERS[cluster][1])
    until(
        lambda: management.get("greenhouse.sap/v1alpha1", "Cluster", cluster, ORGANIZATION),
        lambda: f"Greenhouse has no cluster {cluster}",
    )
    review = {"spec": {"token": greenhouse_s(region, cluster)}, "kind": "TokenReview", "apiVersion": f"{AUTH}/v1"}
    user = shoot.request("POST", f"/apis/{AUTH}/v1/tokenreviews", review)["status"]["user"]["username"]
    may = {"user": user, "resourceAttributes": {"verb": "create", "resource": "namespaces"}}
    access = {"apiVersion": f"{RBAC}/v1", "kind": "SubjectAccessReview", "spec": may}
    assert shoot.request("POST", f"/apis/{RBAC}/v1/subjectaccessreviews", access)["status"]["allowed"]


def greenhouse_s(region: Running, cluster: str) -> str:
    """The token that Greenhouse has written for itself."""

    def written() -> str | None:
        secret = region.client("management").get("v1", "Secret", cluster, ORGANIZATION)
        text = (secret or {}).get("data", {}).get("greenhousekubeconfig")
        return json.loads(base64.b64decode(text))["users"][0]["user"]["token"] if text else None

    return until(written, lambda: f"Greenhouse has no token for {cluster}")


def test_a_second_region_is_refused_until_it_shares_what_the_first_one_brings(region: Running) -> None:
    words = ["pulumi", "--name", region.home.name, "--stack", "eu-de-1", "preview", "--color", "never"]
    refused = command(*words)
    assert refused.returncode != 0
    assert "has its systems from the region us-east-1: set cobaltcore:management.shared" in refused.stdout
    planned = command(*words, *asked(region, "eu-de-1", shared=True))
    assert planned.returncode == 0, planned.stdout + planned.stderr


def test_its_tenant_has_the_whole_pool_and_all_else_that_the_program_says(region: Running) -> None:
    live = live_tenants.LiveTenants(region, loaded(stack(STACK)))
    live_tenants.check_all_are_there(live)
    live_tenants.check_nodes(live)
    (pool,) = live.spec.hypervisor_pools
    (share,) = live.client(pool.name).list(live_tenants.OWN, "HypervisorShare")
    assert share["status"]["nodeCount"] == pool.workers


def test_a_second_preview_shows_no_change_and_no_credential_is_in_the_state(region: Running) -> None:
    code, said = program(region, "refresh", "--yes", "--skip-preview", *asked(region, STACK))
    assert code == 0, said
    code, said = program(region, "preview", "--expect-no-changes", *asked(region, STACK))
    assert code == 0, said
    code, state = program(region, "stack", "export")
    assert code == 0
    for secret in (
        KUBECONFIG,
        greenhouse_s(region, "hv-pool-us"),
        "client-key-data",
        "BEGIN RSA PRIVATE KEY",
        "BEGIN PRIVATE KEY",
        "BEGIN EC PRIVATE KEY",
    ):
        assert secret not in state
    kept = [one for one in json.loads(state[: state.rindex("}") + 1])["deployment"]["resources"] if one.get("protect")]
    assert "us-east-1-management-openbao" in {one["urn"].rpartition("::")[2] for one in kept}
