"""What a region has otherwise than the catalogue: the key cobaltcore:releases, from the stack file to the releases."""

import importlib
from pathlib import Path
from typing import Any

import pytest
import yaml

from model import Problems, RegionSpec, stack_file
from model.catalog import Release, load_catalog, wanted
from tests.regions import loaded

# The key stands in line 3 of the file, so the first line of an override is line 4.
REGION = """\
config:
  cobaltcore:region: eu-de-1
  cobaltcore:releases:
{releases}
  cobaltcore:garden: {{kubeconfig: there-is-none.yaml}}
  cobaltcore:controlPlane: {{region: eu-de-1}}
  cobaltcore:hypervisorPools:
    - {{region: eu-de-1, name: hv, workers: 9, ironcore: {{machinePool: some}}}}
  cobaltcore:storagePools:
    - {{region: eu-de-1, name: st, arbiterCluster: third, ironcore: {{machinePool: some}}}}
  cobaltcore:openStackClusters:
    - region: eu-de-1
      name: one
      size: small
      hypervisorClusters: [hv]
      storageClusters: [st]
      cortex:
        enabled: true
"""
WANTED = frozenset({"cortex-operator", "horizon-operator", "valkey-operator", "external-arbiter-operator"})
MISTAKES = yaml.load((Path(__file__).parent / "mistakes.yaml").read_text(), yaml.CSafeLoader)["stack file"]
LOAD = importlib.import_module("model.load")  # `model.load` is also the function in it


def region(folder: Path, releases: str, change: tuple[str, str] = ("", "")) -> RegionSpec:
    text = REGION.format(releases="\n".join(f"    {line}" for line in releases.splitlines()))
    (folder / "Pulumi.eu-de-1.yaml").write_text(text.replace(*change, 1))
    return stack_file("eu-de-1", folder)


def said(folder: Path, releases: str, change: tuple[str, str] = ("", "")) -> list[str]:
    with pytest.raises(Problems) as caught:
        region(folder, releases, change)
    return list(caught.value.sentences)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake["says"][20:80])
def test_a_mistake_is_one_sentence_with_file_line_key_and_remedy(tmp_path: Path, mistake: dict[str, str]) -> None:
    assert said(tmp_path, mistake["releases"]) == [mistake["says"]]


@pytest.mark.parametrize("given", ["[rook-ceph]", "rook-ceph", "true"])
def test_what_is_no_mapping_is_said_to_be_none(tmp_path: Path, given: str) -> None:
    (sentence,) = said(tmp_path, "", ("cobaltcore:releases:", f"cobaltcore:releases: {given}"))
    assert sentence == (
        "Pulumi.eu-de-1.yaml:3: cobaltcore:releases is no mapping: "
        "write the name of a system, and below it what is otherwise."
    )


def test_it_is_said_together_with_all_other_mistakes(tmp_path: Path) -> None:
    sentences = said(tmp_path, "rok-ceph: {}\ncortex-operator: {enabled: false}", ("kubeconfig", "kubconfig"))
    assert [sentence.split(" is ")[0] for sentence in sentences] == [
        "Pulumi.eu-de-1.yaml:4: cobaltcore:releases.rok-ceph",
        "Pulumi.eu-de-1.yaml:6: cobaltcore:garden.kubconfig",
        "Pulumi.eu-de-1.yaml:5: cobaltcore:releases.cortex-operator.enabled",
    ]


def test_what_a_wrong_field_asks_for_is_not_known(tmp_path: Path) -> None:
    sentences = said(tmp_path, "cortex-operator: {enabled: false}", ("enabled: true", "enabled: perhaps"))
    assert sentences == [
        "Pulumi.eu-de-1.yaml:18: cobaltcore:openStackClusters[0].cortex.enabled is 'perhaps': use true or false."
    ]


