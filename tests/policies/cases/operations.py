"""What is delivered, and kept up to date."""

from typing import Any

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, release
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
