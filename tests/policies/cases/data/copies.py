"""How many copies there are, and where an arbiter stands."""

import copy

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import POOL, arbiter, coded, zones
from tests.policies.judging import UNKNOWN, Plan

# replication

SIZE = ("spec", "replicated", "size")


@broken("replication", "CephBlockPool/customer-a-prod-images", "is 11", "use at most 10")
def more_copies_than_nodes(plan: Plan) -> None:
    plan.find(POOL, "customer-a-prod-images").put(11, *SIZE)


@broken("replication", "CephBlockPool/customer-a-prod-volumes", "is 1 in production", "use 2 or more")
def one_copy_in_production(plan: Plan) -> None:
    one = plan.find(POOL, "customer-a-prod-volumes")
    one.put({"size": 1, "requireSafeReplicaSize": False}, "spec", "replicated")


@broken("replication", "CephBlockPool/team-a-prod-images", "replicated.size is missing", "write how many copies")
def copies_that_nobody_names(plan: Plan) -> None:
    del plan.find(POOL, "team-a-prod-images").at("spec")["replicated"]


@broken("replication", "CephBlockPool/team-b-staging-images", "with one copy, which Rook refuses", "set it to false")
def one_safe_copy(plan: Plan) -> None:
    plan.find(POOL, "team-b-staging-images").put(1, *SIZE)


@broken("replication", "CephBlockPool/team-a-prod-images", "over its 2 zones", "use at most 2")
def more_copies_than_zones(plan: Plan) -> None:
    zones(plan, "st-pool-a", "a", "b")
    plan.find(POOL, "team-a-prod-images").put("zone", "spec", "failureDomain")


@broken(
    "replication", "CephBlockPool/team-a-prod-images", "is not known before the update", "a value that the plan knows"
)
def copies_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find(POOL, "team-a-prod-images").put(UNKNOWN, *SIZE)


@broken("replication", "CephFilesystem/team-a-prod-cephfs", "dataPools[1].replicated.size is 1", "use 2 or more")
def one_copy_of_files(plan: Plan) -> None:
    three, one = {"replicated": {"size": 3}}, {"replicated": {"size": 1}}
    plan.add(
        "kubernetes:ceph.rook.io/v1:CephFilesystem",
        "files",
        {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephFilesystem",
            "metadata": {"name": "team-a-prod-cephfs", "namespace": "rook-ceph"},
            "spec": {"metadataPool": three, "dataPools": [three, one]},
        },
        provider=plan.find(POOL, "team-a-prod-images").provider,
        protect=True,
    )


@broken("replication", "CephBlockPool/customer-a-prod-volumes", "is 3 of 11 chunks", "10 nodes: use at most 10")
def more_chunks_than_nodes(plan: Plan) -> None:
    """Each of the chunks, of data and of coding, wants a node of its own."""
    coded(plan, "customer-a-prod-volumes", 8, 3)


@fine("replication")
def as_many_chunks_as_nodes(plan: Plan) -> None:
    coded(plan, "customer-a-prod-volumes", 8, 2)


@fine("replication")
def as_many_copies_as_nodes(plan: Plan) -> None:
    plan.find(POOL, "customer-a-prod-images").put(10, *SIZE)


@fine("replication")
def one_copy_in_staging(plan: Plan) -> None:
    plan.find(POOL, "team-b-staging-images").put({"size": 1}, "spec", "replicated")


# arbiters-elsewhere


@broken("arbiters-elsewhere", "RemoteArbiter/st-pool-a", "the storage pool itself", "third site", level="advisory")
def an_arbiter_in_the_pool_itself(plan: Plan) -> None:
    arbiter(plan, "st-pool-a")


@broken("arbiters-elsewhere", "RemoteArbiter/st-pool-b", "stands in eu-de-1a", "third site", level="advisory")
def an_arbiter_in_the_zone_of_the_pool(plan: Plan) -> None:
    zones(plan, "st-pool-a", "eu-de-1a", "eu-de-1b")
    zones(plan, "st-pool-b", "eu-de-1a")
    arbiter(plan, "st-pool-b")


@broken("arbiters-elsewhere", "RemoteCluster/st-pool-a", "the storage pool itself", "third site", level="advisory")
def an_arbiter_s_cluster_that_is_the_pool_itself(plan: Plan) -> None:
    arbiter(plan, "st-pool-a")
    cluster = copy.deepcopy(plan.resources[-1])
    cluster.urn, cluster.props["kind"] = f"{cluster.urn}-cluster", "RemoteCluster"
    plan.resources.append(cluster)


@fine("arbiters-elsewhere")
def an_arbiter_in_another_zone(plan: Plan) -> None:
    zones(plan, "st-pool-a", "eu-de-1a", "eu-de-1b")
    zones(plan, "st-pool-b", "eu-de-1c")
    arbiter(plan, "st-pool-b")
