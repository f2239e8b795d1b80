"""What goes on when a part is lost."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, HYPERVISORS, PLANE, STAGING, WORKERS, arbiter, ceph, relabel, zones
from tests.policies.judging import UNKNOWN, Plan

POOLS = ("spec", "compute", "pools")

# quorums

DATABASE = ("spec", "infrastructure", "mariadb", "replicas")


@broken("quorums", "ControlPlane/finance-prod", "mariadb.replicas is 2", "use an odd number")
def a_database_of_two(plan: Plan) -> None:
    """The example of the documents."""
    plan.find(PLANE, FINANCE).put(2, *DATABASE)


@broken("quorums", "ControlPlane/finance-prod", "rabbitmq.replicas is 1", "from medium up use 3 or more")
def one_queue_of_a_large_tenant(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put(1, "spec", "infrastructure", "rabbitmq", "replicas")


@broken("quorums", "st-pool-a/rook-ceph/CephCluster", "mon.count is 4", "use an odd number")
def four_monitors(plan: Plan) -> None:
    ceph(plan, "st-pool-a").put(4, "spec", "mon", "count")


@broken("quorums", "st-pool-encrypted/rook-ceph/CephCluster", "mon.count is 7", "at most one a node")
def more_monitors_than_nodes(plan: Plan) -> None:
    ceph(plan, "st-pool-encrypted").put(7, "spec", "mon", "count")


@broken("quorums", "ControlPlane/finance-prod", "valkey.replicas is 2 with sentinel", "odd number of at least 3")
def two_sentinels(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put({"replicas": 2, "sentinel": {"enabled": True}}, "spec", "infrastructure", "valkey")


@broken("quorums", "ControlPlane/finance-prod", "is not known before the update", "a value that the plan knows")
def a_database_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put(UNKNOWN, *DATABASE)


def member(plan: Plan, api: str, kind: str, spec: dict[str, object], tenant: str = FINANCE) -> None:
    metadata = {"name": "own", "namespace": f"openstack-{tenant}"}
    props = {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}
    provider = plan.provider_of("eu-de-1-control-plane")
    plan.add(f"kubernetes:{api}:{kind}", "own", props, provider=provider, protect=True)


@broken("quorums", "openstack-finance-prod/MariaDB/own", "replicas is 1", "from medium up use 3 or more")
def one_database_of_a_large_tenant_beside_its_control_plane(plan: Plan) -> None:
    member(plan, "k8s.mariadb.com/v1alpha1", "MariaDB", {"replicas": 1})


@broken("quorums", "openstack-finance-prod/RabbitmqCluster/own", "replicas is None", "from medium up use 3 or more")
def a_queue_of_a_large_tenant_that_says_nothing(plan: Plan) -> None:
    member(plan, "rabbitmq.com/v1beta1", "RabbitmqCluster", {})


@broken("quorums", "openstack-finance-prod/OVNCluster/own", "northbound.replicas is 2", "use an odd number")
def two_databases_of_ovn(plan: Plan) -> None:
    spec: dict[str, object] = {"northbound": {"replicas": 2}, "southbound": {"replicas": 3}}
    member(plan, "ovn.c5c3.io/v1alpha1", "OVNCluster", spec)


@broken("quorums", "st-pool-encrypted/rook-ceph/CephCluster", "mon.count is 1, and finance-prod", "use 3 or more")
def one_monitor_of_a_large_tenant(plan: Plan) -> None:
    ceph(plan, "st-pool-encrypted").put(1, "spec", "mon", "count")


@fine("quorums")
def one_database_of_a_small_tenant_beside_its_control_plane(plan: Plan) -> None:
    member(plan, "k8s.mariadb.com/v1alpha1", "MariaDB", {"replicas": 1}, STAGING)


@fine("quorums")
def two_monitors_and_an_arbiter(plan: Plan) -> None:
    arbiter(plan, "third-site")
    assert ceph(plan, "st-pool-a").at("spec", "mon", "count") == 2


@broken("quorums", "st-pool-a/rook-ceph/CephCluster", "mon.count is 3", "odd number")
def three_monitors_and_an_arbiter(plan: Plan) -> None:
    arbiter(plan, "third-site")
    ceph(plan, "st-pool-a").put(3, "spec", "mon", "count")


@fine("quorums")
def one_database_of_a_small_tenant(plan: Plan) -> None:
    plan.find(PLANE, STAGING).put(1, *DATABASE)


@fine("quorums")
def three_databases_as_a_text(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("3", *DATABASE)


# ha-control-planes


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "have 1 nodes at least", "use 3 or more, one a zone")
def one_worker(plan: Plan) -> None:
    """The example of the documents."""
    plan.find("Shoot", "eu-de-1-cp").put(1, *WORKERS, "minimum")


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "have the zones eu-de-1a, eu-de-1b", "name 3 or more")
def two_zones(plan: Plan) -> None:
    plan.find("Shoot", "eu-de-1-cp").put(["eu-de-1a", "eu-de-1b", "eu-de-1a"], *WORKERS, "zones")


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "type is None", "use zone")
def no_tolerance_in_production(plan: Plan) -> None:
    del plan.find("Shoot", "eu-de-1-cp").at("spec")["controlPlane"]


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "type is 'node'", "use zone")
def tolerance_of_a_node(plan: Plan) -> None:
    path = ("spec", "controlPlane", "highAvailability", "failureTolerance", "type")
    plan.find("Shoot", "eu-de-1-cp").put("node", *path)


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "type is None", "use zone")
def tenants_of_production_on_what_is_called_an_evaluation(plan: Plan) -> None:
    shoot = plan.find("Shoot", "eu-de-1-cp")
    del shoot.at("spec")["controlPlane"]
    shoot.put("evaluation", "spec", "purpose")


@broken("ha-control-planes", "Shoot/eu-de-1-cp", "have 1 nodes at least", "use 3 or more, one a zone")
def one_worker_for_a_purpose_that_nobody_knows(plan: Plan) -> None:
    plan.find("Shoot", "eu-de-1-cp").put(UNKNOWN, "spec", "purpose")
    plan.find("Shoot", "eu-de-1-cp").put(1, *WORKERS, "minimum")


@fine("ha-control-planes")
def three_workers_in_three_zones(plan: Plan) -> None:
    plan.find("Shoot", "eu-de-1-cp").put(3, *WORKERS, "minimum")


@fine("ha-control-planes")
def no_tolerance_in_development(plan: Plan) -> None:
    shoot = plan.find("Shoot", "eu-de-1-cp")
    del shoot.at("spec")["controlPlane"]
    shoot.put("development", "spec", "purpose")
    for plane in plan.all(PLANE):
        plane.put("development", "metadata", "labels", "c5c3.io/environment")


# tenants-spread


@broken("tenants-spread", "ControlPlane/team-a-prod", "one pool in one", "name a second pool", level="advisory")
def a_large_tenant_on_one_pool(plan: Plan) -> None:
    zones(plan, "hv-pool-a", "eu-de-1a")
    relabel(plan, "hv-pool-a", "availability-zone", None)
    plane = plan.find(PLANE, "team-a-prod")
    plane.put(["hv-pool-a"], *HYPERVISORS)
    plane.put([one for one in plane.at(*POOLS) if one["name"] == "hv-pool-a"], *POOLS)
    plan.resources = [one for one in plan.resources if one.name != "team-a-prod-nodes@hv-pool-b"]


@broken("tenants-spread", "ControlPlane/finance-prod", "the tenant is large", "name a second pool", level="advisory")
def a_large_tenant_in_one_zone(plan: Plan) -> None:
    zones(plan, "hv-pool-comp-6772", "eu-de-1a")


@broken("tenants-spread", "ControlPlane/internal-us-prod", "is xlarge", stack="us-east-1", level="advisory")
def a_tenant_that_becomes_large(plan: Plan) -> None:
    zones(plan, "hv-pool-us", "az-1")
    plan.find(PLANE, "internal-us-prod").put("xlarge", "metadata", "labels", "c5c3.io/size")


@broken("tenants-spread", "hv-pool-comp-6772", "is known only at the update, and is judged there", level="advisory")
def zones_that_nobody_knows_before_the_update(plan: Plan) -> None:
    zones(plan, "hv-pool-comp-6772", "eu-de-1a", "eu-de-1b")
    plan.find("Shoot", "hv-pool-comp-6772").put([UNKNOWN], *WORKERS, "zones")


@fine("tenants-spread")
def a_large_tenant_on_one_pool_in_two_zones(plan: Plan) -> None:
    zones(plan, "hv-pool-comp-6772", "eu-de-1a", "eu-de-1b")
