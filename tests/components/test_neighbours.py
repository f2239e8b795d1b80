"""Several regions and one management cluster."""

from pathlib import Path
from typing import Any

import pulumi
import pytest

from access.problem import Problem
from components import neighbours
from components.flux_chart import FluxChart
from components.neighbours import Neighbours, check, mistakes
from tests.plans import heard, plan
from tests.recorder import Recording
from tests.regions import loaded, small

MANAGEMENT = {"kubeconfig": "m.yaml", "issuer": "https://issuer.example.com"}
STORE = {"secretStore": {"server": "https://openbao.example.com:8200"}}


def region(**management: Any) -> Recording:  # noqa: ANN401
    return plan(small(management={**MANAGEMENT, **STORE, **management}, chartMirror="oci://mirror.example.com"))


def said(found: Neighbours, *, shared: bool = False) -> list[str]:
    spec = loaded(small(management={**MANAGEMENT, "shared": shared}))
    assert spec.management is not None
    return list(mistakes(spec, spec.management, found))


def test_a_region_that_is_alone_or_met_only_itself_is_planned() -> None:
    assert said(Neighbours()) == []
    assert said(Neighbours(owner="eu-de-1", clusters={"hv-pool-a": "eu-de-1"})) == []
    assert said(Neighbours(owner="us-east-1", clusters={"hv-pool-us": "us-east-1"}), shared=True) == []


def test_a_second_region_does_not_take_the_first_one_s_systems() -> None:
    (sentence,) = said(Neighbours(owner="us-east-1"))
    assert sentence == (
        "The management cluster of m.yaml has its systems from the region us-east-1: set "
        "cobaltcore:management.shared to true to use them too, or name another management cluster."
    )


def test_what_nobody_brings_cannot_be_shared() -> None:
    assert "has no region yet that brings its systems" in said(Neighbours(), shared=True)[0]
    assert "has its systems from this region" in said(Neighbours(owner="eu-de-1"), shared=True)[0]


def test_two_clusters_of_one_name_are_refused_with_both_regions() -> None:
    found = Neighbours(owner="us-east-1", clusters={"hv-pool-a": "us-east-1", "hv-pool-b": "us-east-1"})
    (sentence,) = said(found, shared=True)
    assert "has a cluster hv-pool-a of the region us-east-1 already" in sentence


def test_a_region_that_shares_brings_nothing_of_the_management_cluster() -> None:
    own, shared = region(), region(shared=True)
    assert own.named("eu-de-1-management-owner").inputs["data"] == {"region": "eu-de-1"}
    missing = {one.name for one in own} - {one.name for one in shared}
    names = {name for name in missing if "-source-" not in name}
    assert names == {one.name for one in own if one.name.startswith("eu-de-1-management-")}, "and only that is missing"
    assert [one for one in shared if one.name.startswith("eu-de-1-management-")] == []


def test_a_region_that_shares_has_sources_of_its_own_and_flux_still_waits() -> None:
    shared = region(shared=True)
    sources = [one.inputs["metadata"]["name"] for one in shared if one.type.startswith("kubernetes:source.toolkit")]
    assert sources
    assert all(name.startswith("eu-de-1-") for name in sources)
    release = shared.named("hv-pool-a-external-secrets").inputs["spec"]
    assert {"name": "openbao", "namespace": "flux-system"} in release["dependsOn"]
    assert release["chart"]["spec"]["sourceRef"]["name"] in sources


def test_what_belongs_to_a_region_says_so_where_the_next_one_looks() -> None:
    labels = region().named("hv-pool-a-namespace").inputs["metadata"]["labels"]
    assert (labels["c5c3.io/cluster"], labels["c5c3.io/region"]) == ("hv-pool-a", "eu-de-1")


class Cluster:
    """A management cluster as its API answers."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers

    def get(self, path: str) -> Any:  # noqa: ANN401
        if "error" in self.answers:
            raise Problem("it gives no answer.")
        return self.answers["owner" if "configmaps" in path else "namespaces"]


def looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, preview: bool, **answers: Any) -> bool:  # noqa: ANN401
    def of(*_: object) -> Cluster:
        return Cluster(answers)

    def dry() -> bool:
        return preview

    file = tmp_path / "m.yaml"
    file.write_text("")
    monkeypatch.setattr(neighbours.Connection, "of", of)
    monkeypatch.setattr("pulumi.runtime.is_dry_run", dry)
    spec = loaded(small(management={**MANAGEMENT, "kubeconfig": str(file)}))
    assert spec.management is not None
    nobody: Any = None
    return check(spec, spec.management, nobody)


def test_what_the_cluster_says_is_read_and_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    labels = {"c5c3.io/cluster": "hv-pool-a", "c5c3.io/region": "us-east-1"}
    with pytest.raises(pulumi.RunError) as refused:
        looked(
            monkeypatch,
            tmp_path,
            preview=True,
            owner={"data": {"region": "us-east-1"}},
            namespaces={
                "items": [{"metadata": {"labels": labels}}, {"metadata": {"labels": {"c5c3.io/cluster": "x"}}}]
            },
        )
    assert str(refused.value).startswith("nothing was planned.\nThe management cluster of ")
    assert len(str(refused.value).splitlines()) == 3
    assert looked(monkeypatch, tmp_path, preview=False, owner=None, namespaces={"items": []}) is False, "it answered"


def test_a_cluster_that_cannot_be_seen_warns_a_plan_and_stops_an_update(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    warned = heard(monkeypatch, "warn")
    assert looked(monkeypatch, tmp_path, preview=True, error=True), "which its provider's maker is to know"
    assert warned == [f"it gives no answer. {neighbours.WITHOUT}"]
    with pytest.raises(pulumi.RunError, match="Nothing was changed: run the update again when the management cluster"):
        looked(monkeypatch, tmp_path, preview=False, error=True)


def test_behind_a_cluster_that_cannot_be_seen_the_plan_is_as_without_access(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The provider would render Flux's chart with the help of its API, and fail."""
    file = tmp_path / "m.yaml"
    file.write_text("")
    config = small(management={**MANAGEMENT, "kubeconfig": str(file)})
    looked_at: list[FluxChart] = []

    def look(chart: FluxChart) -> None:
        looked_at.append(chart)

    monkeypatch.setattr(FluxChart, "check", look)
    for silent in (False, True):

        def checked(*_: object, silent: bool = silent) -> bool:
            return silent

        monkeypatch.setattr(neighbours, "check", checked)
        kubeconfig = plan(config).named("eu-de-1-management").inputs["kubeconfig"]
        assert isinstance(kubeconfig, pulumi.output.Unknown) is silent, kubeconfig
        assert len(looked_at) == 1, "nobody asks for a chart that is not rendered"
