"""Real Flux in the sandbox: what it installs in another cluster and in which order, and what it says when it cannot."""

from collections.abc import Generator
from http import HTTPStatus

import pytest
import yaml

from model.catalog import load_catalog
from model.mirror import Mirror
from sandbox import definitions
from sandbox.client import Client, Manifest
from sandbox.processes import LOOPBACK, Port
from tests.sandboxes import NAMESPACE as GARDEN, Running, bare_metal, faults, reachable, refusal, until

pytestmark = pytest.mark.servers

FLUX = "flux-system"
HELM = "helm.toolkit.fluxcd.io/v2"
SOURCE = "source.toolkit.fluxcd.io/v1"
TARGET = "flux"
CATALOG = load_catalog()
SECONDS = 60.0  # two or three are usual
USER = f"system:serviceaccount:{FLUX}:deployer"
BINDING: Manifest = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "deployer"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
    "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": f"management:{USER}"}],
}


def in_flux(api_version: str, kind: str, name: str, **fields: Manifest) -> Manifest:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": FLUX}, **fields}


@pytest.mark.parametrize(
    "kind",
    [
        "fluxinstances.fluxcd.controlplane.io",
        "helmreleases.helm.toolkit.fluxcd.io",
        "kustomizations.kustomize.toolkit.fluxcd.io",
        "ocirepositories.source.toolkit.fluxcd.io",
        "certificates.cert-manager.io",
        "clustersecretstores.external-secrets.io",
        "organizations.greenhouse.sap",
    ],
)
def test_a_management_cluster_has_the_kinds_of_what_runs_in_one_from_the_start(shared: Running, kind: str) -> None:
    found = shared.client("management").get(definitions.API, definitions.KIND, kind)
    assert found is not None, "a region that is the first in a management cluster would find nobody to talk to"


@pytest.fixture(scope="module")
def target(shared: Running) -> Generator[Client]:
    """A cluster that takes the management cluster's service accounts, and whose address Flux has in a ConfigMap."""
    keys = shared.home.path / "clusters"
    management = shared.client("management")
    issuer = {"url": management.url, "audiences": [TARGET]}
    issuer["certificateAuthority"] = (keys / "management" / "ca.crt").read_text()
    claims = {"username": {"claim": "sub", "prefix": "management:"}}
    trust = {"kind": "AuthenticationConfiguration", "jwt": [{"issuer": issuer, "claimMappings": claims}]}
    text = yaml.safe_dump({"apiVersion": "apiserver.config.k8s.io/v1", **trust})
    place = {"name": "flux-trust", "namespace": GARDEN}
    shared.garden.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": place, "data": {"config.yaml": text}})
    shoot = bare_metal(TARGET)
    shoot["spec"]["kubernetes"]["kubeAPIServer"] = {"structuredAuthentication": {"configMapName": "flux-trust"}}
    shared.garden.create(shoot)
    shared.succeeded(TARGET)
    client = shared.client(TARGET)
    client.apply(BINDING)
    management.apply(in_flux("v1", "ServiceAccount", "deployer"))
    data = {"provider": "generic", "address": client.url, "audiences": TARGET, "serviceAccountName": "deployer"}
    data["ca.crt"] = (keys / TARGET / "ca.crt").read_text()
    management.apply(in_flux("v1", "ConfigMap", TARGET, data=data))
    kubeconfig = (shared.home.kubeconfigs / f"{TARGET}.yaml").read_text()
    management.apply(in_flux("v1", "Secret", TARGET, stringData={"value": kubeconfig}))
    yield client
    for release in management.list(HELM, "HelmRelease"):
        management.delete(release)


@pytest.fixture
def flux(shared: Running, target: Client) -> Client:
    """The management cluster, which has a way into the target."""
    assert reachable(target)
    return shared.client("management")


def mirror(shared: Running) -> Mirror:
    return Mirror(url=shared.status.endpoints["chartMirror"], insecure=True)


def repository(flux: Client, url: str, name: str) -> str:
    spec = {"type": "oci", "url": url, "interval": "1h", "insecure": True}
    flux.apply(in_flux(SOURCE, "HelmRepository", name, spec=spec))
    return name


