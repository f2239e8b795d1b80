"""The way into the clusters: a provider each, and nothing that opens them in anybody's state."""

from pathlib import Path

import pulumi
import pytest
import yaml

from access.login import locate
from components.cluster_access import ClusterAccess
from components.control_plane_cluster import ControlPlaneCluster, ControlPlaneClusterArgs
from components.garden import connect
from tests.plans import CANARY, CONFIG_MAP, PROVIDER, READY, SEEN, heard, made, plan
from tests.recorder import Recording, record
from tests.regions import loaded, small

CLUSTERS = {"eu-de-1-control-plane": "eu-de-1-cp", "hv-pool-a": "hv-pool-a", "st-pool-a": "st-pool-a"}


@pytest.fixture(name="region")
def made_region(tmp_path: Path) -> Recording:
    return made(small(), tmp_path / "garden.yaml")


def test_each_cluster_has_one_provider(region: Recording) -> None:
    names = {one.name for one in region.of_type(PROVIDER)}
    assert names == {"eu-de-1-garden", *(f"{cluster}-cluster" for cluster in CLUSTERS)}


def test_its_kubeconfig_is_made_of_what_gardener_publishes(region: Recording, tmp_path: Path) -> None:
    for cluster, shoot in CLUSTERS.items():
        config = yaml.safe_load(region.named(f"{cluster}-cluster").inputs["kubeconfig"])
        assert config["clusters"][0]["cluster"]["server"] == "https://api.example.com"
        assert str(tmp_path / "garden.yaml") in config["users"][0]["user"]["exec"]["args"]
        read = next(one for one in region.reads if one.name == f"{cluster}-ca")
        assert read.inputs["id"] == f"garden-c5c3/{shoot}.ca-cluster"
        assert "::eu-de-1-garden::" in read.provider


def test_what_is_unknown_before_the_cluster_is_there_stays_unknown() -> None:
    for cluster in CLUSTERS:
        provider = plan(small()).named(f"{cluster}-cluster")
        assert isinstance(provider.inputs["kubeconfig"], pulumi.output.Unknown), "and is no error"


def test_only_another_shoot_is_another_cluster(region: Recording) -> None:
    for cluster, shoot in CLUSTERS.items():
        provider = region.named(f"{cluster}-cluster")
        assert provider.inputs["clusterIdentifier"] == f"garden-c5c3/{shoot}", "whatever its kubeconfig says"
        assert [one.rpartition("::")[2] for one in provider.replace_with] == [f"{cluster}-shoot"]


def test_an_object_in_each_cluster_proves_the_access(region: Recording) -> None:
    for cluster in CLUSTERS:
        info = region.named(f"{cluster}-info")
        assert info.type == CONFIG_MAP
        assert f"::{cluster}-cluster::" in info.provider
        assert info.inputs["metadata"]["namespace"] == "kube-public", "it is there in every cluster"
        assert info.inputs["data"]["cluster"] == cluster
        assert info.deleted_with.endswith(f"::{cluster}-shoot"), "nobody empties a cluster that goes"


