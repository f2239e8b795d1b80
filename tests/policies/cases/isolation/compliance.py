"""What a tenant under compliance has otherwise."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, STORAGE, ceph, relabel
from tests.policies.judging import UNKNOWN, Plan

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
