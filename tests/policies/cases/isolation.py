"""Who may be where."""

from typing import Any, cast

from tests.policies.cases import broken, fine
from tests.policies.judging import UNKNOWN, Plan, Planned

PLANE = "ControlPlane"
HYPERVISORS = ("spec", "compute", "hypervisorClusters")
STORAGE = ("spec", "storage", "storageClusters")
FINANCE, STAGING = "finance-prod", "customer-b-staging"


def relabel(plan: Plan, shoot: str, key: str, value: str | None) -> None:
    """On the Shoot and on its nodes, as the components do it."""
    one = plan.find("Shoot", shoot)
    for labels in (one.at("metadata", "labels"), one.at("spec", "provider", "workers", 0).setdefault("labels", {})):
        labels.pop(key, None)
        if value is not None:
            labels[key] = value


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


# compliance-pools


@broken("compliance-pools", "finance-prod", "'st-pool-b'", "name only pools of that label")
def a_compliance_tenant_on_ordinary_storage(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).at(*STORAGE).append("st-pool-b")


@broken("compliance-pools", "finance-prod", "'st-pool-encrypted'", "compliance=sox")
def a_pool_that_loses_its_label(plan: Plan) -> None:
    relabel(plan, "st-pool-encrypted", "compliance", None)


@broken("compliance-pools", "finance-prod", "'st-pool-encrypted'", "compliance=sox")
def a_pool_of_another_regime(plan: Plan) -> None:
    relabel(plan, "st-pool-encrypted", "compliance", "pci")


@fine("compliance-pools")
def two_pools_of_the_same_regime(plan: Plan) -> None:
    more = plan.copy_of("Shoot", "st-pool-encrypted", "st-pool-more")
    more.put("st-pool-more", "metadata", "labels", "c5c3.io/cluster")
    plan.find(PLANE, FINANCE).at(*STORAGE).append("st-pool-more")


# physical-isolation


@broken("physical-isolation", "Shoot/hv-pool-b", "'ironcore-dedicated-rack-1'", "another machine pool")
def a_second_pool_on_isolated_servers(plan: Plan) -> None:
    """The example of the documents."""
    config = plan.find("Shoot", "hv-pool-b").at("spec", "provider", "workers", 0, "providerConfig")
    config["extraServerLabels"]["c5c3.io/machine-pool"] = "ironcore-dedicated-rack-1"


@broken("physical-isolation", "Shoot/st-pool-b", "the servers of hv-pool-compliance", "another machine pool")
def storage_on_isolated_servers(plan: Plan) -> None:
    config = plan.find("Shoot", "st-pool-b").at("spec", "provider", "workers", 0, "providerConfig")
    config["extraServerLabels"]["c5c3.io/machine-pool"] = "ironcore-dedicated-rack-1"


@broken(
    "physical-isolation",
    "Shoot/other",
    "the servers of hv-pool-compliance",
    "another machine pool",
    also=("clusters-are-named",),
)
def a_cluster_without_labels_on_isolated_servers(plan: Plan) -> None:
    one = other(plan)
    config = one.at("spec", "provider", "workers", 0, "providerConfig")
    config["extraServerLabels"]["c5c3.io/machine-pool"] = "ironcore-dedicated-rack-1"
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
    del plan.find("Shoot", "hv-pool-comp-6772").at("spec", "provider", "workers", 0)["providerConfig"]


@broken("physical-isolation", "Shoot/hv-pool-", "'servers', the servers of hv-pool-", "another machine pool")
def two_isolated_pools_on_the_same_servers(plan: Plan) -> None:
    for name in ("hv-pool-a", "hv-pool-b"):
        relabel(plan, name, "isolation", "physical")
        config = plan.find("Shoot", name).at("spec", "provider", "workers", 0, "providerConfig")
        config["extraServerLabels"]["c5c3.io/machine-pool"] = "servers"


@fine("physical-isolation")
def two_ordinary_pools_on_the_same_servers(plan: Plan) -> None:
    config = plan.find("Shoot", "hv-pool-b").at("spec", "provider", "workers", 0, "providerConfig")
    config["extraServerLabels"]["c5c3.io/machine-pool"] = "ironcore-baremetal-kvm"


