"""What holds data is not deleted by mistake."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import POOL
from tests.policies.judging import Plan

# stateful-is-protected


@broken("stateful-is-protected", "CephBlockPool/finance-prod-volumes", "not protected", "set the option protect")
def an_unprotected_pool(plan: Plan) -> None:
    """The example of the documents."""
    plan.find(POOL, "finance-prod-volumes").protect = False


@broken("stateful-is-protected", "Shoot/st-pool-a", "not protected", "deletionProtection")
def an_unprotected_storage_cluster(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").protect = False


@broken("stateful-is-protected", "st-pool-b/rook-ceph/CephCluster/rook-ceph", "not protected", "set the option protect")
def an_unprotected_ceph_cluster(plan: Plan) -> None:
    next(one for one in plan.all("CephCluster") if "st-pool-b" in one.provider).protect = False


@broken("stateful-is-protected", "MariaDB/openstack-db", "not protected", "set the option protect")
def a_database_of_its_own(plan: Plan) -> None:
    plan.add(
        "kubernetes:k8s.mariadb.com/v1alpha1:MariaDB",
        "database",
        {
            "apiVersion": "k8s.mariadb.com/v1alpha1",
            "kind": "MariaDB",
            "metadata": {"name": "openstack-db", "namespace": "openstack-finance-prod"},
            "spec": {"replicas": 3},
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


@broken("stateful-is-protected", "RabbitmqCluster/queue", "not protected", "set the option protect")
def a_queue_of_its_own(plan: Plan) -> None:
    api = "rabbitmq.com/v1beta1"
    metadata = {"name": "queue", "namespace": "openstack-finance-prod"}
    props = {"apiVersion": api, "kind": "RabbitmqCluster", "metadata": metadata, "spec": {"replicas": 3}}
    provider = plan.provider_of("eu-de-1-control-plane")
    plan.add(f"kubernetes:{api}:RabbitmqCluster", "queue", props, provider=provider)


@broken("stateful-is-protected", "Shoot/st-pool-a", 'is "true"', "leave the annotation out")
def a_storage_cluster_that_gardener_may_delete(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").put("true", "metadata", "annotations", "confirmation.gardener.cloud/deletion")


@fine("stateful-is-protected")
def an_unprotected_hypervisor_pool(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").protect = False


# namespaces-are-protected


def namespace(plan: Plan, name: str, pool: str, *, protect: bool = False) -> None:
    props = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    plan.add("kubernetes:core/v1:Namespace", name, props, provider=plan.provider_of(pool), protect=protect)


@broken("namespaces-are-protected", "Namespace/rook-ceph", "would go the Ceph", "set the option protect")
def the_namespace_of_a_ceph_cluster(plan: Plan) -> None:
    namespace(plan, "rook-ceph", "st-pool-a")


@broken("namespaces-are-protected", "Namespace/openstack-finance-prod", "the ControlPlane finance-prod", "deletionProt")
def the_namespace_of_a_control_plane(plan: Plan) -> None:
    plan.find("Namespace", "openstack-finance-prod", "eu-de-1-control-plane").protect = False


@broken("namespaces-are-protected", "Namespace/databases", "the PersistentVolumeClaim data", "set the option protect")
def the_namespace_of_a_volume(plan: Plan) -> None:
    namespace(plan, "databases", "eu-de-1-control-plane")
    metadata = {"name": "data", "namespace": "databases"}
    props = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata}
    provider = plan.provider_of("eu-de-1-control-plane")
    plan.add("kubernetes:core/v1:PersistentVolumeClaim", "data", props, provider=provider, protect=True)


@fine("namespaces-are-protected")
def a_namespace_with_nothing_in_it(plan: Plan) -> None:
    namespace(plan, "empty", "st-pool-a")
    namespace(plan, "openstack-finance-prod", "st-pool-b")
