"""What two states of a region may differ in, and what must be done another way."""

from typing import Any

import pytest

from model.changes import refused
from tests.regions import loaded, stack


def changed(path: list[Any], value: object) -> list[str]:
    """What is refused of one change to eu-de-1; None as the value removes the entry."""
    before, after = stack("eu-de-1"), stack("eu-de-1")
    place: Any = after
    for part in path[:-1]:
        place = place[part]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return refused(loaded(before), loaded(after))


TENANT = ["openStackClusters", 1]  # customer-b-staging, small


def test_the_same_region_is_no_change() -> None:
    assert changed(["region"], "eu-de-1") == []


def test_a_larger_size_that_keeps_what_is_immutable_is_allowed() -> None:
    before, after = stack("eu-de-1"), stack("eu-de-1")
    after["openStackClusters"][0]["size"] = "xlarge"
    assert len(refused(loaded(before), loaded(after))) == 1, "large to xlarge has more databases"
    after["openStackClusters"][0]["sizing"] = {"mariadb": {"replicas": 3}}
    assert refused(loaded(before), loaded(after)) == [], "and with the databases it has, all the rest may grow"


def test_medium_to_large_changes_nothing_immutable() -> None:
    assert changed(["openStackClusters", 2, "size"], "large") == []


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ([*TENANT, "size"], "medium", "tenant customer-b-staging: size small to medium would change mariadb.replicas"),
        ([*TENANT, "sizing"], {"mariadb": {"storageSize": "200Gi"}}, "sizing would change mariadb.storageSize"),
        (TENANT, None, "tenant customer-b-staging is gone, and was protected"),
        (
            ["openStackClusters", 2],
            {**stack("eu-de-1")["openStackClusters"][2], "storageClusters": ["st-pool-b"], "storage": {}},
            "tenant internal-prod: storageClusters loses st-pool-a, which holds its data",
        ),
        (["storagePools", 0, "ironcore", "machinePool"], "other", "pool st-pool-a: ironcore changes"),
    ],
    ids=["size", "storage size", "tenant gone", "pool lost", "other servers"],
)
def test_what_cannot_change_in_place_is_said_with_the_way_out(path: list[Any], value: object, sentence: str) -> None:
    said = changed(path, value)
    assert any(sentence in one for one in said), said
    assert all(one.endswith(".") for one in said)
