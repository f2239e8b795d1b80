"""What a tenant may do on the nodes and in the clusters that it shares."""

from tests.policies.cases.case import broken, fine
from tests.policies.judging import Plan

# no-privileges


def workload(plan: Plan, kind: str, spec: dict[str, object], namespace: str = "openstack-finance-prod") -> None:
    plan.add(
        f"kubernetes:apps/v1:{kind}",
        "workload",
        {
            "apiVersion": "apps/v1",
            "kind": kind,
            "metadata": {"name": "agent", "namespace": namespace},
            "spec": {"template": {"spec": {"containers": [{"name": "a", "image": "a/b:1"}], **spec}}},
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


@broken("no-privileges", "openstack-finance-prod/Deployment/agent", "privileged is True", "leave it out")
def a_privileged_container(plan: Plan) -> None:
    workload(
        plan, "Deployment", {"containers": [{"name": "a", "image": "a/b:1", "securityContext": {"privileged": True}}]}
    )


@broken("no-privileges", "openstack-finance-prod/ReplicationController/agent", "privileged is True", "leave it out")
def a_privileged_container_of_an_old_kind(plan: Plan) -> None:
    privileged = {"name": "a", "image": "a/b:1", "securityContext": {"privileged": True}}
    workload(plan, "ReplicationController", {"containers": [privileged]})


@broken("no-privileges", "openstack-finance-prod/DaemonSet/agent", "hostNetwork is True", "leave it out")
def a_tenant_s_namespace_that_only_the_provider_names(plan: Plan) -> None:
    workload(plan, "DaemonSet", {"hostNetwork": True})
    one = plan.resources[-1]
    del one.at("metadata")["namespace"]
    identifier = "garden-c5c3/eu-de-1-cp"
    props = {"clusterIdentifier": identifier, "namespace": "openstack-finance-prod"}
    one.provider = plan.add("pulumi:providers:kubernetes", "into", props, provider="").name


@broken("no-privileges", "-/DaemonSet/agent", "hostNetwork is True", "leave it out")
def a_namespace_that_only_the_kubeconfig_names(plan: Plan) -> None:
    workload(plan, "DaemonSet", {"hostNetwork": True})
    del plan.resources[-1].at("metadata")["namespace"]


@broken("no-privileges", "openstack-finance-prod/DaemonSet/agent", "hostNetwork is True", "leave it out")
def the_network_of_the_node(plan: Plan) -> None:
    workload(plan, "DaemonSet", {"hostNetwork": True})


@broken(
    "no-privileges", "openstack-finance-prod/DaemonSet/agent", "hostPath is a path of the node", "volume of its own"
)
def a_path_of_the_node(plan: Plan) -> None:
    workload(plan, "DaemonSet", {"volumes": [{"name": "root", "hostPath": {"path": "/"}}]})


@broken("no-privileges", "openstack-finance-prod/StatefulSet/agent", "'CAP_SYS_ADMIN'", "leave it out")
def a_capability_over_the_node(plan: Plan) -> None:
    context = {"capabilities": {"add": ["CAP_SYS_ADMIN"]}}
    workload(plan, "StatefulSet", {"initContainers": [{"name": "a", "image": "a/b:1", "securityContext": context}]})


@broken("no-privileges", "Namespace/openstack-finance-prod", "'privileged'", "baseline or restricted")
def a_namespace_for_privileged_pods(plan: Plan) -> None:
    labels = plan.find("Namespace", "openstack-finance-prod", "eu-de-1-control-plane").at("metadata", "labels")
    labels["pod-security.kubernetes.io/enforce"] = "privileged"


def binding(plan: Plan, role: str, subject: dict[str, str], namespace: str | None = None) -> None:
    kind, metadata = "ClusterRoleBinding", {"name": "all"}
    if namespace:
        kind, metadata = "RoleBinding", {"name": "all", "namespace": namespace}
    plan.add(
        f"kubernetes:rbac.authorization.k8s.io/v1:{kind}",
        "all",
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": kind,
            "metadata": metadata,
            "roleRef": {"kind": "ClusterRole", "name": role},
            "subjects": [subject],
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


ACCOUNT = {"kind": "ServiceAccount", "name": "default", "namespace": "openstack-finance-prod"}


@broken("no-privileges", "ClusterRoleBinding/all", "'cluster-admin'", "bind a role of what it needs")
def a_tenant_s_account_with_all_rights(plan: Plan) -> None:
    binding(plan, "cluster-admin", ACCOUNT)


@broken("no-privileges", "ClusterRoleBinding/all", "'everything'", "bind a role of what it needs")
def a_tenant_s_account_with_a_role_of_somebody_s_own(plan: Plan) -> None:
    binding(plan, "everything", ACCOUNT)


@broken("no-privileges", "ClusterRoleBinding/all", "for system:serviceaccounts", "bind a role of what it needs")
def all_accounts_with_all_rights(plan: Plan) -> None:
    binding(plan, "cluster-admin", {"kind": "Group", "name": "system:serviceaccounts"})


@broken("no-privileges", "ClusterRoleBinding/all", "'view' for openstack-finance-prod", "bind a role of what it needs")
def a_tenant_s_account_as_a_user(plan: Plan) -> None:
    binding(plan, "view", {"kind": "User", "name": "system:serviceaccount:openstack-finance-prod:default"})


@broken("no-privileges", "rook-ceph/RoleBinding/all", "gets rights in rook-ceph", "of that namespace only")
def a_tenant_s_account_with_rights_in_another_namespace(plan: Plan) -> None:
    binding(plan, "view", ACCOUNT, "rook-ceph")


@fine("no-privileges")
def a_tenant_s_account_with_rights_in_its_own_namespace(plan: Plan) -> None:
    binding(plan, "edit", ACCOUNT, "openstack-finance-prod")


@fine("no-privileges")
def somebody_else_s_account_with_all_rights(plan: Plan) -> None:
    binding(plan, "cluster-admin", {"kind": "User", "name": "greenhouse"})


@fine("no-privileges")
def a_privileged_agent_that_is_no_tenant_s(plan: Plan) -> None:
    workload(plan, "DaemonSet", {"hostNetwork": True}, namespace="ovn-system")
