"""What a loaded region is; test_mistakes.py has what is refused."""

import time

import pytest

from model.naming import shoot_name
from tests.regions import STACKS, loaded, small, stack


@pytest.mark.parametrize("name", STACKS)
def test_the_stack_files_are_good(name: str) -> None:
    assert loaded(stack(name), name).region == name


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
    began = time.process_time()  # whatever else the machine does
    loaded(config)
    assert time.process_time() - began < 1.0


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