# compliance-safeguards


@broken("compliance-safeguards", "CephBlockPool/finance-prod-volumes", "is 2", "keep 3 copies or more")
def two_copies_under_compliance(plan: Plan) -> None:
    plan.find("CephBlockPool", "finance-prod-volumes").put(2, "spec", "replicated", "size")


@broken(
    "compliance-safeguards",
    "CephBlockPool/finance-prod-data-ephemeral",
    "is 2",
    "keep 3 copies or more",
)
def volumes_that_are_called_ephemeral(plan: Plan) -> None:
    """What a pool is for, the ControlPlane says."""
    one = plan.copy_of("CephBlockPool", "finance-prod-ephemeral", "finance-prod-data-ephemeral")
    one.put({"maxSize": "10Gi"}, "spec", "quotas")
    backends = plan.find(PLANE, FINANCE).at("spec", "services", "cinder", "backends")
    backends.append({**backends[0], "name": "more", "pool": "finance-prod-data-ephemeral"})


@broken("compliance-safeguards", "ControlPlane/finance-prod", "tls.enabled is False", "set it to true")
def a_compliance_tenant_without_tls(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put(False, "spec", "global", "tls", "enabled")  # noqa: FBT003  (a value of the object)


@broken("compliance-safeguards", "st-pool-encrypted/rook-ceph/CephCluster", "encrypted is False", "set it to true")
def plain_disks_under_compliance(plan: Plan) -> None:
    ceph(plan, "st-pool-encrypted").put(False, "spec", "storage", "storageClassDeviceSets", 0, "encrypted")  # noqa: FBT003


@broken("compliance-safeguards", "CephCluster", "encryptedDevice is None", "set it to")
def disks_of_another_form_under_compliance(plan: Plan) -> None:
    ceph(plan, "st-pool-encrypted").put({"useAllNodes": True, "useAllDevices": True}, "spec", "storage")


@broken("compliance-safeguards", "tls.enabled is not known before the update", "write a value that the plan knows")
def tls_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put(UNKNOWN, "spec", "global", "tls", "enabled")


@fine("compliance-safeguards")
def one_copy_of_ephemeral_disks(plan: Plan) -> None:
    spec = plan.find("CephBlockPool", "finance-prod-ephemeral").at("spec")
    spec["replicated"] = {"size": 1, "requireSafeReplicaSize": False}


@fine("compliance-safeguards")
def erasure_coding_that_survives_as_much_as_three_copies(plan: Plan) -> None:
    spec = plan.find("CephBlockPool", "finance-prod-volumes").at("spec")
    del spec["replicated"]
    spec["erasureCoded"] = {"dataChunks": 2, "codingChunks": 2}


def ceph(plan: Plan, pool: str) -> Planned:
    return next(one for one in plan.all("CephCluster") if one.name.endswith(f"{pool}-ceph"))


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
    plan.find("Shoot", "hv-pool-a").put(44, "spec", "provider", "workers", 0, "minimum")


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
    plan.find("Shoot", "hv-pool-a").put(36, "spec", "provider", "workers", 0, "minimum")


@fine("node-shares")
def two_tenants_for_whom_two_nodes_are_left(plan: Plan) -> None:
    share(plan, STAGING, None)
    share(plan, "team-b-staging", None)
    plan.find("Shoot", "hv-pool-a").put(37, "spec", "provider", "workers", 0, "minimum")


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


# tenant-names


def renamed(plan: Plan, name: str) -> None:
    """A tenant of another name with everything that it has."""
    for one in plan.resources:
        meta = one.props.get("metadata", {})
        if STAGING in str(meta):
            one.props = _replaced(one.props, name)
    plan.find(PLANE, name).put(f"openstack-{name}", "metadata", "namespace")


def _replaced(tree: Any, name: str) -> Any:  # noqa: ANN401  (whatever an object is made of)
    if isinstance(tree, dict):
        return {key: _replaced(value, name) for key, value in cast("dict[str, Any]", tree).items()}
    if isinstance(tree, list):
        return [_replaced(value, name) for value in cast("list[Any]", tree)]
    return tree.replace(STAGING, name) if isinstance(tree, str) else tree


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
