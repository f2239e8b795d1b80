"""What the model takes and what it refuses: one good region, one thing broken at a time."""

import time
from typing import Any

import pytest

from model import Problems
from model.naming import shoot_name
from tests.regions import STACKS, loaded, small, stack

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    (
        "controlPlane",
        {"region": "us-east-1"},
        "controlPlane.region is 'us-east-1', and this stack is the region 'eu-de-1'",
    ),
    ("controlPlane", {"workers": 12}, "workers (12) is more than maxWorkers (10)"),
    ("controlPlane", {"workers": 0}, "controlPlane.workers is 0: input should be greater than or equal to 1"),
    ("controlPlane", {"workers": "five"}, "controlPlane.workers is 'five': input should be a valid integer"),
    ("controlPlane", {"kubernetesVersion": "1.29"}, "use 1.33 or newer"),
    ("controlPlane", {"kubernetesVersion": "v1"}, 'use a Kubernetes version in quotation marks, as in "1.35"'),
    ("controlPlane", {"volumeSize": "big"}, "use a whole number with a unit, as in 200Gi or 500Ti"),
    ("controlPlane", {"machineTyp": "m5"}, "controlPlane.machineTyp is not a known key; did you mean machineType?"),
    ("hypervisorPools", {"name": "HV_A"}, "use lower-case letters, digits and hyphens"),
    ("storagePools", {"name": "hv-pool-a"}, "which hypervisorPools[0] has already"),
    ("hypervisorPools", {"ironcore": {}}, "hypervisorPools[0].ironcore.machinePool is missing; it has no default"),
    ("storagePools", {"ceph": {"deviceClass": "tape"}}, "'hdd', 'ssd' or 'nvme'"),
    ("storagePools", {"ceph": {"replicationFactor": 6}}, "less than or equal to 5"),
]


def broken(key: str, change: dict[str, Any]) -> dict[str, Any]:
    config = small()
    claim = config[key][0] if isinstance(config[key], list) else config[key]
    claim.update(change)
    return config


@pytest.mark.parametrize("name", STACKS)
def test_the_stack_files_are_good(name: str) -> None:
    assert loaded(stack(name), name).region == name


@pytest.mark.parametrize(("key", "change", "sentence"), MISTAKES, ids=[mistake[2][:50] for mistake in MISTAKES])
def test_a_mistake_is_said_in_a_sentence_with_file_key_and_remedy(
    key: str, change: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Problems) as caught:
        loaded(broken(key, change), "Pulumi.eu-de-1.yaml")
    assert sentence in str(caught.value), "the person must read what to write instead"
    for line in caught.value.sentences:
        assert line.startswith(f"Pulumi.eu-de-1.yaml: cobaltcore:{key}"), "each sentence says where"
        assert line.endswith((".", "?")), "and is a sentence"


def test_all_mistakes_are_said_at_once() -> None:
    config = small()
    config["controlPlane"]["workers"] = 0
    config["hypervisorPools"][0]["name"] = "HV_A"
    config["storagePools"][0]["colour"] = "blue"
    with pytest.raises(Problems) as caught:
        loaded(config)
    assert len(caught.value.sentences) == 3, "nobody wants to run a preview three times"


def test_a_loaded_region_cannot_be_changed() -> None:
    region = loaded(small())
    with pytest.raises(ValueError, match="frozen"):
        setattr(region.control_plane, "workers", 3)  # noqa: B010  (the type checker refuses the plain form)


def test_dumping_and_loading_again_gives_the_same_region() -> None:
    region = loaded(stack("eu-de-1"))
    assert loaded(region.model_dump(by_alias=True, mode="json")) == region


def test_a_thousand_pools_are_checked_in_a_second() -> None:
    pool = small()["hypervisorPools"][0]
    config = small(hypervisorPools=[{**pool, "name": f"hv-{number}"} for number in range(1000)])
    began = time.perf_counter()
    loaded(config)
    assert time.perf_counter() - began < 1.0


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [
        ("hv-pool-a", "hv-pool-a"),
        ("eu-de-1-control-plane", "eu-de-1-cp"),
        ("us-east-1-control-plane", "us-east-1-cp"),
        ("st-pool-encrypted", "st-pool-encrypted"),
        ("hv-pool-compliance", "hv-pool-comp-6772"),
    ],
)
def test_a_shoot_has_the_name_of_its_cluster_as_far_as_gardener_allows(cluster: str, expected: str) -> None:
    assert shoot_name(cluster, "garden-c5c3") == expected
    assert len(expected) <= 21 - len("c5c3"), "Gardener takes 21 characters for project and Shoot together"
