"""Which keys a tenant gets, and which are put away for it."""

from typing import Any

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import renamed
from tests.policies.judging import Plan

# keys-stay-with-tenants


def remote(tenant: str) -> str:
    return f"ceph/st-pool-a/{tenant}/openstack-{tenant}"


@broken(
    "keys-stay-with-tenants", "ExternalSecret/ceph-client-customer-b-staging", "customer-a-prod", "use ceph/<pool>/"
)
def a_key_of_another_tenant(plan: Plan) -> None:
    entry = plan.find("ExternalSecret", "ceph-client-customer-b-staging").at("spec", "data", 0)
    entry["remoteRef"]["key"] = remote("customer-a-prod")


@broken("keys-stay-with-tenants", "ExternalSecret/ceph-client-customer-b-staging", "whatever fits", "name the path")
def whatever_keys_there_are(plan: Plan) -> None:
    spec = plan.find("ExternalSecret", "ceph-client-customer-b-staging").at("spec")
    spec["dataFrom"] = [{"find": {"name": {"regexp": ".*"}}}]


@broken(
    "keys-stay-with-tenants", "PushSecret/openstack-customer-b-staging", "the key is customer-b-staging's", "use ceph/"
)
def a_key_that_is_put_under_another_tenant(plan: Plan) -> None:
    match = plan.find("PushSecret", "openstack-customer-b-staging").at("spec", "data", 0, "match")
    match["remoteRef"]["remoteKey"] = remote("customer-a-prod")


@broken("keys-stay-with-tenants", "PushSecret/openstack-customer-b-staging", "'rook-ceph-admin-keyring'", "one client")
def the_administrator_s_key(plan: Plan) -> None:
    push = plan.find("PushSecret", "openstack-customer-b-staging")
    push.put("rook-ceph-admin-keyring", "spec", "selector", "secret", "name")


@broken(
    "keys-stay-with-tenants", "HypervisorShare/customer-b-staging", "'nova-customer-a-prod'", "name a client of Ceph"
)
def hypervisors_with_another_tenant_s_key(plan: Plan) -> None:
    plan.find("HypervisorShare", "customer-b-staging").put("nova-customer-a-prod", "spec", "ceph", 0, "user")


ESO = "external-secrets.io"


def secrets(plan: Plan, kind: str, spec: dict[str, Any], namespace: str | None = "openstack-finance-prod") -> None:
    api = f"{ESO}/v1alpha1" if "Push" in kind else f"{ESO}/v1"
    metadata = {"name": "more"} if namespace is None else {"name": "more", "namespace": namespace}
    props = {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}
    plan.add(f"kubernetes:{api}:{kind}", "more", props, provider=plan.provider_of("eu-de-1-control-plane"))


STOLEN = {"data": [{"secretKey": "k", "remoteRef": {"key": remote("customer-a-prod")}}]}


@broken("keys-stay-with-tenants", "ClusterExternalSecret/more", "customer-a-prod", "use ceph/<pool>/finance-prod")
def another_tenant_s_key_by_way_of_the_cluster(plan: Plan) -> None:
    namespaces = ["openstack-finance-prod"]
    secrets(plan, "ClusterExternalSecret", {"namespaces": namespaces, "externalSecretSpec": STOLEN}, None)


@broken("keys-stay-with-tenants", "ClusterExternalSecret/more", "reaches whatever namespaces fit", "in each namespace")
def a_key_for_whoever_has_a_label(plan: Plan) -> None:
    selectors = [{"matchLabels": {"a": "b"}}]
    secrets(plan, "ClusterExternalSecret", {"namespaceSelectors": selectors, "externalSecretSpec": STOLEN}, None)


@broken("keys-stay-with-tenants", "ClusterPushSecret/more", "whatever namespaces fit", "a PushSecret for each key")
def keys_that_are_pushed_from_wherever(plan: Plan) -> None:
    secrets(plan, "ClusterPushSecret", {"pushSecretSpec": {}}, None)


