"""Pools that are there, and those that are one tenant's alone."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, HYPERVISORS, PLANE, STAGING, STORAGE, WORKERS, ceph, relabel
from tests.policies.judging import UNKNOWN, Plan, Planned

# pools-exist


@broken("pools-exist", "finance-prod", "'st-pool-new'", "name one of st-pool-a")
def a_storage_pool_that_nobody_makes(plan: Plan) -> None:
    plan.find(PLANE, STAGING).at(*STORAGE).append("st-pool-new")
    plan.find(PLANE, FINANCE).at(*STORAGE).append("st-pool-new")


@broken("pools-exist", "finance-prod", "'hv-pool-z'", "name one of hv-pool-a")
def a_hypervisor_pool_that_nobody_makes(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).at(*HYPERVISORS).append("hv-pool-z")


@broken("pools-exist", "customer-b-staging", "'st-pool-a'", "no such hypervisor pool")
def machines_on_a_storage_pool(plan: Plan) -> None:
    plan.find(PLANE, STAGING).at(*HYPERVISORS).append("st-pool-a")


@broken("pools-exist", "finance-prod", "names no pool", "name at least one hypervisor pool")
def a_tenant_without_hypervisors(plan: Plan) -> None:
    plane = plan.find(PLANE, FINANCE)
    plane.put([], *HYPERVISORS)
    plane.put([], "spec", "compute", "pools")
    plan.resources = [one for one in plan.resources if one.name != "finance-prod-nodes@hv-pool-compliance"]


@fine("pools-exist")
def a_pool_that_its_label_names(plan: Plan) -> None:
    """Gardener's name of the Shoot is shorter than the pool's; the label has the whole."""
    plan.find("Shoot", "st-pool-a").put("short", "metadata", "name")
    for one in plan.resources:
        if one.props.get("clusterIdentifier") == "garden-c5c3/st-pool-a":
            one.put("garden-c5c3/short", "clusterIdentifier")


@broken("pools-exist", "finance-prod", "storageClusters[1] is not known", "a value that the plan knows")
def a_pool_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).at(*STORAGE).append(UNKNOWN)


@broken("pools-exist", "ControlPlane/finance-prod", "makes no CephCluster", "make one")
def a_storage_pool_without_ceph(plan: Plan) -> None:
    plan.resources.remove(ceph(plan, "st-pool-encrypted"))


@broken("pools-exist", "ControlPlane/finance-prod", "makes no CephCluster", "make one", also=("clusters-are-there",))
def ceph_in_a_cluster_of_nobody_s(plan: Plan) -> None:
    """With plain disks, of which nobody would know."""
    plan.add("pulumi:providers:kubernetes", "lost", {"clusterIdentifier": "garden-c5c3/st-pool-encrypte"}, provider="")
    one = ceph(plan, "st-pool-encrypted")
    one.provider = "lost"
    one.put(False, "spec", "storage", "storageClassDeviceSets", 0, "encrypted")  # noqa: FBT003  (a value of the object)


# dedicated-pools


@broken("dedicated-pools", "customer-b-staging", "'hv-pool-compliance'", "another pool")
def a_second_tenant_on_a_dedicated_pool(plan: Plan) -> None:
    """The example of the documents."""
    relabel(plan, "hv-pool-comp-6772", "compliance", None)
    relabel(plan, "st-pool-encrypted", "compliance", None)
    plan.find(PLANE, STAGING).at(*HYPERVISORS).append("hv-pool-compliance")


@broken("dedicated-pools", "hv-pool-a", "dedicated to one tenant", "another pool")
def a_shared_pool_that_becomes_dedicated(plan: Plan) -> None:
    relabel(plan, "hv-pool-a", "dedicated", "true")


@broken("dedicated-pools", "hv-pool-comp", "'yes'", 'use "true" or "false"')
def a_label_that_is_neither_true_nor_false(plan: Plan) -> None:
    relabel(plan, "hv-pool-comp-6772", "dedicated", "yes")


@fine("dedicated-pools")
def a_dedicated_pool_with_the_one_tenant(plan: Plan) -> None:
    relabel(plan, "st-pool-b", "dedicated", "true")  # internal-prod alone is on it


# physical-isolation


def made_of(shoot: Planned, servers: str) -> None:
    shoot.put(servers, *WORKERS, "providerConfig", "extraServerLabels", "c5c3.io/machine-pool")


@broken("physical-isolation", "Shoot/hv-pool-b", "'ironcore-dedicated-rack-1'", "another machine pool")
def a_second_pool_on_isolated_servers(plan: Plan) -> None:
    """The example of the documents."""
    made_of(plan.find("Shoot", "hv-pool-b"), "ironcore-dedicated-rack-1")


@broken("physical-isolation", "Shoot/st-pool-b", "the servers of hv-pool-compliance", "another machine pool")
def storage_on_isolated_servers(plan: Plan) -> None:
    made_of(plan.find("Shoot", "st-pool-b"), "ironcore-dedicated-rack-1")


@broken(
    "physical-isolation",
    "Shoot/other",
    "the servers of hv-pool-compliance",
    "another machine pool",
    also=("clusters-are-named",),
)
def a_cluster_without_labels_on_isolated_servers(plan: Plan) -> None:
    one = other(plan)
    made_of(one, "ironcore-dedicated-rack-1")
    del one.at("metadata")["labels"]


@broken("physical-isolation", "Shoot/other", "may be those of hv-pool-compliance", "name a machine pool for each group")
def a_cluster_that_takes_whatever_servers_there_are(plan: Plan) -> None:
    one = other(plan)
    one.at("spec", "provider", "workers").append({"name": "more", "minimum": 1, "maximum": 2})


def other(plan: Plan) -> Planned:
    one = plan.copy_of("Shoot", "hv-pool-a", "other")
    one.put("other", "metadata", "labels", "c5c3.io/cluster")
    return one


@broken("physical-isolation", "Shoot/hv-pool-comp", "name no machine pool", "name the one that is its own")
def an_isolated_pool_on_anybody_s_servers(plan: Plan) -> None:
    del plan.find("Shoot", "hv-pool-comp-6772").at(*WORKERS)["providerConfig"]


@broken("physical-isolation", "Shoot/hv-pool-", "'servers', the servers of hv-pool-", "another machine pool")
def two_isolated_pools_on_the_same_servers(plan: Plan) -> None:
    for name in ("hv-pool-a", "hv-pool-b"):
        relabel(plan, name, "isolation", "physical")
        made_of(plan.find("Shoot", name), "servers")


@fine("physical-isolation")
def two_ordinary_pools_on_the_same_servers(plan: Plan) -> None:
    made_of(plan.find("Shoot", "hv-pool-b"), "ironcore-baremetal-kvm")
