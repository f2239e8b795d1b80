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


@broken("charts-by-digest", "HelmRepository/more", "ghcr.io/others", "OCIRepository with a digest", level="advisory")
def charts_of_others(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/others/charts")


@broken("charts-by-digest", "HelmRepository/more", "oci://quay.io'", "digest of the catalogue", level="advisory")
def all_charts_of_others(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://quay.io")


@broken("charts-by-digest", "HelmRepository/more", "ghcr.io/c5c3x", "digest", level="advisory")
def charts_of_others_that_look_like_ours(plan: Plan) -> None:
    source(plan, "HelmRepository", type="oci", url="oci://ghcr.io/c5c3x/charts")


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


# nothing-opaque


@broken("nothing-opaque", "kubernetes:yaml/v2:ConfigGroup group", "cannot be seen", "write its objects as resources")
def a_group_of_yaml(plan: Plan) -> None:
    plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")


@broken("nothing-opaque", "kubernetes:helm.sh/v3:Release release", "cannot be seen", "let Flux deliver the chart")
def a_release_of_helm(plan: Plan) -> None:
    props = {"chart": "a", "version": "1.2.3"}
    plan.add("kubernetes:helm.sh/v3:Release", "release", props, provider="eu-de-1-garden")


@broken("nothing-opaque", "command:local:Command kubectl", "cannot be seen", "write what it makes as resources")
def a_command(plan: Plan) -> None:
    plan.add("command:local:Command", "kubectl", {"create": "kubectl apply -f -"}, provider="")


@broken("nothing-opaque", "pulumi-python:dynamic:Resource", "cannot be seen", "as resources")
def a_dynamic_provider(plan: Plan) -> None:
    plan.add("pulumi-python:dynamic:Resource", "any", {}, provider="")


@broken("nothing-opaque", "Chart chart", "is known only at the update, where each object is judged", level="advisory")
def a_chart_of_a_cluster_that_is_not_there_yet(plan: Plan) -> None:
    plan.add("kubernetes:helm.sh/v4:Chart", "chart", {}, provider="")


@fine("nothing-opaque")
def a_group_whose_objects_are_seen(plan: Plan) -> None:
    group = plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = group.urn


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
