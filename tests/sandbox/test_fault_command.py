"""`python -m sandbox fault`, where no sandbox is needed: what it refuses, and what it takes back."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from model.mirror import Mirror
from sandbox import cli, fault_checks, fault_parser, faults, registry, server_faults, webhooks
from sandbox.client import Client, Manifest
from sandbox.discovery import Resource
from sandbox.operators import failures
from sandbox.operators.failures import Failure
from sandbox.server_faults import ServerFault
from sandbox.state import Status
from sandbox.wares import Ware
from tests.parts import nothing, parts_in, status, told
from tools.problem import Problem


def chosen(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    fault_parser.parser(parser.add_subparsers().add_parser, "told")
    return parser.parse_args(["fault", *words])


def test_end_goes_on_after_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[str] = []

    def publish(mirror: Mirror, goods: Iterable[Ware]) -> None:
        assert goods
        published.append(mirror.url)

    monkeypatch.setattr(registry, "publish", publish)
    with told(status()) as home, parts_in(home.path) as parts:
        for cluster in ("garden", "st-pool-a"):
            parts.server(cluster)
        with pytest.raises(Problem) as caught:
            faults.run(home, chosen("end"))
    said = str(caught.value)
    assert published == ["oci://127.0.0.1:1"], "the charts are not mended"
    for cluster in ("garden", "management", "hv-pool-a", "st-pool-a"):
        assert f"The webhooks of {cluster} could not be taken away: " in said
    assert "Run `fault end` again" in said


def test_end_bears_that_a_cluster_goes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Shoot whose deletion a fault held up goes as soon as that is taken back."""

    def remove(_: Client) -> None:
        now = status()
        now.clusters.pop("st-pool-a", None)
        home.write(now)

    for module, name, instead in ((registry, "publish", nothing), (webhooks, "remove", remove)):
        monkeypatch.setattr(module, name, instead)
    with told(status()) as home:
        faults.run(home, chosen("end"))


