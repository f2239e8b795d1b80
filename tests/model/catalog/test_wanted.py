"""The systems that a region's claims ask for."""

from typing import Any

import pytest

from model.catalog import load_catalog, wanted
from model.catalog.wanted import STORAGE_POOLS, TENANTS
from tests.regions import loaded, small, small_tenant


def tenant(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (whatever stands in the file)
    return small_tenant(**{"services": {"horizon": False}, **changes})


@pytest.mark.parametrize(
    ("change", "systems"),
    [
        ({}, set[str]()),
        ({"services": {"horizon": True}}, {"horizon-operator"}),
        ({"cortex": {"enabled": True}}, {"cortex-operator"}),
        ({"tempest": {"enabled": True}}, {"tempest-operator"}),
    ],
)
def test_each_field_asks_for_its_system_and_no_other(change: dict[str, Any], systems: set[str]) -> None:
    spec = loaded(small(openStackClusters=[tenant(), tenant(name="two", **change)]))
    assert wanted(spec) == {"valkey-operator", *systems}


def test_a_region_without_tenants_and_arbiters_asks_for_nothing() -> None:
    assert wanted(loaded(small())) == frozenset()


# Optional systems that no claim asks for, and who does.
OTHERS = {
    "cortex-crds": "needed by cortex-operator",
    "cortex-postgres": "needed by cortex-operator",
    "openbao-operator": "needed by barbican-operator",
    "barbican-operator": "no claim has a Barbican yet",
    "garage-operator": "no claim says where Glance keeps its images",
    "libvirt": "no claim says what its operating system brings",
    "aurora": "the region's operators",
    "greenhouse": "the region's operators",
    "prometheus": "the region's operators: it may be watched from outside",
    "fluent-bit": "the region's operators: it may be watched from outside",
    "node-exporter": "the region's operators: it may be watched from outside",
    "libvirt-exporter": "the region's operators: it may be watched from outside",
    "openstack-database-exporter": "the region's operators, who make its accounts",
    "opentelemetry-collector": "the region's operators, who have a backend for it",
}


def test_every_optional_system_is_asked_for_by_a_claim_or_known_not_to_be() -> None:
    optional = {entry.name for entry in load_catalog().entries if entry.optional}
    asked = {*TENANTS, *STORAGE_POOLS}
    assert asked | OTHERS.keys() == optional
    assert not asked & OTHERS.keys()
