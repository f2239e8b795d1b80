"""The mirror's rule: every origin has one place in a mirror, and two origins never share one."""

import pytest

from model.mirror import Mirror

MIRROR = Mirror(url="oci://mirror.example/charts")

PLACES = [
    ("https://charts.jetstack.io", "cert-manager", "charts.jetstack.io/cert-manager"),
    ("https://openbao.github.io/openbao-helm/", "openbao", "openbao.github.io/openbao-helm/openbao"),
    ("oci://ghcr.io/c5c3/charts", "keystone-operator", "ghcr.io/c5c3/charts/keystone-operator"),
    ("oci://ghcr.io/SAP/charts", "valkey-operator", "ghcr.io/sap/charts/valkey-operator"),
    ("https://charts.example:8443/a_b", "c", "charts.example-8443/a_b/c"),
]


@pytest.mark.parametrize(("source", "chart", "place"), PLACES, ids=[place[2] for place in PLACES])
def test_a_chart_is_found_under_the_host_and_path_of_its_origin(source: str, chart: str, place: str) -> None:
    assert MIRROR.chart(source, chart) == f"oci://mirror.example/charts/{place}"
    assert MIRROR.chart(source, chart) == f"{MIRROR.repository(source)}/{chart}", "Flux appends the chart's name"


def test_a_git_repository_is_found_as_an_artifact() -> None:
    there = "oci://mirror.example/charts/github.com/k-orc/openstack-resource-controller"
    assert MIRROR.artifact("https://github.com/k-orc/openstack-resource-controller.git") == there
    assert MIRROR.artifact("https://github.com/k-orc/openstack-resource-controller") == there
    assert MIRROR.artifact("ssh://git@github.com/k-orc/openstack-resource-controller") == there


def test_a_chart_that_nobody_has_published_has_its_place_too() -> None:
    assert MIRROR.chart(None, "nova-operator") == "oci://mirror.example/charts/unpublished/nova-operator"
    assert MIRROR.repository(None) == "oci://mirror.example/charts/unpublished"


def test_a_mirror_may_be_a_whole_registry_with_a_port() -> None:
    mirror = Mirror(url="oci://127.0.0.1:5000", insecure=True)
    assert mirror.chart("oci://ghcr.io/c5c3/charts", "a") == "oci://127.0.0.1:5000/ghcr.io/c5c3/charts/a"


@pytest.mark.parametrize("url", ["https://mirror.example", "mirror.example/charts", "oci://"])
def test_what_is_no_oci_registry_is_no_mirror(url: str) -> None:
    with pytest.raises(ValueError, match="write the address of an OCI registry"):
        Mirror(url=url)


@pytest.mark.parametrize("source", ["charts.jetstack.io", "git@github.com:k-orc/x", "file:///charts"])
def test_an_origin_without_a_host_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="write its whole address"):
        MIRROR.repository(source)


def test_a_name_that_no_registry_takes_is_refused() -> None:
    with pytest.raises(ValueError, match="'~user' is no name in an OCI registry"):
        MIRROR.repository("https://charts.example/~user")


@pytest.mark.parametrize("host", ["127.0.0.1:5000", "localhost:5000", "[::1]:5000"])
def test_a_mirror_on_the_loopback_is_a_sandbox_s(host: str) -> None:
    mirror = Mirror.at(f"oci://{host}")
    assert mirror.insecure
    assert not mirror.digests, "its charts have digests of their own"


def test_any_other_mirror_is_encrypted_and_has_the_digests_of_the_origins() -> None:
    assert Mirror.at("oci://mirror.example.com/charts") == Mirror(url="oci://mirror.example.com/charts")