def release(shared: Running, name: str, **changes: object) -> Manifest:
    """A HelmRelease of a system of the catalogue, as the region's program makes it."""
    entry = CATALOG.by_name[name]
    assert entry.source is not None
    source = repository(shared.client("management"), mirror(shared).repository(entry.source.url), name)
    chart = {
        "chart": entry.chart_name,
        "version": entry.version,
        "sourceRef": {"kind": "HelmRepository", "name": source},
    }
    spec = {
        "interval": "30m",
        "releaseName": name,
        "targetNamespace": entry.namespace,
        "storageNamespace": entry.namespace,
        "install": {"crds": "CreateReplace", "createNamespace": True, "remediation": {"retries": 3}},
        "chart": {"spec": chart},
        "kubeConfig": {"configMapRef": {"name": TARGET}},
    }
    return in_flux(HELM, "HelmRelease", name, spec={**spec, **changes})


def ready(flux: Client, made: Manifest) -> Manifest:
    """Its condition Ready, once it says yes or no."""

    def said() -> Manifest | None:
        found = flux.get(made["apiVersion"], made["kind"], made["metadata"]["name"], FLUX)
        assert found is not None
        conditions: list[Manifest] = found.get("status", {}).get("conditions", [])
        return next((one for one in conditions if one["type"] == "Ready" and one["status"] != "Unknown"), None)

    return until(said, lambda: f"{made['metadata']['name']} is neither ready nor failed", SECONDS)


def succeeded(flux: Client, made: Manifest) -> None:
    last: list[str] = []

    def yes() -> bool | None:
        condition = ready(flux, made)
        last[:] = [condition["message"]]
        return condition["status"] == "True" or None

    until(yes, lambda: f"{made['metadata']['name']} is not Ready: {last}", SECONDS)


def failed(flux: Client, made: Manifest, sentence: str) -> None:
    """Not ready, with Flux's own message."""
    last: list[str] = []

    def so() -> bool | None:
        condition = ready(flux, made)
        last[:] = [f"{condition['status']}: {condition['message']}"]
        return (condition["status"] == "False" and sentence in condition["message"]) or None

    until(so, lambda: f"{made['metadata']['name']} does not say {sentence!r} but {last}", SECONDS)


def crds(client: Client) -> set[str]:
    return {one["metadata"]["name"] for one in client.list(definitions.API, definitions.KIND)}


def test_a_release_waits_for_its_dependency_and_brings_its_kinds_then_and_not_before(
    shared: Running, flux: Client, target: Client
) -> None:
    rook = release(shared, "rook-ceph", dependsOn=[{"name": "cert-manager"}])
    flux.apply(rook)
    failed(flux, rook, "unable to get 'flux-system/cert-manager' dependency")
    assert crds(target).isdisjoint(CATALOG.by_name["rook-ceph"].crds), "its kinds are there before it is installed"
    manager = release(shared, "cert-manager")
    flux.apply(manager)
    succeeded(flux, rook)
    succeeded(flux, manager)
    for name in ("cert-manager", "rook-ceph"):
        assert set(CATALOG.by_name[name].crds) <= crds(target), f"{name} brings less than the catalogue says"
    first, second = (target.get("v1", "ConfigMap", f"{name}-chart", name) for name in ("cert-manager", "rook-ceph"))
    assert first is not None
    assert second is not None, "the chart's own object is not in the target cluster"
    assert first["metadata"]["creationTimestamp"] <= second["metadata"]["creationTimestamp"], "not in order"
    flux.delete(rook)
    gone = until(
        lambda: target.get("v1", "ConfigMap", "rook-ceph-chart", "rook-ceph") is None or None,
        lambda: "what a removed release installed is still there",
        SECONDS,
    )
    assert gone
    until(
        lambda: flux.get(HELM, "HelmRelease", "rook-ceph", FLUX) is None or None,
        lambda: "the release never goes",
        SECONDS,
    )
    kept = target.list("v1", "Secret", "rook-ceph")
    assert not [one for one in kept if one["type"] == "helm.sh/release.v1"], "Helm still keeps the removed release"


