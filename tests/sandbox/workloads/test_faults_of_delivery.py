"""Faults of the management cluster and of what Flux needs, as a person meets them who runs `pulumi up`."""

import re

import pytest

from tests.live_faults import converges, cut_off, fails
from tests.live_region import STACK, asked, program
from tests.live_releases import condition, of_flux
from tests.sandboxes import Running, faults, until

pytestmark = pytest.mark.servers

BUSY = r"management.yaml has too much to do, and 8 times refused /api/\S+"


def test_a_wrong_version_fails_with_the_release_the_cluster_and_flux_s_own_words(broken: str) -> None:
    assert (
        "Release ovs-vswitchd in cluster hv-pool-us is not ready: it was waited for up to 2 min. Flux says: " in broken
    )
    assert "unpublished/ovs-vswitchd:0.1.99: not found" in broken


def test_what_is_wrong_is_said_long_before_the_time_is_over(broken: str) -> None:
    early = "Still waiting, perhaps for this: release ovs-vswitchd in cluster hv-pool-us. It says: "
    assert broken.index(early) < broken.index("Release ovs-vswitchd in cluster hv-pool-us is not ready")


def test_a_chart_that_is_garbage_is_said_in_the_same_way(broken: str) -> None:
    said = broken[broken.index("Release libvirt-exporter in cluster hv-pool-us is not ready") :]
    assert re.search(r"^.*?Flux says: (.*chart.*)\. Flux goes on trying", said), said


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (("down",), "management.yaml, gives no answer: .*Connection refused"),
        (("pause",), "management.yaml, gives no answer: nothing came within 10 s"),
        (("throttle", "--share", "1"), BUSY),
    ],
    ids=["down", "pause", "throttle"],
)
def test_the_management_cluster_gives_no_answer(region: Running, how: tuple[str, ...], why: str) -> None:
    """An update stops before it begins, and nothing is changed."""
    with faults(region, (how[0], "management", *how[1:])):
        code, said = program(region, "up", "--yes", "--skip-preview", *asked(region, STACK))
        assert code != 0, said
        said = " ".join(said.split())
        assert re.search(rf"the management cluster of \S+{why}", said, re.IGNORECASE), said
        assert "Nothing was changed: run the update again when the management cluster answers." in said
    assert region.status.ended == {}, "a program bears it that the cluster is away for a while"


@pytest.mark.parametrize(
    ("words", "probe"),
    [
        (("slow", "management", "--seconds", "0.2"), 2),
        pytest.param(("throttle", "management", "--share", "0.3"), 3, marks=pytest.mark.thorough),
    ],
    ids=["slow", "throttle"],
)
def test_a_management_cluster_that_has_much_to_do_is_borne_also_by_a_cluster_that_begins_to_trust_it(
    region: Running, words: tuple[str, ...], probe: int
) -> None:
    """A server that was restarted asks it for the keys of its tokens, without a name."""
    changed = asked(region, STACK, {"ovs-vswitchd": {"values": {"probe": probe}}})
    try:
        with faults(region, ("expire", "hv-pool-us"), words):
            code, said = program(region, "up", "--yes", "--skip-preview", *changed)
            assert code == 0, said
            delivered = of_flux(region)["hv-pool-us", "ovs-vswitchd"]
            assert (delivered["spec"]["values"]["probe"], condition(delivered)["status"]) == (probe, "True")
    finally:
        converges(region)


@pytest.mark.thorough
def test_a_webhook_refuses_a_release(region: Running) -> None:
    with faults(region, ("webhook", "management", "helmreleases")):
        said = fails(region, {"ovs-vswitchd": {"values": {"probe": 0}}})
    assert "HelmRelease ovs-vswitchd for cluster hv-pool-us could not be made or changed" in said
    assert "denied the request: a fault of the sandbox" in said
    converges(region)


def test_a_preview_without_the_management_cluster_says_what_it_cannot_see(region: Running) -> None:
    with faults(region, ("down", "management")):
        code, said = program(region, "preview", *asked(region, STACK))
    assert code == 0, said
    assert "without Flux's chart: what that has made shows as deleted here, and no update deletes it." in said
    gone = re.findall(r"^ -  \S+ (\S+) delete", said, re.MULTILINE)
    assert gone, "Pulumi shows none as deleted any more: the sentence is to go"
    assert all(name.startswith("us-east-1-management-flux-operator:") for name in gone), gone
    assert not re.search(r"^ \+", said, re.MULTILINE), "nothing is planned anew"


@pytest.fixture(scope="module")
def starved(region: Running) -> str:
    """What an update says after somebody has taken a release away that another one needs."""
    taken = of_flux(region)["hv-pool-us", "ovs-vswitchd"]
    region.client("management").delete(taken)
    until(lambda: ("hv-pool-us", "ovs-vswitchd") not in of_flux(region) or None, lambda: "Flux does not let it go", 180)
    return fails(region, {"ovn-controller": {"values": {"probe": 1}}})


def test_a_dependency_that_is_gone_is_said_with_what_needs_it(starved: str) -> None:
    said = starved[starved.index("Release ovn-controller in cluster hv-pool-us is not ready: it was waited for") :]
    gone = "hv-pool-us/ovs-vswitchd"
    assert re.search(rf"^.*?Flux says: .*unable to get '{gone}' dependency: .*not found", said), said
    assert f"with `--refresh`, which makes {gone} again: somebody took it away." in said


@pytest.mark.parametrize("what", [("up", "--yes", "--skip-preview"), ("preview",)])
@pytest.mark.parametrize(("how", "why"), [("down", "Connection refused"), ("pause", "nothing came within 10 s")])
def test_the_registry_gives_no_answer(region: Running, how: str, why: str, what: tuple[str, ...]) -> None:
    """Pulumi renders the chart of Flux's operator at every run, and would wait for it without end."""
    with faults(region, (how, "registry")):
        code, said = program(region, *what, *asked(region, STACK))
    assert code != 0, said
    said = " ".join(said.split())
    assert re.search(rf"127.0.0.1:\d+, the registry of cobaltcore:chartMirror, gives no answer: .*{why}", said), said
    assert "Nothing was changed: run it again when the registry answers." in said
    assert "Traceback" not in said
    assert "unable to locate the chart" not in said, "Pulumi was not even asked"


def test_the_next_update_sets_it_right(region: Running, starved: str) -> None:
    assert starved
    converges(region)
    for name in ("ovs-vswitchd", "ovn-controller"):
        assert condition(of_flux(region)["hv-pool-us", name])["status"] == "True"


@pytest.mark.thorough
def test_a_registry_that_goes_away_on_the_way_is_said_with_the_release(region: Running) -> None:
    try:
        with faults(region):
            said = cut_off(region, "hv-pool-us", "ovs-vswitchd", "ovs-agent")
            told = said[said.index("Release ovs-agent in cluster hv-pool-us is not ready: it was waited for") :]
            reached = r"^.*?Flux says: .*flux-system/hv-pool-us-ovs-agent.*connection refused.* Flux goes on"
            assert re.search(reached, told), said
            assert "then run the update again" in told
            there = condition(of_flux(region)["hv-pool-us", "ovs-vswitchd"])
            assert there["status"] == "True", "its chart is there already"
    finally:
        converges(region)
    assert condition(of_flux(region)["hv-pool-us", "ovs-agent"])["status"] == "True"
