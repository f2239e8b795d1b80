"""All policies, those of isolation and data first."""

from policies.policy import Policy
from policies.rules import (
    arbiters_elsewhere,
    ceph_caps,
    ceph_names,
    charts_by_digest,
    clusters_are_named,
    clusters_are_there,
    compliance_pools,
    compliance_safeguards,
    dedicated_pools,
    ephemeral_disks,
    exemptions_are_current,
    ha_control_planes,
    keys_stay_with_tenants,
    kubernetes_versions,
    maintenance_windows,
    namespaces_are_protected,
    no_key_material,
    no_keys_in_outputs,
    no_plain_passwords,
    no_privileges,
    node_shares,
    nothing_opaque,
    objects_are_known,
    one_control_plane,
    physical_isolation,
    pinned_versions,
    pools_exist,
    premium_pools,
    quorums,
    quotas_fit,
    replication,
    service_needs,
    shared_pools_are_limited,
    stateful_is_protected,
    tenant_facts,
    tenant_in_its_region,
    tenant_names,
    tenants_spread,
    worker_bounds,
)

ISOLATION = (
    pools_exist,
    tenant_in_its_region,
    dedicated_pools,
    compliance_pools,
    compliance_safeguards,
    physical_isolation,
    ceph_names,
    ceph_caps,
    keys_stay_with_tenants,
    no_privileges,
    node_shares,
    shared_pools_are_limited,
    one_control_plane,
    tenant_names,
)
DATA = (
    stateful_is_protected,
    namespaces_are_protected,
    replication,
    no_key_material,
    no_keys_in_outputs,
    no_plain_passwords,
    arbiters_elsewhere,
)
SIZING = (
    quotas_fit,
    quorums,
    ha_control_planes,
    worker_bounds,
    service_needs,
    tenants_spread,
    premium_pools,
    ephemeral_disks,
)
OPERATIONS = (kubernetes_versions, maintenance_windows, pinned_versions, charts_by_digest)
GATE = (objects_are_known, clusters_are_named, clusters_are_there, nothing_opaque, tenant_facts, exemptions_are_current)

POLICIES: tuple[Policy, ...] = tuple(module.POLICY for module in (*ISOLATION, *DATA, *SIZING, *OPERATIONS, *GATE))
