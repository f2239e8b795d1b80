"""Servers of IronCore: classes are declared, pools are looked up."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pulumi
import pytest

from components.landscape import Landscape
from tests.plans import SEEN, made, plan
from tests.regions import small

CLASS = "kubernetes:compute.ironcore.dev/v1alpha1:MachineClass"
KVM, STORAGE = "ironcore-baremetal-kvm", "ironcore-baremetal-storage"
ENOUGH = {KVM: {"baremetal-kvm": 100}, STORAGE: {"baremetal-storage": 30}}


def refusal(tmp_path: Path, landscape: Landscape) -> str:
    with pytest.raises(pulumi.RunError) as raised:
        made(small(), tmp_path / "garden.yaml", landscape)
    return str(raised.value)


def test_a_machine_class_is_what_the_cloud_profile_says(tmp_path: Path) -> None:
    recording = made(small(), tmp_path / "garden.yaml")
    classes = {one.inputs["metadata"]["name"]: one for one in recording.of_type(CLASS)}
    assert classes.keys() == {"baremetal-kvm", "baremetal-storage"}
    assert classes["baremetal-kvm"].inputs["capabilities"] == {"cpu": "128", "memory": "1Ti"}
    assert all(one.retain for one in classes.values()), "another region may use it"
    shoot = recording.named("hv-pool-a-shoot")
    assert any("class-baremetal-kvm" in one for one in shoot.depends_on), "the class is there before its servers"


def test_without_a_garden_what_a_class_has_is_unknown() -> None:
    for one in plan(small()).of_type(CLASS):
        assert isinstance(one.inputs["capabilities"], pulumi.output.Unknown)


@pytest.mark.parametrize(
    ("there", "sentence"),
    [
        (
            {STORAGE: ENOUGH[STORAGE]},
            (
                "hv-pool-a: ironcore.machinePool is 'ironcore-baremetal-kvm', which IronCore does not have: use one of "
                "ironcore-baremetal-storage, or have it made."
            ),
        ),
        (
            {**ENOUGH, KVM: {"baremetal-gpu": 100}},
            (
                "hv-pool-a: the machine pool ironcore-baremetal-kvm has no servers of the machine class "
                "'baremetal-kvm', only of baremetal-gpu: use another ironcore.machineClass or ironcore.machinePool."
            ),
        ),
        (
            {**ENOUGH, KVM: {"baremetal-kvm": 99}},
            (
                "hv-pool-a: maxWorkers is 100, and the machine pool ironcore-baremetal-kvm has 99 servers of the "
                "machine class baremetal-kvm: lower maxWorkers, or have servers added."
            ),
        ),
    ],
)
def test_servers_that_are_not_there_are_a_sentence(
    tmp_path: Path, there: Mapping[str, Mapping[str, int]], sentence: str
) -> None:
    assert sentence in refusal(tmp_path, replace(SEEN, machine_pools=there))


def test_all_that_is_missing_is_said_at_once(tmp_path: Path) -> None:
    said = refusal(tmp_path, replace(SEEN, machine_pools={}))
    assert "hv-pool-a" in said
    assert "st-pool-a" in said


def test_pools_that_share_servers_count_together(tmp_path: Path) -> None:
    config = small()
    config["hypervisorPools"].append({**config["hypervisorPools"][0], "name": "hv-pool-b"})
    with pytest.raises(pulumi.RunError, match="hv-pool-a and hv-pool-b: maxWorkers is 200 together"):
        made(config, tmp_path / "garden.yaml", SEEN)


def test_just_enough_is_enough(tmp_path: Path) -> None:
    assert made(small(), tmp_path / "garden.yaml", replace(SEEN, machine_pools=ENOUGH))


def test_a_type_that_the_cloud_profile_lacks_is_a_sentence(tmp_path: Path) -> None:
    config = small()
    config["hypervisorPools"][0]["ironcore"]["machineClass"] = "baremetal-new"
    with pytest.raises(pulumi.RunError, match="'baremetal-new', which the cloud profile ironcore does not have"):
        made(config, tmp_path / "garden.yaml", SEEN)