def test_a_kubeconfig_in_a_secret_is_a_way_in_too(shared: Running, flux: Client, target: Client) -> None:
    made = release(shared, "external-secrets", kubeConfig={"secretRef": {"name": TARGET}})
    flux.apply(made)
    succeeded(flux, made)
    assert "externalsecrets.external-secrets.io" in crds(target)


def test_a_version_that_no_chart_has_fails_with_flux_s_own_message(shared: Running, flux: Client) -> None:
    made = release(shared, "keystone-operator")
    made["spec"]["chart"]["spec"]["version"] = ">=99.0.0 <100.0.0"
    flux.apply(made)
    failed(flux, made, "could not locate a version matching provided version string >=99.0.0 <100.0.0")


def test_a_source_that_nobody_serves_fails_with_flux_s_own_message(shared: Running, flux: Client) -> None:
    made = release(shared, "glance-operator")
    free = Port.reserve()
    free.release()
    repository(flux, f"oci://{LOOPBACK}:{free.number}/ghcr.io/c5c3/charts", "glance-operator")
    flux.apply(made)
    failed(flux, made, "connection refused")


def test_a_chart_that_is_garbage_fails_and_the_next_try_succeeds_when_it_is_whole_again(
    shared: Running, flux: Client
) -> None:
    made = release(shared, "placement-operator", interval="5s")
    with faults(shared, ("chart", "placement-operator")):
        flux.apply(made)
        failed(flux, made, "gzip: invalid header")
    succeeded(flux, made)


def test_a_cluster_that_does_not_trust_flux_fails_with_the_server_s_message(
    shared: Running, flux: Client, target: Client
) -> None:
    made = release(shared, "memcached-operator")
    target.delete(BINDING)
    try:
        until(lambda: None if may(target) else True, lambda: "the cluster goes on trusting it")
        flux.apply(made)
        failed(flux, made, f'User "management:{USER}" cannot')
    finally:
        target.apply(BINDING)


def may(target: Client) -> bool:
    """What the server's own cache of bindings says."""
    wanted = {"user": f"management:{USER}", "resourceAttributes": {"verb": "create", "resource": "secrets"}}
    asked = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": wanted}
    return target.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", asked)["status"]["allowed"]


def test_a_folder_of_manifests_comes_as_an_artifact_of_the_mirror(
    shared: Running, flux: Client, target: Client
) -> None:
    entry = CATALOG.by_name["k-orc"]
    assert entry.source is not None
    assert entry.source.kind == "git"
    url = mirror(shared).artifact(entry.source.url)
    spec = {"url": url, "ref": {"tag": entry.source.commit}, "interval": "1h", "insecure": True}
    flux.apply(in_flux(SOURCE, "OCIRepository", "k-orc", spec=spec))
    source = {"kind": "OCIRepository", "name": "k-orc"}
    rest = {"interval": "30m", "retryInterval": "2s", "prune": True, "wait": True, "targetNamespace": "default"}
    spec = {"sourceRef": source, "path": entry.source.path, "kubeConfig": {"configMapRef": {"name": TARGET}}, **rest}
    made = in_flux("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "k-orc", spec=spec)
    flux.apply(made)
    succeeded(flux, made)
    assert set(entry.crds) <= crds(target), "k-orc brings less than the catalogue says"
    flux.delete(made)

    def left() -> list[str]:
        """What is not even asked to go; the going itself is the server's, and may take it a minute."""
        there = target.list(definitions.API, definitions.KIND)
        named = [one["metadata"] for one in there if one["spec"]["group"] == "openstack.k-orc.cloud"]
        return [one["name"] for one in named if "deletionTimestamp" not in one]

    until(lambda: not left() or None, lambda: f"pruning leaves {left()}", SECONDS)


def test_the_kinds_of_flux_refuse_what_production_refuses(shared: Running) -> None:
    made = release(shared, "horizon-operator")
    del made["spec"]["chart"]
    refused = refusal(lambda: shared.client("management").create(made))
    assert refused.status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "either chart or chartRef must be set" in refused.message
