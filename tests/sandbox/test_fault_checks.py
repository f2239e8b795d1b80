"""Faults that would never happen, or do not happen yet, and those that mean nothing."""

import pytest

from sandbox import fault_checks, faults, server_faults
from sandbox.client import Client
from sandbox.discovery import Resource
from sandbox.operators import failures
from sandbox.operators.failures import Failure
from sandbox.server_faults import ServerFault
from tests.parts import Serving, chosen, nothing, status, told
from tools.problem import Problem


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
def test_a_webhook_for_a_kind_names_the_plural(serving: Serving, resource: str, plural: str) -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=rf"did you mean {plural}\?"):
            faults.run(home, chosen("webhook", "st-pool-a", resource, "--unreachable"))
        assert faults.others(home) == []
    assert serving.applied == []


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
    serving: Serving, resource: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with told(status()) as home:
        faults.run(home, chosen("webhook", "st-pool-a", resource, "--unreachable"))
        assert faults.others(home) == [f"webhook st-pool-a {resource}, unreachable"]
    assert len(serving.applied) == 1, "it is not wished for"
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
