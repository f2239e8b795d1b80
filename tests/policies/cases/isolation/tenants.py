"""Which region a tenant is of, what it is called, and its one control plane."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, renamed
from tests.policies.judging import Plan

# tenant-in-its-region


@broken("tenant-in-its-region", "finance-prod", "'us-east-1'", "use one of the two")
def a_tenant_of_another_region(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("us-east-1", "spec", "global", "region")


@broken("tenant-in-its-region", "internal-us-prod", "'eu-de-1'", "use the one or the other", stack="us-east-1")
def a_tenant_and_its_labels_of_another_region(plan: Plan) -> None:
    plane = plan.find(PLANE, "internal-us-prod")
    plane.put("eu-de-1", "spec", "global", "region")
    plane.put("eu-de-1", "metadata", "labels", "c5c3.io/region")


@broken("tenant-in-its-region", "customer-b-staging", "hv-pool-a", "a pool of us-east-1", "name a pool of eu-de-1")
def a_pool_of_another_region(plan: Plan) -> None:
    """The pool is another region's; every tenant on it is told."""
    plan.find("Shoot", "hv-pool-a").put("us-east-1", "metadata", "labels", "c5c3.io/region")


@broken("tenant-in-its-region", "finance-prod", "'st-pool-a'", "put it into the control plane of eu-de-1")
def a_control_plane_in_a_storage_pool(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).provider = plan.provider_of("st-pool-a")


@broken("tenant-in-its-region", "finance-prod", "spec.global.region is missing", "write the region")
def a_tenant_without_a_region(plan: Plan) -> None:
    plane = plan.find(PLANE, FINANCE)
    del plane.at("spec", "global")["region"]
    del plane.at("metadata", "labels")["c5c3.io/region"]


@fine("tenant-in-its-region")
def a_tenant_whose_region_only_the_label_says(plan: Plan) -> None:
    del plan.find(PLANE, FINANCE).at("spec", "global")["region"]


# tenant-names


@broken("tenant-names", "ControlPlane/aaaa", "60 characters", "use at most 53")
def a_name_of_sixty_letters(plan: Plan) -> None:
    """The example of the documents."""
    renamed(plan, "a" * 60)


@broken("tenant-names", "ControlPlane/Customer_B", "'Customer_B'", "use lower-case letters")
def a_name_that_is_no_name(plan: Plan) -> None:
    renamed(plan, "Customer_B")


@broken("tenant-names", "54 characters", "use at most 53")
def one_letter_too_many(plan: Plan) -> None:
    renamed(plan, "a" * 54)


@broken("tenant-names", "46 characters", "use at most 45 with an object store")
def too_long_for_an_object_store(plan: Plan) -> None:
    renamed(plan, "a" * 46)
    store(plan, "a" * 46)


@broken("tenant-names", "ControlPlane/finance-prod", "'default'", "use openstack-finance-prod")
def a_namespace_of_another_name(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("default", "metadata", "namespace")


@fine("tenant-names")
def the_longest_name(plan: Plan) -> None:
    renamed(plan, "a" * 53)


@fine("tenant-names")
def the_longest_name_with_an_object_store(plan: Plan) -> None:
    renamed(plan, "a" * 45)
    store(plan, "a" * 45)


def store(plan: Plan, tenant: str) -> None:
    plan.add(
        "kubernetes:ceph.rook.io/v1:CephObjectStore",
        "store",
        {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephObjectStore",
            "metadata": {"name": f"{tenant}-rgw", "namespace": "rook-ceph"},
            "spec": {"metadataPool": {"replicated": {"size": 3}}, "dataPool": {"replicated": {"size": 3}}},
        },
        provider=plan.provider_of("st-pool-a"),
        protect=True,
    )


# one-control-plane


@broken("one-control-plane", "Shoot/second", "'eu-de-1-cp' is the control-plane cluster", "remove one of them")
def a_second_control_plane_cluster(plan: Plan) -> None:
    """The example of the documents."""
    one = plan.copy_of("Shoot", "eu-de-1-cp", "second")
    one.put("second", "metadata", "labels", "c5c3.io/cluster")


@broken("one-control-plane", "ControlPlane/finance-prod", "is the ControlPlane of the namespace", "remove one of them")
def two_control_planes_in_a_namespace(plan: Plan) -> None:
    plan.copy_of(PLANE, FINANCE, FINANCE).put({"name": "again"}, "spec", "again")


@broken(
    "one-control-plane",
    "Shoot/second",
    "'eu-de-1-cp' is the control-plane cluster",
    "remove one of them",
    also=("clusters-are-named",),
)
def a_second_control_plane_cluster_without_labels(plan: Plan) -> None:
    one = plan.copy_of("Shoot", "eu-de-1-cp", "second")
    del one.at("metadata")["labels"]


@fine("one-control-plane")
def the_control_plane_of_another_region(plan: Plan) -> None:
    one = plan.copy_of("Shoot", "eu-de-1-cp", "second")
    one.put("us-east-1", "metadata", "labels", "c5c3.io/region")
    one.put("second", "metadata", "labels", "c5c3.io/cluster")