@pytest.mark.parametrize("path", ["gardens/own.yaml", "~/own.yaml"])
def test_a_path_means_the_same_for_the_provider_and_for_a_look(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative one is one from the clone, wherever Pulumi is run."""
    (tmp_path / "gardens").mkdir()
    for place in (tmp_path / "gardens/own.yaml", tmp_path / "own.yaml"):
        place.write_text("")
    monkeypatch.setattr("access.login.ROOT", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir("/")
    spec = loaded(small(garden={"kubeconfig": path}))

    def program() -> None:
        connect("garden", spec.garden, None, landscape=SEEN)

    assert record(program).named("garden").inputs["kubeconfig"] == str(locate(path))
    assert locate(path).exists()


def test_nothing_that_is_registered_opens_a_cluster(region: Recording) -> None:
    said = repr(list(region)) + repr(region.reads)
    assert CANARY not in said
    assert "client-key-data" not in said


def test_gardenlogin_can_take_the_place_of_the_own_command(tmp_path: Path) -> None:
    file = tmp_path / "garden.yaml"
    file.write_text("")
    garden = {"kubeconfig": str(file), "credentialPlugin": "gardenlogin", "identity": "landscape"}
    spec = loaded(small(garden=garden))

    def program() -> None:
        region = pulumi.ComponentResource("test:index:Own", "own")
        access = connect("garden", spec.garden, region, landscape=SEEN)
        ControlPlaneCluster("cp", ControlPlaneClusterArgs(claim=spec.control_plane, garden=access))

    provider = record(program, adds=READY).named("cp-cluster")
    assert yaml.safe_load(provider.inputs["kubeconfig"])["users"][0]["user"]["exec"]["command"] == "gardenlogin"


def test_a_component_hands_on_the_way_into_its_cluster(tmp_path: Path) -> None:
    """As the workloads use it, and a Python programmer in another Pulumi program."""
    file = tmp_path / "garden.yaml"
    file.write_text("")
    spec = loaded(small(garden={"kubeconfig": str(file)}))
    found: list[ClusterAccess] = []

    def program() -> None:
        own = pulumi.ComponentResource("test:index:Own", "own")
        garden = connect("garden", spec.garden, own, landscape=SEEN)
        made = ControlPlaneCluster("cp", ControlPlaneClusterArgs(claim=spec.control_plane, garden=garden))
        found.append(made.access)
        options = made.access.options(own)
        assert options.provider is made.access.provider
        assert options.deleted_with is made.access.shoot

    record(program, adds=READY)
    assert found[0].command.startswith("cobaltcore-access kubeconfig --garden")


SHOOT = {
    "metadata": {"name": "hv-pool-a", "namespace": "garden-c5c3", "labels": {"c5c3.io/cluster": "hv-pool-a"}},
    "status": {
        "lastOperation": {"type": "Create", "state": "Error", "progress": 40, "description": "no server is left"},
    },
}
NOT_LIVE = 'the Kubernetes API server reported that "a/b" failed to fully initialize or become live: '
LATE = "timed out waiting for the condition"


def fails(tmp_path: Path, operation: str, *errors: str) -> None:
    hook = made(small(), tmp_path / "garden.yaml").hooks["eu-de-1-garden-explains"]
    inputs = {"metadata": {"name": "hv-pool-a", "labels": {"c5c3.io/cluster": "hv-pool-a"}}}
    args = pulumi.ErrorHookArgs(
        urn="", id="", name="", type="", new_inputs=inputs, failed_operation=operation, errors=list(errors)
    )
    assert hook(args) is False, "Gardener goes on by itself; Pulumi need not try again"


@pytest.mark.parametrize(
    ("operation", "error", "begins", "words"),
    [
        ("create", f"{NOT_LIVE}{LATE}", "Cluster hv-pool-a (Shoot hv-pool-a) is not ready", "no server is left"),
        ("update", f"{NOT_LIVE}{LATE}", "Cluster hv-pool-a (Shoot hv-pool-a) is not ready", "no server is left"),
        ("update", f"{NOT_LIVE}not on Fridays.", "Cluster hv-pool-a: the garden refused its Shoot", "not on Fridays"),
        ("create", "no route", "Cluster hv-pool-a: its Shoot hv-pool-a could not be made or changed", "no route"),
        ("delete", LATE, "Cluster hv-pool-a (Shoot hv-pool-a) is not deleted yet", "no server is left"),
        (
            "delete",
            "it lacks consent",
            "Cluster hv-pool-a: its Shoot hv-pool-a could not be deleted",
            "it lacks consent",
        ),
    ],
)
def test_gardener_s_words_are_said_when_a_shoot_fails(  # noqa: PLR0913, PLR0917  (what fails, and what is said of it)
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str, error: str, begins: str, words: str
) -> None:
    class There:
        def get(self, path: str) -> object:
            assert path.endswith("/namespaces/garden-c5c3/shoots/hv-pool-a")
            return SHOOT

    def of(*_: object, **__: object) -> There:
        return There()

    said = heard(monkeypatch, "error")
    monkeypatch.setattr("components.garden.Connection.of", of)
    fails(tmp_path, operation, error)
    (sentence,) = said
    assert sentence.startswith(begins), sentence
    assert words in sentence, sentence
    assert "un the update again" in sentence


def test_an_interrupt_is_no_trouble_of_the_garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = heard(monkeypatch, "error")
    fails(tmp_path, "create", f"{NOT_LIVE}context canceled")
    assert said == [], "there is nothing to mend, and nobody to ask"


def test_a_garden_that_cannot_be_asked_is_said_without_its_kubeconfig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = heard(monkeypatch, "error")
    fails(tmp_path, "create")
    assert said[0].startswith("Cluster hv-pool-a: nobody knows how far it is.")
    assert "is not a kubeconfig" in said[0], "when the garden cannot be asked, that is said"
    assert CANARY not in said[0]
