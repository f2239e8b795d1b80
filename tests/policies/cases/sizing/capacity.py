"""How much there is, and how good it is."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import HYPERVISORS, PLANE, POOL, STAGING, WORKERS, ceph, coded, relabel
from tests.policies.judging import Plan

QUOTA = ("spec", "quotas", "maxSize")

# quotas-fit


@broken("quotas-fit", "st-pool-a/rook-ceph/CephCluster", "lower the quotas", "customer-a-prod-volumes 1228800Gi")
def two_quotas_of_more_than_there_is(plan: Plan) -> None:
    """The example of the documents: 300Ti twice, with three copies, of 500Ti."""
    for name in ("customer-a-prod-volumes", "team-a-prod-volumes"):
        plan.find(POOL, name).put("400Ti", *QUOTA)


@broken("quotas-fit", "st-pool-encrypted/rook-ceph/CephCluster", "the disks hold 307200Gi", "lower the quotas by 3Gi")
def one_gibibyte_too_much(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-volumes").put(f"{100 * 1024 + 1}Gi", *QUOTA)


@broken("quotas-fit", "st-pool-a/rook-ceph/CephCluster", "raise targetCapacity")
def disks_that_are_taken_away(plan: Plan) -> None:
    ceph(plan, "st-pool-a").put(5, "spec", "storage", "storageClassDeviceSets", 0, "count")


@broken("quotas-fit", "CephBlockPool/finance-prod-volumes", "'a lot'", "write a capacity such as 10Gi")
def a_quota_that_is_no_capacity(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-volumes").put("a lot", *QUOTA)


@broken("quotas-fit", "CephBlockPool/finance-prod-volumes", "is '10ki'", "write a capacity such as 10Gi")
def a_quota_of_a_unit_that_is_none(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-volumes").put("10ki", *QUOTA)


@broken("quotas-fit", "CephBlockPool/finance-prod-volumes", "is -5", "write a capacity such as 10Gi")
def a_quota_of_less_than_nothing(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-volumes").put(-5, *QUOTA)


@broken("quotas-fit", "st-pool-encrypted/rook-ceph/CephCluster", "the disks hold 307200Gi", "lower the quotas by 2Gi")
def a_gibibyte_too_much_with_coding(plan: Plan) -> None:
    """What is coded with 2 chunks for 2 takes as much again, and survives as much as three copies."""
    coded(plan, "finance-prod-volumes", 2, 2, quota=f"{150 * 1024 + 1}Gi")


@fine("quotas-fit")
def all_that_there_is_with_coding(plan: Plan) -> None:
    coded(plan, "finance-prod-volumes", 2, 2, quota="150Ti")


@fine("quotas-fit")
def all_that_there_is(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-volumes").put("100Ti", *QUOTA)


# worker-bounds


@broken("worker-bounds", "Shoot/hv-pool-b", "minimum is 201, more than maximum (200)", "raise maximum to at least 201")
def more_at_least_than_at_most(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-b").put(201, *WORKERS, "minimum")


@broken("worker-bounds", "Shoot/hv-pool-b", "more than maximum (None)", "raise maximum")
def no_most(plan: Plan) -> None:
    del plan.find("Shoot", "hv-pool-b").at(*WORKERS)["maximum"]


@broken("worker-bounds", "Shoot/hv-pool-us", "minimum is 0", "use 1 or more", stack="us-east-1")
def no_worker(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-us").put(0, *WORKERS, "minimum")


@fine("worker-bounds")
def as_many_at_least_as_at_most(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-b").put(200, *WORKERS, "minimum")


# premium-pools


@broken("premium-pools", "ControlPlane/customer-b-staging", "'hv-pool-b'", "name a standard pool", level="advisory")
def a_small_tenant_on_a_premium_pool(plan: Plan) -> None:
    """The example of the documents."""
    plan.find(PLANE, STAGING).at(*HYPERVISORS).append("hv-pool-b")


@broken("premium-pools", "ControlPlane/internal-prod", "'hv-pool-b'", "name a standard pool", level="advisory")
def a_tenant_that_becomes_small(plan: Plan) -> None:
    plan.find(PLANE, "internal-prod").put("small", "metadata", "labels", "c5c3.io/size")


@broken("premium-pools", "ControlPlane/customer-b-staging", "'hv-pool-a'", "tier=premium", level="advisory")
def a_pool_that_becomes_premium(plan: Plan) -> None:
    relabel(plan, "hv-pool-a", "tier", "premium")


@fine("premium-pools", seen=True)
def a_medium_tenant_on_a_premium_pool(plan: Plan) -> None:
    assert plan.find(PLANE, "internal-prod").at(*HYPERVISORS) == ["hv-pool-b"]


# ephemeral-disks


@broken("ephemeral-disks", "CephBlockPool/finance-prod-ephemeral", "'hdd'", "use ssd or nvme", level="advisory")
def ephemeral_disks_on_hdd(plan: Plan) -> None:
    plan.find(POOL, "finance-prod-ephemeral").put("hdd", "spec", "deviceClass")


@broken("ephemeral-disks", "CephBlockPool/finance-prod-ephemeral", "'hdd'", "use ssd or nvme", level="advisory")
def a_ceph_cluster_of_hdd(plan: Plan) -> None:
    del plan.find(POOL, "finance-prod-ephemeral").at("spec")["deviceClass"]
    path = ("spec", "storage", "storageClassDeviceSets", 0, "volumeClaimTemplates", 0, "metadata", "annotations")
    ceph(plan, "st-pool-encrypted").put({"crushDeviceClass": "hdd"}, *path)


@broken("ephemeral-disks", "CephBlockPool/internal-prod-ephemeral", "'hdd'", "use ssd or nvme", level="advisory")
def another_tenant_s_ephemeral_disks_on_hdd(plan: Plan) -> None:
    plan.find(POOL, "internal-prod-ephemeral").put("hdd", "spec", "deviceClass")


@fine("ephemeral-disks", seen=True)
def volumes_on_hdd(plan: Plan) -> None:
    slow = [one for one in plan.all(POOL) if one.at("spec").get("deviceClass") == "hdd"]
    assert {one.name for one in slow} >= {"internal-prod-volumes@st-pool-b"}