def test_end_takes_webhooks_away_before_servers_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may be what hinders a server; a paused one would keep everybody waiting."""
    faults_then: list[int] = []

    def remove(_: Client) -> None:
        faults_then.append(len(server_faults.read(home.path).faults))

    for module, name, instead in ((registry, "publish", nothing), (webhooks, "remove", remove)):
        monkeypatch.setattr(module, name, instead)
    with told(status()) as home:
        paused, slow = (ServerFault(cluster="hv-pool-a", how="pause"), ServerFault(cluster="garden", how="slow"))
        full = ServerFault(cluster="management", how="throttle", share=1)
        server_faults.write(home.path, [paused, slow, full])
        faults.run(home, chosen("end"))
    assert faults_then == [3, 3, 0, 0], "two clusters answer before, the paused and the full one afterwards"


def test_end_says_which_server_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((registry, "publish"), (webhooks, "remove")):
        monkeypatch.setattr(module, name, nothing)
    lost = status(fault_problems=["hv-pool-a does not come back: no memory is left"])
    with told(lost) as home, pytest.raises(Problem, match="hv-pool-a does not come back: no memory is left"):
        faults.run(home, chosen("end"))


def test_a_webhook_for_a_cluster_that_is_down_is_a_sentence() -> None:
    with told(status()) as home, parts_in(home.path) as parts:
        parts.server("hv-pool-a")
        with pytest.raises(Problem, match=r"The cluster hv-pool-a takes no webhook now: .*refused"):
            faults.run(home, chosen("webhook", "hv-pool-a", "pods", "--unreachable"))
        assert faults.others(home) == []


def test_a_chart_for_a_registry_that_is_down_is_a_sentence() -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=r"The registry takes no chart now: .*refused"):
            faults.run(home, chosen("chart", "rook-ceph"))
        assert faults.others(home) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("fail", "CephBlokPool"),
            r"^Did you mean CephBlockPool\? .* CephBlokPool, .* There are: Shoot, .*ControlPlane",
        ),
        (("fail", "cephblockpool"), r"^Did you mean CephBlockPool\? Nothing stands in for .* cephblockpool"),
        (("fail", "shoots"), r"^Did you mean Shoot\? "),
        (("hang", "HelmRelease"), "^Nothing stands in for whoever works on HelmRelease"),
        (("fail", "Shoot", "--cluster", "hv-pool-a"), "Shoots are in the garden, .* `fault fail Shoot hv-pool-a`"),
        (("fail", "CephBlockPool", "--cluster", "garden"), "The garden has no CephBlockPool"),
        (("fail", "CephBlockPool", "--cluster", "st-pool-b"), "has no cluster st-pool-b"),
        (("end", "hv-pool-a"), "`fault end` takes all faults back, and takes no name such as hv-pool-a: leave it out"),
        (("pause", "*"), "A server has to be named"),
        (("webhook", "*", "pods"), "A cluster has to be named"),
        (("expire", "garden"), "Nobody gives out credentials for garden"),
        (("slow", "registry"), "The registry of charts can be paused or down"),
        (("chart", "nothing"), "nothing is no system of the catalogue"),
    ],
)
def test_a_fault_that_would_never_happen_is_refused(words: tuple[str, ...], sentence: str) -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=sentence):
            faults.run(home, chosen(*words))
        assert not list(home.path.glob("*fail*.json")), "it is wished for all the same"


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """What happens in one that serves just ConfigMaps."""

    applied: list[Manifest] = field(default_factory=list[Manifest])


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster()

    def served(_: Client) -> set[Resource]:
        return {Resource(group="", kind="ConfigMap", plural="configmaps", singular="configmap")}

    def apply(_: Client, manifest: Manifest) -> None:
        made.applied.append(manifest)

    monkeypatch.setattr(faults, "served", served)
    monkeypatch.setattr(Client, "apply", apply)
    return made


@pytest.mark.parametrize(
    ("resource", "plural"),
    [
        ("configmap", "configmaps"),
        ("ConfigMap", "configmaps"),
        ("ConfigMaps", "configmaps"),
        ("configmap/status", "configmaps/status"),
        ("CephBlockPool", "cephblockpools"),  # which may come later
        ("CephBlockPools", "cephblockpools"),
    ],
)
def test_a_webhook_for_a_kind_names_the_plural(cluster: Cluster, resource: str, plural: str) -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=rf"did you mean {plural}\?"):
            faults.run(home, chosen("webhook", "st-pool-a", resource, "--unreachable"))
        assert faults.others(home) == []
    assert cluster.applied == []


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ("cephblockpools", "st-pool-a serves no cephblockpools yet: the webhook refuses them as soon as it does.\n"),
        ("nosuchresource", "st-pool-a serves no nosuchresource yet: the webhook refuses them as soon as it does.\n"),
        ("configmaps", ""),
        ("configmaps/status", ""),
        ("*", ""),
    ],
)
def test_a_webhook_for_what_is_not_served_yet_says_so(
    cluster: Cluster, resource: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with told(status()) as home:
        faults.run(home, chosen("webhook", "st-pool-a", resource, "--unreachable"))
        assert faults.others(home) == [f"webhook st-pool-a {resource}, unreachable"]
    assert len(cluster.applied) == 1, "it is not wished for"
    assert capsys.readouterr().err == words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fail", "CephCluster", "--cluster", "hv-pool-a"), "hv-pool-a serves no CephCluster yet: it is made to fail"),
        (("hang", "Ceph*", "--cluster", "hv-pool-a"), "hv-pool-a serves no Ceph* yet: it is made to hang"),
        (("hang", "Certificate", "--cluster", "hv-pool-a"), ""),
        (("hang", "Issuer", "--cluster", "hv-pool-a"), "hv-pool-a serves no Issuer yet"),
        (("fail", "*", "--cluster", "hv-pool-a"), ""),
        (("fail", "CephCluster"), ""),
        (("fail", "CephCluster", "--cluster", "st-pool-a"), ""),  # which is paused, and says nothing
        (("fail", "Shoot", "hv-pool-a", "--cluster", "garden"), ""),
    ],
)
def test_a_failure_of_what_is_not_served_yet_says_so(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds all the same: charts bring kinds later."""

    def served(client: Client) -> set[Resource]:
        assert "hv-pool-a" in str(client.key), "nobody else is asked"
        return {
            Resource(group="cert-manager.io", kind="Certificate", plural="certificates", singular="certificate"),
            Resource(group="elsewhere.io", kind="Issuer", plural="issuers", singular="issuer"),
        }

    monkeypatch.setattr(faults, "served", served)
    monkeypatch.setattr(faults, "_await", nothing)
    with told(status()) as home:
        server_faults.write(home.path, [ServerFault(cluster="st-pool-a", how="pause")])
        faults.run(home, chosen(*words))
        assert len(failures.read(home.path / failures.FILE)) == 1
    heard = capsys.readouterr().err
    assert heard.startswith(said)
    assert bool(heard) == bool(said)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("throttle", "--share", "0"), "A share of the requests is more than 0, and at most 1, not 0."),
        (("throttle", "--share", "50"), "A share of the requests is more than 0, and at most 1, not 50."),
        (("throttle", "--share", "nan"), "A share of the requests is more than 0, and at most 1, not nan."),
        (("throttle", "--share", "50%"), "A share of the requests is more than 0, and at most 1, not 50%."),
        (("slow", "--seconds=-1"), "Seconds before a request are a number from 0 on, not -1."),
        (("slow", "--seconds", "inf"), "Seconds before a request are a number from 0 on, not inf."),
    ],
)
def test_a_measure_that_means_nothing_is_refused(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The proxy would refuse nothing, or end each request with an error of its own."""
    with pytest.raises(SystemExit):
        chosen(*words, "hv-pool-a")
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("words", [("throttle", "--share", "1"), ("slow", "--seconds", "0")])
def test_the_least_and_the_most_are_taken(words: tuple[str, ...]) -> None:
    measured = chosen(*words, "hv-pool-a")
    assert float(words[-1]) in (getattr(measured, "share", None), getattr(measured, "seconds", None))


@pytest.mark.parametrize(
    "failure",
    [
        Failure(cluster="*", kind="Shoot"),
        Failure(cluster="garden", kind="Shoot"),
        Failure(cluster="*", kind="Ceph*"),
        Failure(cluster="management", kind="Organization"),
        Failure(cluster="*", kind="*"),
    ],
    ids=str,
)
def test_a_fault_that_can_happen_is_none_to_complain_of(failure: Failure) -> None:
    fault_checks.check(failure)


def so(*_: object) -> Status:
    """Instead of a supervisor's doing."""
    return status()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pause", "hv-pool-a"), "hv-pool-a: pause. Take it back with `fault end`.\n"),
        (("hang", "Shoot", "one"), "hang Shoot one, in every cluster. Take it back with `fault end`.\n"),
        (("chart", "rook-ceph"), "chart rook-ceph. Take it back with `fault end`.\n"),
        (
            ("webhook", "st-pool-a", "configmaps", "--unreachable"),
            "webhook st-pool-a configmaps, unreachable. Take it back with `fault end`.\n",
        ),
        (("end",), "All faults are taken back.\n"),
    ],
)
def test_what_has_been_done_is_said(
    words: tuple[str, ...],
    said: str,
    cluster: Cluster,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cluster.applied == []
    for module, name in ((registry, "spoil"), (registry, "publish"), (webhooks, "remove")):
        monkeypatch.setattr(module, name, nothing)
    monkeypatch.setattr(faults, "_await", so)
    with told(status()) as home:
        faults.run(home, chosen(*words))
    heard = capsys.readouterr()
    assert (heard.out, heard.err) == (said, "")


def test_a_second_fault_of_a_server_says_that_it_takes_the_place_of_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with told(status()) as home:
        faults.run(home, chosen("slow", "hv-pool-a"))
        faults.run(home, chosen("pause", "st-pool-a"))
        assert capsys.readouterr().err == ""
        faults.run(home, chosen("down", "hv-pool-a"))
    slow = ServerFault(cluster="hv-pool-a", how="slow", seconds=1.0)
    assert f"hv-pool-a: down takes the place of {slow}." in capsys.readouterr().err


def test_a_fault_waits_for_the_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at it here."""
    monkeypatch.setattr(faults, "SECONDS", 0.5)
    with told(status(wish=0)) as home:
        for words in (("pause", "hv-pool-a"), ("fail", "CephBlockPool")):
            with pytest.raises(Problem, match="The sandbox has not done it after 0 s"):
                faults.run(home, chosen(*words))


def test_status_lists_webhooks_and_charts_too(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((registry, "spoil"), (webhooks, "manifest")):
        monkeypatch.setattr(module, name, nothing)
    with told(status(fault_problems=["hv-pool-a does not come back: no memory is left"])) as home:
        faults.run(home, chosen("chart", "rook-ceph"))
        faults.run(home, chosen("webhook", "st-pool-a", "cephblockpools"))
        cli.show(home)
    assert len(cluster.applied) == 1
    said = capsys.readouterr().out
    for line in (
        "a fault that you wished for: chart rook-ceph",
        "a fault that you wished for: webhook st-pool-a cephblockpools, refuses",
        "a fault that goes wrong: hv-pool-a does not come back: no memory is left",
    ):
        assert line in said
