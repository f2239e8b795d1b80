"""`python -m sandbox fault`, where no sandbox is needed: what it says, and what it takes back."""

from collections.abc import Iterable

import pytest

from model.mirror import Mirror
from sandbox import cli, faults, registry, server_faults, webhooks
from sandbox.client import Client
from sandbox.server_faults import ServerFault
from sandbox.state import Status
from sandbox.wares import Ware
from tests.parts import Serving, chosen, nothing, parts_in, status, told
from tools.problem import Problem


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
    serving: Serving,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert serving.applied == []
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
    serving: Serving, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((registry, "spoil"), (webhooks, "manifest")):
        monkeypatch.setattr(module, name, nothing)
    with told(status(fault_problems=["hv-pool-a does not come back: no memory is left"])) as home:
        faults.run(home, chosen("chart", "rook-ceph"))
        faults.run(home, chosen("webhook", "st-pool-a", "cephblockpools"))
        cli.show(home)
    assert len(serving.applied) == 1
    said = capsys.readouterr().out
    for line in (
        "a fault that you wished for: chart rook-ceph",
        "a fault that you wished for: webhook st-pool-a cephblockpools, refuses",
        "a fault that goes wrong: hv-pool-a does not come back: no memory is left",
    ):
        assert line in said
