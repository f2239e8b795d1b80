"""What two states of a region may differ in, and what must be done another way."""

from typing import Any, cast

import pytest

from model.changes import refused
from model.region import RegionSpec
from tests.regions import loaded, small, small_tenant, stack


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


STORAGE = {"region": "eu-de-1", "ironcore": {"machinePool": "servers-1"}}
KEPT = small_tenant(
    environment="staging",
    storageClusters=["st-pool-a", "st-b"],
    services={"manila": True},
    storage={"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True, "storageCluster": "st-b"}}},
)


def moved(change: dict[str, Any], *, protected: bool = False) -> list[str]:
    """What is said when the tenant above changes; its object store alone is not on the first storage pool."""

    def region(tenant: dict[str, Any]) -> RegionSpec:
        config = small(openStackClusters=[{**tenant, "deletionProtection": protected}])
        config["storagePools"].append({**STORAGE, "name": "st-b"})
        return loaded(config)

    return refused(region(KEPT), region(_merged(KEPT, change)))


def _merged(below: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    found = dict(below)
    for key, value in change.items():
        found[key] = _merged(found.get(key, {}), cast("Any", value)) if isinstance(value, dict) else value
    return found


GONE = (
    "tenant a: a-{} on {} would go with {} in it, as nothing asks for it any more: keep it there, or move the data "
    "away first."
).format
MOVED = (
    "tenant a: a-{} on st-pool-a would go with {} in it, as it would be made anew on st-b{}: keep it there, or move "
    "the data away first."
).format
REORDERED = ", which storageClusters names first now"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"storageClusters": ["st-b", "st-pool-a"]},
            [
                MOVED("images", "the images", REORDERED),
                MOVED("ephemeral", "the disks of its machines", REORDERED),
                MOVED("cephfs", "the shares", REORDERED),
            ],
        ),
        (
            {"storage": {"ceph": {"volumePool": {"backends": {"st-pool-a": {}}}}}},
            [GONE("volumes", "st-b", "the volumes")],
        ),
        (
            {"services": {"cinder": False}},
            [GONE("volumes", "st-pool-a", "the volumes"), GONE("volumes", "st-b", "the volumes")],
        ),
        (
            {"services": {"glance": False, "nova": False}},
            [GONE("images", "st-pool-a", "the images"), GONE("ephemeral", "st-pool-a", "the disks of its machines")],
        ),
        (
            {"services": {"manila": False}, "storage": {"ceph": {"filesystem": {"enabled": False}}}},
            [GONE("cephfs", "st-pool-a", "the shares")],
        ),
        ({"storage": {"ceph": {"objectStore": {"enabled": False}}}}, [GONE("rgw", "st-b", "the buckets")]),
        ({"storage": {"ceph": {"imagePool": {"storageCluster": "st-b"}}}}, [MOVED("images", "the images", "")]),
        ({"storage": {"ceph": {"volumePool": {"quotaGB": 5}}}, "services": {"horizon": False}}, []),
    ],
    ids=["reordered", "backends", "cinder", "glance", "filesystem", "object store", "image pool", "nothing moves"],
)
def test_each_pool_that_would_go_with_its_data_is_said(change: dict[str, Any], says: list[str]) -> None:
    assert moved(change) == says


def test_what_a_protected_tenant_loses_wants_its_consent() -> None:
    (sentence,) = moved({"storage": {"ceph": {"objectStore": {"enabled": False}}}}, protected=True)
    assert sentence.endswith("move the data away first, then set deletionProtection to false and update.")


def test_a_storage_pool_that_goes_is_said_once_and_what_stood_there_is_not_said_again() -> None:
    lost = {"storageClusters": ["st-pool-a"], "storage": {"ceph": {"objectStore": {"storageCluster": "st-pool-a"}}}}
    assert moved(lost) == [
        "tenant a: storageClusters loses st-b, which holds its data: move the data away first, or keep the pool."
    ]
