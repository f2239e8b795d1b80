"""What a cluster gets of the catalogue: the order, the environments, and what a region may change."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import JsonValue, ValidationError

from model.catalog import CLUSTER_KINDS, ENVIRONMENTS, PHASES, ClusterKind, Release, ReleaseOverride, load_catalog
from model.catalog.entry import GitSource, OciSource
from model.catalog.rules import order
from model.problems import Finding, Problems
from model.words import Environment, Size

CATALOG = load_catalog()
OPTIONAL = [entry.name for entry in CATALOG.entries if entry.optional]
MISTAKES: dict[str, Any] = yaml.load((Path(__file__).parent / "mistakes.yaml").read_text(), yaml.CSafeLoader)
DIGEST: str = MISTAKES["digest"]
COMMIT: str = MISTAKES["commit"]

everywhere = pytest.mark.parametrize("cluster", CLUSTER_KINDS)
always = pytest.mark.parametrize("environment", ENVIRONMENTS)


def names(releases: tuple[Release, ...]) -> list[str]:
    return [release.name for release in releases]


@everywhere
@always
@pytest.mark.parametrize("wanted", [(), OPTIONAL], ids=["as it is", "with everything"])
def test_releases_come_after_what_they_wait_for_and_phase_by_phase(
    cluster: ClusterKind, environment: Environment, wanted: list[str]
) -> None:
    releases = CATALOG.releases(cluster, environment, wanted=wanted)
    there = names(releases)
    assert set(wanted) <= {*there, *(entry.name for entry in CATALOG.entries if cluster not in entry.clusters)}
    assert [PHASES.index(release.entry.phase) for release in releases] == sorted(
        PHASES.index(release.entry.phase) for release in releases
    )
    hub = names(CATALOG.releases("management", environment, wanted=wanted))
    for release in releases:
        assert set(release.entry.needs) <= {need.name for need in release.depends_on}
        for need in release.depends_on:
            if need.cluster == cluster:
                assert there.index(need.name) < there.index(release.name)
            else:
                assert need.cluster == "management", "every HelmRelease lives there, whatever cluster it is for"
                assert need.name in hub


def test_the_order_does_not_depend_on_the_order_of_files() -> None:
    chance = random.Random(3)
    for _ in range(20):
        shuffled = chance.sample(CATALOG.entries, len(CATALOG.entries))
        assert tuple(order(shuffled)) == CATALOG.entries


def test_a_need_that_the_cluster_does_not_have_is_the_management_cluster_s() -> None:
    release = next(one for one in CATALOG.releases("storage", "production") if one.name == "external-secrets")
    assert {need.name: need.cluster for need in release.depends_on} == {
        "cert-manager": "storage",
        "openbao": "management",
    }


def test_a_need_says_whether_flux_can_wait_for_it() -> None:
    release = next(one for one in CATALOG.releases("control-plane", "production") if one.name == "c5c3-operator")
    assert [need.name for need in release.depends_on if need.manifests] == ["k-orc"]
    release = CATALOG.releases("management", "production")[1]
    assert [(need.name, need.bootstrap) for need in release.depends_on] == [("flux-operator", True)]


def test_what_only_goes_first_is_waited_for_where_it_is() -> None:
    def waits(overrides: dict[str, ReleaseOverride]) -> bool:
        releases = CATALOG.releases("control-plane", "production", overrides)
        operator = next(one for one in releases if one.name == "c5c3-operator")
        return "valkey-operator" in {need.name for need in operator.depends_on}

    assert waits({})
    assert not waits({"valkey-operator": ReleaseOverride(enabled=False)})


def test_a_release_says_which_kubernetes_it_needs() -> None:
    releases = {one.name: one for one in CATALOG.releases("control-plane", "production", wanted=["openbao-operator"])}
    operator = releases["openbao-operator"]
    assert not operator.runs_on("1.32.9")
    assert operator.runs_on("1.33")
    assert operator.runs_on("1.35.4")
    assert releases["cert-manager"].runs_on("1.29")


def replicas(values: JsonValue) -> Iterator[int]:
    if isinstance(values, dict):
        for key, value in values.items():
            if key in {"replicas", "replicaCount"} and isinstance(value, int):
                yield value
            yield from replicas(value)


def test_production_runs_things_twice_and_development_once() -> None:
    several = {one.name: list(replicas(one.values_for("production"))) for one in CATALOG.entries}
    assert sum(max(numbers, default=1) > 1 for numbers in several.values()) >= 20
    for one in CATALOG.entries:
        assert all(number == 1 for number in replicas(one.values_for("development"))), one.name


def test_staging_is_what_production_is_where_nothing_else_is_said() -> None:
    different = {one.name for one in CATALOG.entries if one.values_for("staging") != one.values_for("production")}
    assert different == {"flux-instance", "prometheus"}, "a change must be tried where it behaves the same"


def test_environments_switch_what_is_optional() -> None:
    assert "tempest-operator" in names(CATALOG.releases("control-plane", "staging"))
    assert "tempest-operator" not in names(CATALOG.releases("control-plane", "production"))
    assert "fluent-bit" not in names(CATALOG.releases("hypervisor", "development"))
    assert "fluent-bit" in names(CATALOG.releases("hypervisor", "production"))


def test_what_a_claim_asks_for_brings_what_it_needs() -> None:
    there = names(CATALOG.releases("control-plane", "production", wanted=["cortex-operator"]))
    assert {"cortex-operator", "cortex-crds", "cortex-postgres"} <= set(there)
    assert not {"cortex-crds", "cortex-postgres"} & set(names(CATALOG.releases("control-plane", "production")))


def test_a_region_s_values_are_merged_over_those_of_the_environment() -> None:
    override = ReleaseOverride(values={"webhook": {"timeoutSeconds": 5}, "new": [1]})
    releases = CATALOG.releases("storage", "development", {"cert-manager": override})
    release = next(one for one in releases if one.name == "cert-manager")
    assert release.values["webhook"] == {"replicaCount": 1, "timeoutSeconds": 5}
    assert release.values["new"] == [1]
    assert release.version == ">=1.16.0 <2.0.0"


def test_values_differ_by_size_and_by_kind_of_cluster() -> None:
    def prometheus(cluster: ClusterKind, size: Size | None) -> dict[str, Any]:
        releases = CATALOG.releases(cluster, "staging", size=size)
        return dict(next(one for one in releases if one.name == "prometheus").values)

    plain, large = prometheus("storage", "small"), prometheus("storage", "large")
    assert plain == prometheus("storage", None)
    spec = {"replicas": 1, "retention": "7d", "resources": {"requests": {"memory": "8Gi"}}}
    assert large["prometheus"]["prometheusSpec"].items() >= spec.items(), "the environment's stay"
    assert "resources" not in plain["prometheus"]["prometheusSpec"]
    assert plain["grafana"] == {"enabled": False}
    assert prometheus("management", None)["grafana"] == {"enabled": True}, "where the metrics of all are seen"


def test_a_region_s_values_for_one_cluster_win_there_and_stay_there() -> None:
    override = ReleaseOverride.model_validate(
        {"values": {"replicaCount": 3, "a": {"b": 1}}, "clusters": {"st-pool-b": {"values": {"a": {"c": 2}}}}}
    )
    releases = CATALOG.releases("storage", "production", {"cert-manager": override})
    release = next(one for one in releases if one.name == "cert-manager")
    assert release.values_in("st-pool-b")["a"] == {"b": 1, "c": 2}
    assert release.values_in("st-pool-b")["replicaCount"] == 3
    assert release.values_in("st-pool-a") == release.values
    assert release.values["a"] == {"b": 1}


def test_a_region_s_version_and_pins_replace_the_catalogue_s() -> None:
    overrides = {
        "rook-ceph": ReleaseOverride(version="1.20.3"),
        "openbao-operator": ReleaseOverride(enabled=True, version="0.4.3", digest=DIGEST),
        "k-orc": ReleaseOverride(version="2.7.0", commit=COMMIT),
    }
    releases = {one.name: one for one in CATALOG.releases("control-plane", "production", overrides)}
    bao, orc = releases["openbao-operator"], releases["k-orc"]
    assert isinstance(bao.source, OciSource)
    assert (bao.version, bao.source.digest) == ("0.4.3", DIGEST)
    assert isinstance(orc.source, GitSource)
    assert (orc.version, orc.source.commit) == ("2.7.0", COMMIT)
    assert {one.name: one for one in CATALOG.releases("storage", "production", overrides)}[
        "rook-ceph"
    ].version == "1.20.3"


@pytest.mark.parametrize("mistake", MISTAKES["region"], ids=lambda mistake: mistake["says"][:60])
def test_a_region_s_change_that_breaks_a_rule_is_refused(mistake: dict[str, Any]) -> None:
    overrides = {name: ReleaseOverride.model_validate(change) for name, change in mistake["change"].items()}
    with pytest.raises(Problems) as caught:
        CATALOG.releases("control-plane", "production", overrides)
    assert caught.value.sentences == (mistake["says"],)


def test_a_region_cannot_refuse_what_it_asks_for_elsewhere() -> None:
    overrides = {"openbao-operator": ReleaseOverride(enabled=False), "barbican-operator": ReleaseOverride(enabled=True)}
    (said,) = CATALOG.mistakes("production", overrides)
    assert said == Finding(
        ("openbao-operator", "enabled"),
        "is false, and barbican-operator needs openbao-operator: "
        "switch barbican-operator off too, or keep openbao-operator",
    )


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ({"version": ">=1.0.0"}, "add an upper bound"),
        ({"version": "latest"}, "no version of three numbers"),
        ({"values": {"image": {"tag": "latest"}}}, "which is another image every day"),
        ({"digest": "sha256:0"}, "64 hexadecimal digits"),
        ({"chart": "other"}, "Extra inputs are not permitted"),
    ],
)
def test_a_region_s_change_obeys_the_rules_of_the_catalogue(override: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ReleaseOverride.model_validate(override)
