"""Every object of every tenant of the stack files, with all that is in it."""

import pytest

from tests.recorder import Recording
from tests.tenant_specs import On, Tenant, specs
from tests.tenants import TENANT, of_tenant, place

STANDARD, PREMIUM = {"tier": "standard"}, {"tier": "premium"}
SOX = {"dedicated": "true", "compliance": "sox", "isolation": "physical"}
TENANTS = [
    Tenant(
        *("eu-de-1", "customer-a-prod", "large"),
        hypervisors={"hv-pool-a": On(20, "az-1", STANDARD), "hv-pool-b": On(30, "az-2", PREMIUM)},
        storage={"st-pool-a": ("nvme", 10000)},
        owner="tenant-customer-a",
        issuer="letsencrypt-prod",
        octavia=True,
        cortex=("nova", "cinder"),
    ),
    Tenant(
        *("eu-de-1", "customer-b-staging", "small"),
        hypervisors={"hv-pool-a": On(5, "az-1", STANDARD)},
        storage={"st-pool-a": ("nvme", 2000)},
        owner="tenant-customer-b",
        environment="staging",
    ),
    Tenant(
        *("eu-de-1", "internal-prod", "medium"),
        hypervisors={"hv-pool-b": On(30, "az-2", PREMIUM)},
        storage={"st-pool-a": ("nvme", 20000), "st-pool-b": ("hdd", 200000)},
        owner="tenant-internal",
    ),
    Tenant(
        *("eu-de-1", "finance-prod", "large"),
        hypervisors={"hv-pool-compliance": On(None, None, SOX)},
        storage={"st-pool-encrypted": ("nvme", 0)},
        owner="tenant-finance",
    ),
    Tenant(
        *("eu-de-1", "team-a-prod", "large"),
        hypervisors={"hv-pool-a": On(15, "az-1", STANDARD), "hv-pool-b": On(20, "az-2", PREMIUM)},
        storage={"st-pool-a": ("nvme", 20000)},
        owner="tenant-team-a",
    ),
    Tenant(
        *("eu-de-1", "team-b-staging", "small"),
        hypervisors={"hv-pool-a": On(5, "az-1", STANDARD)},
        storage={"st-pool-a": ("nvme", 2000)},
        owner="tenant-team-b",
        environment="staging",
    ),
    Tenant(
        *("us-east-1", "internal-us-prod", "medium"),
        hypervisors={"hv-pool-us": On(None, "az-1", STANDARD)},
        storage={"st-pool-us": ("nvme", 0)},
        owner="tenant-internal",
    ),
]


def test_every_tenant_of_the_stack_files_is_in_this_table(regions: dict[str, Recording]) -> None:
    made = {(region, one.name) for region, all_ in regions.items() for one in all_.of_type(TENANT)}
    assert made == {(one.region, one.name) for one in TENANTS}


@pytest.mark.parametrize("tenant", TENANTS, ids=lambda one: one.name)
def test_all_that_is_in_the_objects_of_a_tenant(regions: dict[str, Recording], tenant: Tenant) -> None:
    made = {place(one, tenant.region): one.inputs.get("spec") for one in of_tenant(regions[tenant.region], tenant.name)}
    assert made == dict(specs(tenant))


@pytest.mark.parametrize("tenant", TENANTS, ids=lambda one: one.name)
def test_every_object_of_a_tenant_says_whose_it_is(regions: dict[str, Recording], tenant: Tenant) -> None:
    whose = {
        "c5c3.io/tenant": tenant.name,
        "c5c3.io/region": tenant.region,
        "c5c3.io/claim-namespace": tenant.owner,
    }
    own = {
        "c5c3.io/openstack-cluster": "true",
        "c5c3.io/environment": tenant.environment,
        "c5c3.io/size": tenant.size,
    }
    for one in of_tenant(regions[tenant.region], tenant.name):
        first = one.name in (f"{tenant.name}-namespace", f"{tenant.name}-control-plane")
        assert one.inputs["metadata"]["labels"] == {**whose, **(own if first else {})}, one.name
