"""Every system of the catalogue on its way into its cluster, as the management cluster's Flux is told."""

from pathlib import Path
from typing import Any

import pulumi
import pytest

from components import Region, RegionArgs
from components.flux import releases, too_old
from components.readiness import FIELD_MANAGER, WAIT_FOR
from model.catalog import ClusterKind, Release
from model.catalog.entry import GitSource
from tests.plans import heard, made, plan
from tests.recorder import Recording, Registered, record
from tests.regions import STACKS, loaded, small, small_tenant, stack

HELM, KUSTOMIZE = (
    "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease",
    "kubernetes:kustomize.toolkit.fluxcd.io/v1:Kustomization",
)
SOURCES = "kubernetes:source.toolkit.fluxcd.io/v1:"
MANAGEMENT = {"kubeconfig": "there-is-none-either.yaml", "issuer": "https://issuer.example.com"}
MIRROR = "oci://mirror.example.com/charts"
CLUSTERS: dict[str, ClusterKind] = {
    "eu-de-1-management": "management",
    "eu-de-1-control-plane": "control-plane",
    "hv-pool-a": "hypervisor",
    "st-pool-a": "storage",
}


def with_flux(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (as for the small region)
    return small(management=MANAGEMENT, chartMirror=MIRROR, **changes)


def of_flux(recording: Recording) -> list[Registered]:
    return [*recording.of_type(HELM), *recording.of_type(KUSTOMIZE)]


def delivered(config: dict[str, Any], cluster: str) -> dict[str, Release]:
    """What the catalogue has for a cluster, but for what Flux itself is made of."""
    rows = releases(loaded(config))[CLUSTERS[cluster]]
    return {f"{cluster}-{one.name}": one for one in rows if not one.entry.bootstrap}


def namespace_of(cluster: str) -> str:
    return "flux-system" if cluster == "eu-de-1-management" else cluster


def last(urns: tuple[str, ...]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


@pytest.fixture(name="region", scope="module")
def planned_region() -> Recording:
    return plan(with_flux())


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_row_of_the_catalogue_is_one_object_of_flux(region: Recording, cluster: str) -> None:
    rows = delivered(with_flux(), cluster)
    there = [one for one in of_flux(region) if one.inputs["metadata"]["namespace"] == namespace_of(cluster)]
    assert sorted(one.name for one in there) == sorted(rows)
    for one in there:
        release = rows[one.name]
        assert one.inputs["metadata"]["name"] == release.name
        assert one.inputs["metadata"]["annotations"] == {**FIELD_MANAGER, WAIT_FOR: "condition=Ready"}
        assert one.inputs["spec"]["targetNamespace"] == release.namespace
        assert "::eu-de-1-management::" in one.provider, "Flux's objects are in the management cluster"
        assert one.on_error, "what Flux says of a failure reaches a person"
        assert one.timeout == "20m"
        way = one.inputs["spec"].get("kubeConfig")
        assert way == (None if cluster == "eu-de-1-management" else {"configMapRef": {"name": "flux-access"}})


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_chart_comes_in_the_catalogue_s_version_with_its_values(region: Recording, cluster: str) -> None:
    for name, release in delivered(with_flux(), cluster).items():
        if isinstance(release.source, GitSource):
            continue
        spec = region.named(name).inputs["spec"]
        assert spec["chart"]["spec"]["version"] == release.version, name
        assert spec["chart"]["spec"]["chart"] == release.chart
        assert spec.get("values", {}) == release.values
        crds = "Skip" if release.entry.skip_crds else "CreateReplace"
        assert spec["install"] == {"crds": crds, "createNamespace": True, "remediation": {"retries": 3}}
        assert spec["upgrade"] == {"crds": crds, "remediation": {"retries": 3}}
        assert (spec["interval"], spec["releaseName"]) == ("30m", release.name)


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_pulumi_and_flux_both_know_what_goes_first(region: Recording, cluster: str) -> None:
    for name, release in delivered(with_flux(), cluster).items():
        one, needs = region.named(name), release.depends_on
        clusters = {need: "eu-de-1-management" if need.cluster == "management" else cluster for need in needs}
        assert {f"{where}-{need.name}" for need, where in clusters.items()} <= last(one.depends_on), name
        if one.type == HELM:
            helm = [need for need in needs if not need.manifests]
            expected = [{"name": need.name, "namespace": namespace_of(clusters[need])} for need in helm]
            assert one.inputs["spec"].get("dependsOn", []) == expected, name


@pytest.mark.parametrize("name", STACKS)
def test_the_real_regions_get_every_row_in_every_cluster(name: str) -> None:
    config = {**stack(name), "management": MANAGEMENT, "chartMirror": MIRROR}
    rows = releases(loaded(config))
    count = {kind: sum(not one.entry.bootstrap for one in all_of) for kind, all_of in rows.items()}
    pools = len(config["hypervisorPools"]) * count["hypervisor"] + len(config["storagePools"]) * count["storage"]
    assert len(of_flux(plan(config))) == count["management"] + count["control-plane"] + pools


def test_flux_itself_is_made_before_its_first_object(region: Recording) -> None:
    chart = region.named("eu-de-1-management-flux-operator")
    assert chart.inputs["chart"] == f"{MIRROR}/ghcr.io/controlplaneio-fluxcd/charts/flux-operator"
    assert chart.retain, "it stays when a region goes, since it has to take away what it brought"
    instance = region.named("eu-de-1-management-flux-instance")
    assert instance.inputs["metadata"]["name"] == "flux"
    assert instance.inputs["spec"]["cluster"]["objectLevelWorkloadIdentity"] is True
    for one in region:
        if one.type.startswith(SOURCES):
            assert "eu-de-1-management-flux-instance" in last(one.depends_on)


def test_a_source_is_one_object_however_many_use_it(region: Recording) -> None:
    sources = [one for one in region if one.type.startswith(SOURCES)]
    urls = [one.inputs["spec"]["url"] for one in sources]
    assert len(urls) == len(set(urls))
    assert all(url.startswith(f"{MIRROR}/") for url in urls), "a mirror replaces every source"
    names = {(one.inputs["kind"], one.inputs["metadata"]["name"]) for one in sources}
    for one in region.of_type(HELM):
        ref = one.inputs["spec"]["chart"]["spec"]["sourceRef"]
        assert (ref["kind"], ref["name"]) in names
        assert f"eu-de-1-source-{ref['name']}" in last(one.depends_on)


def test_manifests_come_at_their_commit_with_their_images(region: Recording) -> None:
    release = delivered(with_flux(), "eu-de-1-control-plane")["eu-de-1-control-plane-k-orc"]
    assert isinstance(release.source, GitSource)
    name = "github-com-k-orc-openstack-resource-controller"
    mirrored = region.named(f"eu-de-1-source-{name}")
    assert mirrored.inputs["spec"]["ref"] == {"tag": release.source.commit}
    spec = region.named("eu-de-1-control-plane-k-orc").inputs["spec"]
    assert spec["sourceRef"] == {"kind": "OCIRepository", "name": name, "namespace": "flux-system"}
    assert (spec["path"], spec["prune"], spec["wait"]) == ("./config/default", True, True)
    assert spec["images"][0]["digest"] == release.source.images[0].digest
    own = plan(small(management=MANAGEMENT)).named(f"eu-de-1-source-{name}")
    assert own.inputs["kind"] == "GitRepository"
    assert own.inputs["spec"]["ref"] == {"commit": release.source.commit}


def test_without_a_mirror_what_is_unpublished_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = heard(monkeypatch, "warn")
    region = plan(small(management=MANAGEMENT))
    named = [text for text in said if "nobody has published a chart of them" in text]
    assert len(named) == 1, "once for the region, and not for each cluster"
    for system in ("nova-operator", "nova-compute"):
        assert system in named[0]
        assert not [one for one in region if one.name.endswith(f"-{system}")]
    c5c3 = region.named("eu-de-1-control-plane-c5c3-operator").inputs["spec"]
    assert "nova-operator" not in [one["name"] for one in c5c3["dependsOn"]], "it would wait for ever"
    jetstack = region.named("eu-de-1-source-charts-jetstack-io").inputs
    assert jetstack["spec"]["url"] == "https://charts.jetstack.io"
    assert jetstack["metadata"]["annotations"] == {**FIELD_MANAGER, WAIT_FOR: "condition=Ready"}
    oci = region.named("eu-de-1-source-ghcr-io-c5c3-charts").inputs["metadata"]["annotations"]
    assert WAIT_FOR not in oci, "the status of a repository in an OCI registry stays empty"


def test_a_digest_is_the_chart_that_is_installed() -> None:
    wanted = {"openbao-operator": {"enabled": True}}
    for mirror in ({}, {"chartMirror": MIRROR}):
        region = plan(small(management=MANAGEMENT, releases=wanted, **mirror))
        source = region.named("eu-de-1-source-ghcr-io-dc-tec-charts-openbao-operator")
        assert source.inputs["kind"] == "OCIRepository"
        assert source.inputs["spec"]["ref"]["digest"].startswith("sha256:54406de2")
        spec = region.named("eu-de-1-control-plane-openbao-operator").inputs["spec"]
        assert spec["chartRef"]["name"] == source.inputs["metadata"]["name"]
        assert "chart" not in spec
    sandbox = plan(small(management=MANAGEMENT, releases=wanted, chartMirror="oci://127.0.0.1:5000"))
    spec = sandbox.named("eu-de-1-control-plane-openbao-operator").inputs["spec"]
    assert spec["chart"]["spec"]["version"] == "0.4.2", "the sandbox's charts have digests of their own"
    assert sandbox.named("eu-de-1-source-ghcr-io-dc-tec-charts").inputs["spec"]["insecure"] is True


def test_a_region_changes_a_release_by_its_overrides_and_its_environment() -> None:
    rook = {"version": ">=1.20.0 <1.20.5", "values": {"logLevel": "DEBUG"}}
    off = {"enabled": False}
    region = plan(with_flux(environment="development", releases={"rook-ceph": rook, "fluent-bit": off}))
    spec = region.named("st-pool-a-rook-ceph").inputs["spec"]
    assert spec["chart"]["spec"]["version"] == ">=1.20.0 <1.20.5"
    assert spec["values"]["logLevel"] == "DEBUG"
    assert not [one for one in region if one.name.endswith("fluent-bit")]
    assert region.named("hv-pool-a-labels-injector").inputs["spec"]["values"] == {"controllerManager": {"replicas": 1}}


def test_the_target_trusts_exactly_the_identity_that_flux_uses(region: Recording) -> None:
    access = region.named("hv-pool-a-flux-access")
    assert access.inputs["metadata"] == {
        "name": "flux-access",
        "namespace": "hv-pool-a",
        "labels": {"app.kubernetes.io/managed-by": "pulumi"},
    }
    assert access.inputs["data"]["serviceAccountName"] == "flux"
    assert access.inputs["data"]["audiences"] == "c5c3-hv-pool-a"
    assert (
        '"audiences": [\n          "c5c3-hv-pool-a"'
        in region.named("hv-pool-a-authentication").inputs["data"]["config.yaml"]
    )
    rights = region.named("hv-pool-a-flux-rights")
    assert [one["name"] for one in rights.inputs["subjects"]] == ["management:system:serviceaccount:hv-pool-a:flux"]
    assert "::hv-pool-a-cluster::" in rights.provider
    for one in of_flux(region):
        if one.inputs["metadata"]["namespace"] == "hv-pool-a":
            assert {"hv-pool-a-flux-rights", "hv-pool-a-flux-access"} <= last(one.depends_on)


def test_without_an_issuer_flux_uses_kubeconfigs_that_somebody_else_keeps() -> None:
    region = plan(small(management={"kubeconfig": "there-is-none.yaml"}, chartMirror=MIRROR))
    for name in ("hv-pool-a-cert-manager", "eu-de-1-control-plane-k-orc"):
        assert region.named(name).inputs["spec"]["kubeConfig"] == {"secretRef": {"name": "kubeconfig"}}
    assert not [one for one in region if one.name.endswith("-flux-rights")], "nobody needs these rights then"


def test_what_is_unknown_before_the_clusters_are_there_stays_unknown(region: Recording) -> None:
    provider = region.named("eu-de-1-management")
    assert isinstance(provider.inputs["kubeconfig"], pulumi.output.Unknown), "and is no error"
    assert provider.inputs["clusterIdentifier"] == "eu-de-1-management"
    data = region.named("st-pool-a-flux-access").inputs["data"]
    address = data if isinstance(data, pulumi.output.Unknown) else data["address"]
    assert isinstance(address, pulumi.output.Unknown), "nobody knows yet where the cluster will be"


def test_an_update_tells_flux_where_the_cluster_is(tmp_path: Path) -> None:
    file = tmp_path / "management.yaml"
    file.write_text("token: canary-4712")
    config = with_flux()
    config["management"] = {**MANAGEMENT, "kubeconfig": str(file), "readyWithin": 3}
    region = made(config, tmp_path / "garden.yaml")
    data = region.named("st-pool-a-flux-access").inputs["data"]
    assert (data["address"], data["ca.crt"]) == ("https://api.example.com", "the authority")
    assert data["provider"] == "generic"
    assert region.named("st-pool-a-rook-ceph").timeout == "3m"
    assert region.named("eu-de-1-management").inputs["kubeconfig"] == str(file)
    assert "canary" not in repr(list(region)), "the state holds a path and no credential"


def test_openbao_goes_only_when_somebody_says_so(region: Recording) -> None:
    assert region.named("eu-de-1-management-openbao").protect, "it keeps all secrets of the region"
    assert not region.named("eu-de-1-management-fluent-bit").protect


def test_a_child_is_called_after_its_parent_and_has_an_explicit_name_and_provider(region: Recording) -> None:
    assert len({one.name for one in region}) == len(region), "one name, one thing"
    for one in region:
        if one.custom:
            assert one.name.startswith(f"{one.parent.rpartition('::')[2]}-")
        if one.custom and not one.type.startswith("pulumi:providers:"):
            assert one.provider
            assert one.inputs["metadata"]["name"]


def test_an_update_without_the_management_cluster_says_which_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(pulumi.RunError, match=r"management\.kubeconfig is there-is-none-either\.yaml, and there is no"):
        made(with_flux(), tmp_path / "garden.yaml")


def test_without_a_management_cluster_the_clusters_stay_empty_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = heard(monkeypatch, "info")
    region = record(lambda: Region("eu-de-1", RegionArgs(spec=loaded(small()))), preview=True)
    assert not of_flux(region)
    assert len([text for text in said if "cobaltcore:management is not set" in text]) == 1


def test_a_cluster_that_is_too_old_for_a_system_is_a_sentence() -> None:
    config = with_flux(releases={"openbao-operator": {"enabled": True}})
    spec = loaded(config)
    rows = releases(spec)
    old = spec.control_plane.model_copy(update={"kubernetes_version": "1.32.9"})
    assert list(too_old(spec, rows)) == []
    (sentence,) = too_old(spec.model_copy(update={"control_plane": old}), rows)
    assert sentence.startswith("eu-de-1-control-plane: kubernetesVersion is 1.32.9, and openbao-operator needs 1.33")


def test_the_largest_tenant_and_the_cluster_decide_about_values() -> None:
    tenants = [small_tenant(size="large"), small_tenant(name="b")]
    own = {"prometheus": {"clusters": {"hv-pool-a": {"values": {"some": 1}}}}}
    region = plan(with_flux(openStackClusters=tenants, releases=own))
    for cluster, there in (("hv-pool-a", True), ("st-pool-a", False)):
        values = region.named(f"{cluster}-prometheus").inputs["spec"]["values"]
        assert values["prometheus"]["prometheusSpec"]["resources"] == {"requests": {"memory": "8Gi"}}
        assert ("some" in values) is there
