"""Whose pools and clients of Ceph are."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, STAGING, renamed
from tests.policies.judging import Plan

# ceph-names


@broken("ceph-names", "CephBlockPool/data", "'data'", "call it after its tenant")
def a_pool_of_nobody_s_name(plan: Plan) -> None:
    plan.copy_of("CephBlockPool", "customer-b-staging-volumes", "data")


@broken("ceph-names", "CephBlockPool/finance-prod-extra", "'st-pool-b'", "storageClusters")
def a_pool_where_its_tenant_is_not(plan: Plan) -> None:
    one = plan.copy_of("CephBlockPool", "finance-prod-volumes", "finance-prod-extra")
    one.provider = plan.provider_of("st-pool-b")
    one.put({"maxSize": "10Gi"}, "spec", "quotas")


@broken("ceph-names", "ControlPlane/customer-b-staging", "'finance-prod-volumes'", "name a pool")
def a_backend_on_another_tenant_s_pool(plan: Plan) -> None:
    plan.find(PLANE, STAGING).put("finance-prod-volumes", "spec", "services", "cinder", "backends", 0, "pool")


@broken("ceph-names", "ControlPlane/customer-b-staging", "'ceph-client-finance-prod'", "Secret of customer-b-staging")
def a_backend_with_another_tenant_s_key(plan: Plan) -> None:
    plan.find(PLANE, STAGING).put("ceph-client-finance-prod", "spec", "services", "cinder", "backends", 0, "secretRef")


@broken("ceph-names", "CephBlockPool/finance-prod-b-more", "does not carry the name of its tenant 'finance-prod'")
def a_pool_under_the_name_of_a_tenant_that_begins_alike(plan: Plan) -> None:
    renamed(plan, "finance-prod-b")
    plan.copy_of("CephBlockPool", "finance-prod-volumes", "finance-prod-b-more")


@broken("ceph-names", "ControlPlane/finance-prod", "'finance-prod-b-volumes'", "name a pool")
def a_backend_on_a_tenant_whose_name_begins_alike(plan: Plan) -> None:
    renamed(plan, "finance-prod-b")
    plan.find(PLANE, FINANCE).put("finance-prod-b-volumes", "spec", "services", "cinder", "backends", 0, "pool")


@broken("ceph-names", "ControlPlane/finance-prod", "'ceph-client-b-finance-prod'", "Secret of finance-prod")
def a_key_of_a_tenant_whose_name_ends_alike(plan: Plan) -> None:
    renamed(plan, "b-finance-prod")
    path = ("spec", "services", "cinder", "backends", 0, "secretRef")
    plan.find(PLANE, FINANCE).put("ceph-client-b-finance-prod", *path)


@broken("ceph-names", "CephBlockPool/team-b-staging-volumes", "'shared'", "does not carry the name")
def a_pool_that_ceph_calls_otherwise(plan: Plan) -> None:
    plan.find("CephBlockPool", "team-b-staging-volumes").put("shared", "spec", "name")


@fine("ceph-names")
def a_pool_without_labels_that_is_called_after_its_tenant(plan: Plan) -> None:
    del plan.find("CephBlockPool", "finance-prod-volumes").at("metadata")["labels"]


@fine("ceph-names", seen=True)
def the_pool_of_ceph_itself(plan: Plan) -> None:
    assert [one for one in plan.all("CephBlockPool") if one.at("spec").get("name") == ".mgr"]


# ceph-caps

CLIENT = "openstack-customer-b-staging"


def caps(plan: Plan, daemon: str, right: str) -> None:
    plan.find("CephClient", CLIENT).put(right, "spec", "caps", daemon)


@broken("ceph-caps", f"CephClient/{CLIENT}", "customer-a-prod-images is not customer-b-staging's", "name only pools")
def a_right_to_another_tenant_s_pool(plan: Plan) -> None:
    """The example of the documents."""
    caps(plan, "osd", "profile rbd pool=customer-b-staging-volumes, profile rbd pool=customer-a-prod-images")


@broken("ceph-caps", f"CephClient/{CLIENT}", "'profile rbd'", "opens more than one tenant's pools")
def a_right_to_every_pool(plan: Plan) -> None:
    caps(plan, "osd", "profile rbd")


@broken("ceph-caps", f"CephClient/{CLIENT}", "'allow *'", "opens more than one tenant's pools")
def a_right_to_everything(plan: Plan) -> None:
    caps(plan, "mon", "allow *")


@broken("ceph-caps", f"CephClient/{CLIENT}", "'pool=customer-b-staging-images'", "profile rbd pool=")
def two_pools_in_one_right(plan: Plan) -> None:
    """Ceph reads the second part as a right of its own."""
    caps(plan, "osd", "profile rbd pool=customer-b-staging-volumes, pool=customer-b-staging-images")


@broken("ceph-caps", f"CephClient/{CLIENT}", "customer-b-staging-volumes2x", "opens more than one", "profile rbd pool=")
def a_right_by_prefix(plan: Plan) -> None:
    caps(plan, "osd", "allow rwx object_prefix customer-b-staging-volumes2x")


@broken(
    "ceph-caps", "CephClient/glance-finance-prod", "finance-prod-b-volumes is not finance-prod's", "name only pools"
)
def a_right_to_a_tenant_whose_name_begins_alike(plan: Plan) -> None:
    renamed(plan, "finance-prod-b")
    client = plan.find("CephClient", "glance-finance-prod")
    client.put("profile rbd pool=finance-prod-b-volumes", "spec", "caps", "osd")


@broken("ceph-caps", "CephObjectStoreUser/swift-customer-b-staging", "'*'", "use read for user")
def a_user_that_makes_users(plan: Plan) -> None:
    """As the documents have it."""
    pool = plan.find("CephBlockPool", "customer-b-staging-volumes")
    plan.add(
        "kubernetes:ceph.rook.io/v1:CephObjectStoreUser",
        "swift",
        {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephObjectStoreUser",
            "metadata": {"name": "swift-customer-b-staging", "namespace": "rook-ceph"},
            "spec": {"store": "customer-b-staging-rgw", "capabilities": {"user": "*", "bucket": "*"}},
        },
        provider=pool.provider,
    )


@fine("ceph-caps")
def rights_to_one_s_own_pools(plan: Plan) -> None:
    caps(
        plan, "osd", "profile rbd pool=customer-b-staging-volumes,profile rbd-read-only pool=customer-b-staging-images"
    )