def test_a_claim_of_a_folder_that_asks_is_named_with_its_file(tmp_path: Path) -> None:
    spec = {"region": "eu-de-1", "size": "small", "hypervisorClusters": ["hv"], "storageClusters": ["st"]}
    claim = {
        "apiVersion": "c5c3.io/v1alpha1",
        "kind": "OpenStackCluster",
        "metadata": {"name": "two", "namespace": "tenant-two"},
        "spec": {**spec, "tempest": {"enabled": True}},
    }
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "two.yaml").write_text(yaml.safe_dump(claim, sort_keys=False))
    key = "  cobaltcore:region: eu-de-1\n"
    (sentence,) = said(tmp_path, "tempest-operator: {enabled: false}", (key, f"{key}  cobaltcore:claims: claims\n"))
    assert sentence == (
        "Pulumi.eu-de-1.yaml:5: cobaltcore:releases.tempest-operator.enabled is false, and two asks for it with "
        "tempest.enabled (claims/two.yaml:14): remove the line as long as that is so."
    )


def test_a_mistake_in_the_catalogue_itself_is_said_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "catalog"
    folder.mkdir()
    (folder / "rook-ceph.yaml").write_text("description: Runs Ceph.\nversion: '>=0.1.0'\n")
    monkeypatch.setattr(LOAD, "load_catalog", lambda: load_catalog(folder))
    sentences = said(tmp_path, "rook-ceph: {version: '*'}")
    assert "catalog/rook-ceph.yaml:2: version is '>=0.1.0': add an upper bound, as in >=0.1.0 <1.0.0." in sentences
    assert sentences[-1].startswith("Pulumi.eu-de-1.yaml:4: cobaltcore:releases.rook-ceph.version is '*'")


@pytest.mark.parametrize("given", ["", "{}"])
def test_a_region_without_overrides_does_not_read_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setattr(LOAD, "load_catalog", None)
    assert region(tmp_path, "", ("cobaltcore:releases:", f"cobaltcore:releases: {given}")).releases == {}


ALL = """\
cortex-operator: {enabled: true}
fluent-bit: {enabled: false}
rook-ceph:
  version: ">=1.20.0 <1.20.5"
  values: {logLevel: DEBUG, csi: {enableRbdDriver: true}, list: [1, 2.5, null, {on: off}]}
"""


def test_dumping_and_loading_again_gives_the_same_overrides(tmp_path: Path) -> None:
    first = region(tmp_path, ALL)
    dumped = first.model_dump(by_alias=True, mode="json")
    assert first.releases["rook-ceph"].values["list"] == [1, 2.5, None, {"on": "off"}]
    assert loaded(dumped) == first
    assert loaded(dumped).model_dump(by_alias=True, mode="json") == dumped


def released(spec: RegionSpec, system: str) -> Release | None:
    catalog = load_catalog()
    kind = catalog.by_name[system].clusters[0]
    releases = catalog.releases(kind, spec.environment, spec.releases, wanted(spec))
    return next((one for one in releases if one.name == system), None)


def test_an_override_changes_the_releases_of_the_region(tmp_path: Path) -> None:
    before, after = region(tmp_path, "{}"), region(tmp_path, ALL)
    old, new = released(before, "rook-ceph"), released(after, "rook-ceph")
    assert old
    assert new
    assert (old.version, new.version) == (">=1.20.0 <1.21.0", ">=1.20.0 <1.20.5")
    assert new.values["logLevel"] == "DEBUG"
    before_csi: Any = old.values["csi"]
    assert new.values["csi"] == {**before_csi, "enableRbdDriver": True}
    assert released(before, "fluent-bit")
    assert not released(after, "fluent-bit")


def test_a_claim_brings_what_it_asks_for_and_what_that_needs(tmp_path: Path) -> None:
    spec = region(tmp_path, "{}")
    assert wanted(spec) == WANTED
    for system in (*WANTED, "cortex-crds", "cortex-postgres"):
        assert released(spec, system), system
    without = region(tmp_path, "{}", ("enabled: true", "enabled: false"))
    assert wanted(without) == WANTED - {"cortex-operator"}
    for system in ("cortex-operator", "cortex-crds", "cortex-postgres"):
        assert not released(without, system), system
