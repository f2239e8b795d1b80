"""How much a tenant has of what it shares."""

from typing import Any

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, STAGING, WORKERS, ceph
from tests.policies.judging import UNKNOWN, Plan

# node-shares


def share(plan: Plan, tenant: str, nodes: Any) -> None:  # noqa: ANN401  (a test may write anything)
    """What its ControlPlane says of hv-pool-a; nothing of None."""
    pools = plan.find(PLANE, tenant).at("spec", "compute", "pools")
    found = next((one for one in pools if one["name"] == "hv-pool-a"), None)
    if found is None:
        pools.append({"name": "hv-pool-a", "nodes": nodes})
    elif nodes is None:
        del found["nodes"]
        shares = [one for one in plan.all("HypervisorShare") if one.at("spec", "openStackCluster") == tenant]
        plan.resources = [one for one in plan.resources if one not in shares]
    else:
        found["nodes"] = nodes


@broken("node-shares", "ControlPlane/team-", "52 nodes of hv-pool-a are promised", "lower the shares by 2")
def more_nodes_than_there_are(plan: Plan) -> None:
    """The shares are 20, 5, 15 and 5 of 50."""
    share(plan, "team-b-staging", 12)


@broken("node-shares", "has 44", "nodes of hv-pool-a are promised", "raise its workers")
def a_pool_that_shrinks(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put(44, *WORKERS, "minimum")


@broken("node-shares", "ControlPlane/finance-prod", "is a share of hv-pool-a", "does not name")
def a_share_of_a_pool_that_is_not_the_tenant_s(plan: Plan) -> None:
    share(plan, FINANCE, 1)


@broken("node-shares", "ControlPlane/customer-b-staging", "50 of whose 50 nodes", "Lower the others' nodeShares")
def a_tenant_for_whom_nothing_is_left(plan: Plan) -> None:
    share(plan, STAGING, None)
    share(plan, "team-b-staging", 15)


@broken("node-shares", "the 1 that are left are too few for 2 tenants", "raise its workers")
def two_tenants_for_whom_one_node_is_left(plan: Plan) -> None:
    share(plan, STAGING, None)
    share(plan, "team-b-staging", None)
    plan.find("Shoot", "hv-pool-a").put(36, *WORKERS, "minimum")


@fine("node-shares")
def two_tenants_for_whom_two_nodes_are_left(plan: Plan) -> None:
    share(plan, STAGING, None)
    share(plan, "team-b-staging", None)
    plan.find("Shoot", "hv-pool-a").put(37, *WORKERS, "minimum")


@broken("node-shares", "ControlPlane/team-b-staging", "is -30", "whole number of 0 or more")
def a_share_that_makes_up_for_the_others(plan: Plan) -> None:
    share(plan, "team-b-staging", -30)


@broken("node-shares", "ControlPlane/team-b-staging", "'some'", "write a whole number")
def a_share_that_is_no_number(plan: Plan) -> None:
    share(plan, "team-b-staging", "some")


@fine("node-shares")
def as_many_nodes_as_there_are(plan: Plan) -> None:
    share(plan, "team-b-staging", 10)


@broken("node-shares", "HypervisorShare/team-b-staging", "52 nodes of hv-pool-a are promised", "lower the shares by 2")
def more_nodes_in_the_pool_than_the_control_plane_says(plan: Plan) -> None:
    plan.find("HypervisorShare", "team-b-staging").put(12, "spec", "nodes")


# shared-pools-are-limited


@broken("shared-pools-are-limited", "CephBlockPool/team-a-prod-volumes", "maxSize is missing", "write a quota")
def an_unlimited_tenant_on_a_shared_pool(plan: Plan) -> None:
    del plan.find("CephBlockPool", "team-a-prod-volumes").at("spec")["quotas"]


@broken("shared-pools-are-limited", "CephBlockPool/team-a-prod-volumes", "shared by customer-a-prod", "pool of its own")
def a_quota_of_nothing(plan: Plan) -> None:
    plan.find("CephBlockPool", "team-a-prod-volumes").put("0", "spec", "quotas", "maxSize")


@broken("shared-pools-are-limited", "st-pool-a/rook-ceph/CephCluster", "nothing says", "write ceph.targetCapacity")
def a_shared_pool_of_unknown_size(plan: Plan) -> None:
    templates = ("spec", "storage", "storageClassDeviceSets", 0, "volumeClaimTemplates", 0, "spec", "resources")
    ceph(plan, "st-pool-a").put({"storage": "1Gi"}, *templates, "requests")


@broken("shared-pools-are-limited", "CephBlockPool/team-a-prod-volumes", "is not known before the update")
def a_quota_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find("CephBlockPool", "team-a-prod-volumes").put(UNKNOWN, "spec", "quotas", "maxSize")


@broken("shared-pools-are-limited", "CephBlockPool/team-a-prod-data-images", "maxSize is missing", "write a quota")
def volumes_without_a_quota_that_are_called_images(plan: Plan) -> None:
    plan.copy_of("CephBlockPool", "team-a-prod-images", "team-a-prod-data-images")
    backends = plan.find(PLANE, "team-a-prod").at("spec", "services", "cinder", "backends")
    backends.append({**backends[0], "name": "more", "pool": "team-a-prod-data-images"})


@broken("shared-pools-are-limited", "CephBlockPool/team-a-prod-more", "maxSize is missing", "write a quota")
def a_pool_without_a_quota_that_nobody_names(plan: Plan) -> None:
    plan.copy_of("CephBlockPool", "team-a-prod-images", "team-a-prod-more")


@fine("shared-pools-are-limited")
def an_unlimited_tenant_that_is_alone(plan: Plan) -> None:
    alone = [one for one in plan.all("CephBlockPool") if one.name == "internal-prod-volumes@st-pool-b"]
    del alone[0].at("spec")["quotas"]