@broken(
    "keys-stay-with-tenants", "openstack-finance-prod/PushSecret/more", "customer-a-prod", "ceph/<pool>/finance-prod"
)
def a_tenant_that_puts_its_key_in_the_place_of_another_s(plan: Plan) -> None:
    match = {"secretKey": "k", "remoteRef": {"remoteKey": remote("customer-a-prod")}}
    secrets(plan, "PushSecret", {"selector": {"secret": {"name": "k"}}, "data": [{"match": match}]})


@broken("keys-stay-with-tenants", "spec.dataTo pushes whatever fits", "name each value")
def a_tenant_that_pushes_all_that_it_has(plan: Plan) -> None:
    secrets(plan, "PushSecret", {"selector": {"secret": {"name": "k"}}, "dataTo": [{}]})


@broken("keys-stay-with-tenants", "-/ExternalSecret/more", "names no namespace", "write one")
def a_key_for_whatever_namespace_there_is(plan: Plan) -> None:
    secrets(plan, "ExternalSecret", STOLEN, None)


@broken("keys-stay-with-tenants", "ExternalSecret/ceph-client-ceph", "'ceph/st-pool-a/customer-a-prod", "<pool>/ceph/")
def a_tenant_that_is_called_like_a_part_of_every_path(plan: Plan) -> None:
    renamed(plan, "ceph")
    entry = plan.find("ExternalSecret", "ceph-client-ceph").at("spec", "data", 0)
    entry["remoteRef"]["key"] = remote("customer-a-prod")


@broken(
    "keys-stay-with-tenants", "ExternalSecret/ceph-client-customer-b-staging", "customer-a-prod", "use ceph/<pool>/"
)
def a_key_that_another_tenant_calls_alike(plan: Plan) -> None:
    entry = plan.find("ExternalSecret", "ceph-client-customer-b-staging").at("spec", "data", 0)
    entry["remoteRef"]["key"] = "ceph/st-pool-a/customer-a-prod/customer-b-staging"


OVN, OF_STAGING = "ovn-tls-certs", "openstack-customer-b-staging"


def certificates(plan: Plan, kind: str) -> Any:  # noqa: ANN401  (an entry of an object's spec)
    meta = {"name": OVN, "namespace": OF_STAGING}
    (one,) = (one for one in plan.all(kind) if meta.items() <= one.props["metadata"].items())
    return one.at("spec", "data", 0)


@broken(
    "keys-stay-with-tenants",
    f"{OF_STAGING}/ExternalSecret/{OVN}",
    "'openstack/ovn/customer-a-prod'",
    "use openstack/ovn/",
)
def nodes_that_pass_for_another_tenant_s(plan: Plan) -> None:
    certificates(plan, "ExternalSecret")["remoteRef"]["key"] = "openstack/ovn/customer-a-prod"


@broken(
    "keys-stay-with-tenants", f"{OF_STAGING}/PushSecret/{OVN}", "'openstack/ovn/customer-a-prod'", "use openstack/ovn/"
)
def a_network_that_puts_its_certificates_in_the_place_of_another_s(plan: Plan) -> None:
    certificates(plan, "PushSecret")["match"]["remoteRef"]["remoteKey"] = "openstack/ovn/customer-a-prod"


@broken(
    "keys-stay-with-tenants", "ExternalSecret/ceph-client-ovn", "'openstack/ovn/customer-a-prod'", "openstack/ovn/ovn"
)
def a_tenant_that_is_called_like_the_place_of_all_certificates(plan: Plan) -> None:
    renamed(plan, "ovn")
    entry = plan.find("ExternalSecret", "ceph-client-ovn").at("spec", "data", 0)
    entry["remoteRef"]["key"] = "openstack/ovn/customer-a-prod"


@fine("keys-stay-with-tenants")
def a_secret_of_no_tenant(plan: Plan) -> None:
    one = plan.copy_of("ExternalSecret", "ceph-client-customer-b-staging", "other")
    one.put("flux-system", "metadata", "namespace")
    one.put("infrastructure/kubeconfig-cp", "spec", "data", 0, "remoteRef", "key")
