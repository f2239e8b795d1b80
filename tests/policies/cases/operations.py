"""What is delivered, kept up to date and looked into."""

from typing import Any

from tests.policies.cases import broken, fine
from tests.policies.cases.data import config_map, release
from tests.policies.cases.isolation import FINANCE, PLANE
from tests.policies.judging import UNKNOWN, Plan, Planned

VERSION = ("spec", "kubernetes", "version")
WINDOW = ("spec", "maintenance", "timeWindow")
FLUX = "source.toolkit.fluxcd.io/v1"

# kubernetes-versions


@broken("kubernetes-versions", "Shoot/hv-pool-a", "'1.29'", "use 1.33 or newer")
def the_version_of_the_documents(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put("1.29", *VERSION)


@broken("kubernetes-versions", "Shoot/hv-pool-a", "'1.32.9'", "use 1.33 or newer")
def one_version_too_old(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put("1.32.9", *VERSION)


@broken("kubernetes-versions", "Shoot/st-pool-a", "is None", "write a version")
def no_version(plan: Plan) -> None:
    del plan.find("Shoot", "st-pool-a").at("spec", "kubernetes")["version"]


@broken("kubernetes-versions", "Shoot/st-pool-a", "is not known before the update", "a value that the plan knows")
def a_version_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").put(UNKNOWN, *VERSION)


@fine("kubernetes-versions")
def the_oldest_version(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put("1.33", *VERSION)


# maintenance-windows


@broken("maintenance-windows", "Shoot/hv-pool-a", "begin is None", "write a time")
def no_window(plan: Plan) -> None:
    del plan.find("Shoot", "hv-pool-a").at("spec")["maintenance"]


@broken("maintenance-windows", "Shoot/hv-pool-a", "'220000+0000', as begin is", "an hour or so")
def a_window_of_no_time(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put({"begin": "220000+0000", "end": "220000+0000"}, *WINDOW)


@broken("maintenance-windows", "Shoot/st-pool-a", "'at night'", "220000+0000")
def a_time_that_is_none(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").put("at night", *WINDOW, "begin")


@fine("maintenance-windows")
def a_window_over_midnight(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put({"begin": "235959+0100", "end": "000000-0100"}, *WINDOW)


# pinned-versions


def source(plan: Plan, kind: str, **spec: Any) -> Planned:  # noqa: ANN401
    return plan.add(
        f"kubernetes:{FLUX}:{kind}",
        "source",
        {"apiVersion": FLUX, "kind": kind, "metadata": {"name": "more", "namespace": "flux-system"}, "spec": spec},
        provider="eu-de-1-garden",
    )


def chart(plan: Plan, version: str | None) -> None:
    spec = release(plan).at("spec", "chart", "spec")
    spec.pop("version")
    if version is not None:
        spec["version"] = version


@broken("pinned-versions", "HelmRelease/more", "'>=0.1.0'", "a range such as >=1.2.0 <2.0.0")
def a_range_without_an_end(plan: Plan) -> None:
    """The example of the documents."""
    chart(plan, ">=0.1.0")


@broken("pinned-versions", "HelmRelease/more", "version is None", "write one version")
def a_chart_without_a_version(plan: Plan) -> None:
    chart(plan, None)


@broken("pinned-versions", "HelmRelease/more", "'*'", "write one version")
def any_version(plan: Plan) -> None:
    chart(plan, "*")


@broken("pinned-versions", "HelmRelease/more", "'>=0.1.0 || <0.0.1'", "a range such as")
def a_range_of_which_one_half_has_no_end(plan: Plan) -> None:
    chart(plan, ">=0.1.0 || <0.0.1")


@fine("pinned-versions")
def a_range_of_two_halves_with_ends(plan: Plan) -> None:
    chart(plan, ">=1.0.0 <2.0.0 || 3.1.4")


@broken("pinned-versions", "OCIRepository/more", "digest is missing", "name the digest")
def an_artifact_by_its_tag(plan: Plan) -> None:
    source(plan, "OCIRepository", url="oci://ghcr.io/others/charts/a", ref={"tag": "1.0.0"})


@broken("pinned-versions", "GitRepository/more", "commit is None", "name the commit")
def a_repository_by_its_branch(plan: Plan) -> None:
    source(plan, "GitRepository", url="https://github.com/a/b", ref={"branch": "main"})


@broken("pinned-versions", "HelmRelease/more", "spec.values.image.tag is 'latest'", "fixed tag")
def the_latest_image_of_a_chart(plan: Plan) -> None:
    release(plan, values={"image": {"repository": "a/b", "tag": "latest"}})


@broken("pinned-versions", "ControlPlane/finance-prod", "services.nova.image.tag is 'latest'", "fixed tag")
def the_latest_nova(plan: Plan) -> None:
    image = {"repository": "ghcr.io/c5c3/nova", "tag": "latest"}
    plan.find(PLANE, FINANCE).put(image, "spec", "services", "nova", "image")


@broken("pinned-versions", "CephCluster/rook-ceph", "'quay.io:5000/ceph/ceph'", "fixed tag")
def an_image_without_a_tag(plan: Plan) -> None:
    plan.all("CephCluster")[0].put("quay.io:5000/ceph/ceph", "spec", "cephVersion", "image")


@fine("pinned-versions")
def a_range_with_both_ends(plan: Plan) -> None:
    chart(plan, ">=0.8.0 <1.0.0")


@fine("pinned-versions")
def an_artifact_by_its_digest_and_an_image_by_its_tag(plan: Plan) -> None:
    source(plan, "OCIRepository", url="oci://ghcr.io/others/charts/a", ref={"digest": f"sha256:{'a' * 64}"})
    release(plan, values={"image": "registry:5000/a/b:1.0", "other": {"image": "a/b@sha256:1"}})


# charts-by-digest


@broken("charts-by-digest", "HelmRepository/more", "ghcr.io/others", "OCIRepository with a digest")
def charts_of_others(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/others/charts")


@broken("charts-by-digest", "HelmRepository/more", "oci://quay.io'", "digest of the catalogue")
def all_charts_of_others(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://quay.io")


@broken("charts-by-digest", "HelmRepository/more", "ghcr.io/c5c3x", "digest")
def charts_of_others_that_look_like_ours(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/c5c3x/charts")


@broken("charts-by-digest", "as the catalogue says", "The digest could not be asked for", level="advisory")
def charts_of_others_of_which_the_catalogue_says_why(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/controlplaneio-fluxcd/charts")


@broken("charts-by-digest", "oci://ghcr.io/controlplaneio-fluxcd/other", "digest of the catalogue")
def charts_beside_those_of_which_the_catalogue_says_why(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/controlplaneio-fluxcd/other")


@fine("charts-by-digest")
def charts_of_ours(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/c5c3/charts")


@fine("charts-by-digest")
def charts_of_others_in_a_mirror(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://mirror.example.com/charts/ghcr.io/others/charts")


# clusters-are-named


def provider_of(plan: Plan, name: str) -> Planned:
    return next(one for one in plan.resources if one.name == name and one.type.startswith("pulumi:providers"))


@broken("clusters-are-named", "clusterIdentifier is missing in the provider hv-pool-a-cluster", "name the cluster")
def a_provider_without_an_identifier(plan: Plan) -> None:
    del provider_of(plan, "hv-pool-a-cluster").props["clusterIdentifier"]


@broken("clusters-are-named", "ConfigMap/more", "wherever the machine's kubeconfig leads", "name the provider")
def an_object_of_the_default_provider(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.add("pulumi:providers:kubernetes", "default_4_27_0", {"version": "4.27.0"}, provider="")
    one = plan.resources.pop(-2)
    one.provider = "default_4_27_0"
    plan.resources.append(one)


@broken("clusters-are-named", "clusterIdentifier is not known before the update", "a value that the plan knows")
def an_identifier_that_nobody_knows_before_the_update(plan: Plan) -> None:
    provider_of(plan, "hv-pool-a-cluster").put(UNKNOWN, "clusterIdentifier")


@fine("clusters-are-named")
def a_default_provider_that_nobody_uses(plan: Plan) -> None:
    plan.add("pulumi:providers:kubernetes", "default_4_27_0", {"version": "4.27.0"}, provider="")


@broken("clusters-are-named", "Shoot/hv-pool-a", "cluster-kind is None", "use one of control-plane, hypervisor")
def a_cluster_of_no_kind(plan: Plan) -> None:
    del plan.find("Shoot", "hv-pool-a").at("metadata", "labels")["c5c3.io/cluster-kind"]


@broken("clusters-are-named", "Shoot/hv-pool-a", "'compute'", "use one of control-plane, hypervisor")
def a_cluster_of_a_kind_that_is_none(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put("compute", "metadata", "labels", "c5c3.io/cluster-kind")


@broken("clusters-are-named", "Kustomization/more", "wherever the machine's kubeconfig leads", "name the provider")
def flux_s_kustomization_of_the_default_provider(plan: Plan) -> None:
    """Its group begins like that of a bundle of Kustomize."""
    one = inside(plan, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", path=".")
    one.provider = plan.add("pulumi:providers:kubernetes", "default_4", {}, provider="").name


# nothing-opaque


WITH_COMMANDS = "commands"


def other(plan: Plan, type_: str, name: str, **props: Any) -> Planned:  # noqa: ANN401
    """A resource of another package, with the provider that Pulumi makes for it."""
    plan.add(f"pulumi:providers:{type_.partition(':')[0]}", WITH_COMMANDS, {}, provider="")
    return plan.add(type_, name, props, provider=WITH_COMMANDS)


def inside(plan: Plan, api: str, kind: str, **spec: Any) -> Planned:  # noqa: ANN401
    props = {"apiVersion": api, "kind": kind, "metadata": {"name": "more", "namespace": "flux-system"}, "spec": spec}
    return plan.add(f"kubernetes:{api}:{kind}", "more", props, provider="eu-de-1-garden")


SECRET: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Secret",
    "type": "greenhouse.sap/oidc",
    "metadata": {"name": "hv-pool-a", "namespace": "c5c3"},
    "data": {"ca.crt": "Y2VydGlmaWNhdGU="},
}


@broken("nothing-opaque", "kubernetes:yaml/v2:ConfigGroup group", "cannot be seen", "write its objects as resources")
def a_group_of_yaml(plan: Plan) -> None:
    plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")


@broken("nothing-opaque", "kubernetes:yaml/v2:ConfigGroup group", "cannot be seen", "write its objects as resources")
def a_group_of_yaml_with_a_harmless_child(plan: Plan) -> None:
    """That one object is seen says nothing of the others."""
    group = plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = group.urn


@broken("nothing-opaque", "kubernetes:helm.sh/v3:Release release", "cannot be seen", "let Flux deliver the chart")
def a_release_of_helm(plan: Plan) -> None:
    props = {"chart": "a", "version": "1.2.3"}
    plan.add("kubernetes:helm.sh/v3:Release", "release", props, provider="eu-de-1-garden")


@broken("nothing-opaque", "kubernetes:helm.sh/v3:Release release", "cannot be seen", "let Flux deliver the chart")
def a_release_of_helm_with_a_harmless_child(plan: Plan) -> None:
    a_release_of_helm(plan)
    release = plan.resources[-1]
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = release.urn


@broken("nothing-opaque", "command:local:Command kubectl", "cannot be seen", "write what it makes as resources")
def a_command(plan: Plan) -> None:
    other(plan, "command:local:Command", "kubectl", create="kubectl apply -f -")


@broken("nothing-opaque", "command:local:Command kubectl", "cannot be seen", "write what it makes as resources")
def a_command_with_a_harmless_child(plan: Plan) -> None:
    command = other(plan, "command:local:Command", "kubectl", create="kubectl apply -f -")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = command.urn


@broken("nothing-opaque", "pulumi-python:dynamic:Resource", "cannot be seen", "as resources")
def a_dynamic_provider(plan: Plan) -> None:
    other(plan, "pulumi-python:dynamic:Resource", "any")


@broken("nothing-opaque", "kubectl:index/manifest:Manifest", "cannot be seen", "as resources")
def a_manifest_of_another_package(plan: Plan) -> None:
    other(plan, "kubectl:index/manifest:Manifest", "any", yamlBody="kind: Deployment")


@broken("nothing-opaque", "helm:index/release:Release", "cannot be seen", "as resources")
def a_release_of_another_package(plan: Plan) -> None:
    other(plan, "helm:index/release:Release", "any", chart="a")


@broken("nothing-opaque", "cobaltcore:index:Thing", "cannot be seen", "as resources")
def a_resource_that_calls_itself_a_component_of_ours(plan: Plan) -> None:
    other(plan, "cobaltcore:index:Thing", "any")


@broken("nothing-opaque", "Chart chart", "is known only at the update, where each object is judged", level="advisory")
def flux_s_operator_of_a_cluster_that_is_not_there_yet(plan: Plan) -> None:
    props = {"chart": "oci://ghcr.io/controlplaneio-fluxcd/charts/flux-operator", "version": "0.58.1"}
    plan.add("kubernetes:helm.sh/v4:Chart", "chart", props, provider="")


@broken("nothing-opaque", "kubernetes:helm.sh/v4:Chart chart", "cannot be seen", "let Flux deliver the chart")
def another_chart(plan: Plan) -> None:
    props = {"chart": "oci://ghcr.io/others/charts/pools", "version": "1.2.3"}
    plan.add("kubernetes:helm.sh/v4:Chart", "chart", props, provider="")


@broken("nothing-opaque", "ResourceSet/more: spec.resources[0] is an object", "as resources of their own")
def a_pool_in_a_set_of_flux_s_operator(plan: Plan) -> None:
    pool = {"apiVersion": "ceph.rook.io/v1", "kind": "CephBlockPool", "metadata": {"name": "free"}}
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[{**pool, "spec": {"replicated": {"size": 1}}}])


@broken("nothing-opaque", "ResourceSet/more: spec.resources[0] is an object", "as resources of their own")
def a_key_in_a_set_of_flux_s_operator(plan: Plan) -> None:
    secret = {**SECRET, "data": {**SECRET["data"], "greenhousekubeconfig": "aGlkZGVu"}}
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[secret])


@broken("nothing-opaque", "spec.resourcesTemplate makes objects that no policy sees", "as resources of their own")
def a_template_of_objects(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resourcesTemplate="kind: Secret")


@broken("nothing-opaque", "Object/more: a Object makes objects that no policy sees", "let Flux deliver them")
def an_object_of_crossplane(plan: Plan) -> None:
    inside(plan, "kubernetes.crossplane.io/v1alpha2", "Object", forProvider={"manifest": SECRET})


@broken("nothing-opaque", "ManagedResource/more: a ManagedResource makes objects", "let Flux deliver them")
def a_managed_resource_of_gardener(plan: Plan) -> None:
    inside(plan, "resources.gardener.cloud/v1alpha1", "ManagedResource", secretRefs=[{"name": "a"}])


@broken("nothing-opaque", "Bundle/more: spec.parts[0] is an object that no policy sees", "as resources of their own")
def objects_in_an_object_of_a_kind_that_nobody_knows(plan: Plan) -> None:
    inside(plan, "example.com/v1", "Bundle", parts=[SECRET])


@broken("nothing-opaque", "spec.resources[0] is known only at the update, and is judged there", level="advisory")
def a_set_whose_objects_nobody_knows_before_the_update(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[UNKNOWN])


@fine("nothing-opaque")
def the_secret_without_a_credential_that_greenhouse_wants(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[SECRET])


@fine("nothing-opaque")
def a_component_of_somebody_else(plan: Plan) -> None:
    """It has no provider, and what it makes is seen."""
    component = plan.add("example:index:Component", "group", {}, provider="")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = component.urn


# objects-are-known


@broken("objects-are-known", "metadata.namespace is not known before the update", "a value that the plan knows")
def a_namespace_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].put(UNKNOWN, "metadata", "namespace")


@broken("objects-are-known", "metadata is not known before the update", "a value that the plan knows")
def metadata_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].put(UNKNOWN, "metadata")


@broken("objects-are-known", "apiVersion is not known before the update", "a value that the plan knows")
def a_kind_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].props |= {"apiVersion": UNKNOWN, "kind": UNKNOWN}


@broken("objects-are-known", "the namespace of its provider is not known", "a value that the plan knows")
def a_provider_s_namespace_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    del plan.resources[-1].at("metadata")["namespace"]
    provider = provider_of(plan, plan.resources[-1].provider)
    provider.put(UNKNOWN, "namespace")
    untouched = [one for one in plan.resources if one.provider == provider.name and one is not plan.resources[-1]]
    for one in untouched:  # what has no namespace, as a ClusterRole, would be asked for one
        one.props.setdefault("metadata", {}).setdefault("namespace", "none")


@fine("objects-are-known")
def an_object_of_the_provider_s_namespace(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    del plan.resources[-1].at("metadata")["namespace"]
    provider_of(plan, plan.resources[-1].provider).put("default", "namespace")


# clusters-are-there


def elsewhere(plan: Plan, identifier: str) -> None:
    plan.add("pulumi:providers:kubernetes", "elsewhere", {"clusterIdentifier": identifier}, provider="")


@broken("clusters-are-there", "clusterIdentifier is 'garden-c5c3/st-pool-aa'", "correct the name")
def a_cluster_whose_name_is_misspelt(plan: Plan) -> None:
    elsewhere(plan, "garden-c5c3/st-pool-aa")


@broken("clusters-are-there", "clusterIdentifier is 'garden/st-pool-a'", "correct the name")
def a_cluster_of_another_namespace(plan: Plan) -> None:
    elsewhere(plan, "garden/st-pool-a")


@broken("clusters-are-there", "clusterIdentifier is '/'", "correct the name")
def a_cluster_of_no_name(plan: Plan) -> None:
    elsewhere(plan, "/")


@fine("clusters-are-there")
def a_second_provider_of_a_cluster(plan: Plan) -> None:
    elsewhere(plan, "garden-c5c3/st-pool-a")


# tenant-facts


@broken("tenant-facts", "ControlPlane/finance-prod", "c5c3.io/size is None", "use one of small")
def a_tenant_of_no_size(plan: Plan) -> None:
    del plan.find(PLANE, FINANCE).at("metadata", "labels")["c5c3.io/size"]


@broken("tenant-facts", "ControlPlane/finance-prod", "'huge'", "use one of small")
def a_tenant_of_a_size_that_is_none(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("huge", "metadata", "labels", "c5c3.io/size")


@broken("tenant-facts", "ControlPlane/finance-prod", "'test'", "use one of production")
def an_environment_that_is_none(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("test", "metadata", "labels", "c5c3.io/environment")


@fine("tenant-facts")
def the_largest_size(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("xlarge", "metadata", "labels", "c5c3.io/size")
