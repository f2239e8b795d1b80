"""What is told of a tenant: what its live objects say, and never a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pulumi

from components.ceph_tenant import CephTenant
from components.tenant_objects import namespace_of
from components.unknown import unknown
from crds import c5c3, rook
from model.ceph import pools_on
from model.ceph_clients import ceph_clients
from model.ceph_keys import ceph_keys
from model.keys import Key
from model.ovn_keys import ovn_key
from model.tenant import OpenStackCluster
from model.words import in_bytes

PENDING = "Pending"
UNDER_WAY = {"Validating", "UpdatingInfra", "UpdatingKeystone", "UpdatingServices", "Verifying"}
SOUTHBOUND = "ovn-southbound"  # among a control plane's endpoints


def phase(status: c5c3.outputs.ControlPlaneStatus | None) -> str:
    """The documents' word for how far the control plane is.

    One that has told where it is reached has been ready once: it fails no more, but is degraded, unless it is being
    changed. The reasons are the operator's; by the custom of Kubernetes those of a failure end so.
    """
    conditions = (status.conditions if status else None) or []
    ready = next((one for one in conditions if one.type == "Ready"), None)
    if status is None or ready is None:
        return PENDING
    if ready.status == "True":
        return "Ready"
    if ready.status == "Unknown" or status.update_phase in UNDER_WAY:
        return "Provisioning"
    if endpoints(status):
        return "Degraded"
    return "Failed" if (ready.reason or "").endswith(("Failed", "Error")) else "Provisioning"


def endpoints(status: c5c3.outputs.ControlPlaneStatus | None) -> dict[str, str]:
    """As the operator found them; none before it has."""
    return dict((status.endpoints if status else None) or {})


def southbound(tenant: str, status: c5c3.outputs.ControlPlaneStatus | None) -> pulumi.Input[str]:
    """Where hypervisors find the tenant's networks; unknown before the control plane is ready."""
    found = endpoints(status).get(SOUTHBOUND)
    if found is not None:
        return found
    if pulumi.runtime.is_dry_run():
        return unknown()
    raise pulumi.RunError(
        f"The ControlPlane {tenant} is ready and names no {SOUTHBOUND} among its endpoints, so no hypervisor finds the "
        f"tenant's networks: see what its OVNCluster says in {namespace_of(tenant)}, and run the update again."
    )


def consumed_pools(
    shares: Mapping[str, c5c3.HypervisorShare], storage: Mapping[str, rook.CephCluster | None]
) -> dict[str, Any]:
    """As the pools' own objects say it: how many nodes the tenant has, and what room there is on Ceph."""
    return {
        "hypervisor": [
            {
                "name": pool,
                "status": share.status.apply(lambda status: (status.phase if status else None) or PENDING),
                "nodeCount": share.status.apply(lambda status: int((status.node_count if status else None) or 0)),
            }
            for pool, share in shares.items()
        ],
        "storage": [{"name": pool, **(_ceph(cluster) if cluster else {})} for pool, cluster in storage.items()],
    }


def _ceph(cluster: rook.CephCluster) -> dict[str, Any]:
    def available(status: rook.outputs.CephClusterStatus | None) -> int | None:
        """In bytes on the disks, before copies; nothing as long as Ceph has not said."""
        capacity = status.ceph.capacity if status and status.ceph else None
        return int(capacity.bytes_available) if capacity and capacity.bytes_available is not None else None

    return {
        "status": cluster.status.apply(lambda status: (status.phase if status else None) or PENDING),
        "availableCapacity": cluster.status.apply(available),
    }


def ceph_resources(claim: OpenStackCluster, storage_cluster: str, made: CephTenant) -> dict[str, Any]:
    """By the documents' names: each pool with its state and quota, each client with the name of its Secret."""
    here = pools_on(claim, storage_cluster)
    told: dict[str, Any] = {}
    for purpose, pool in made.pools.items():
        name = f"{purpose.removesuffix('s')}Pool"
        quota = {"quotaBytes": pool.spec.apply(_quota)} if here[purpose].quota_gib else {}
        told[name] = {"name": here[purpose].name, "status": _phase(pool), **quota}
    for key, part, one in (
        ("filesystem", "cephfs", made.filesystem),
        ("objectStore", "rgw", made.object_store),
    ):
        if one is not None:
            told[key] = {"name": f"{claim.name}-{part}", "status": _phase(one)}
    clients = {one.service: one for one in ceph_clients(claim) if one.storage_cluster == storage_cluster}
    told["clients"] = {
        service: {"name": clients[service].name, "secretRef": clients[service].secret, "status": _phase(one)}
        for service, one in made.clients.items()
    }
    return told


def secret_references(claim: OpenStackCluster) -> list[dict[str, Any]]:
    """Where each key is: its Secret on the clusters that use it, and its path in OpenBao."""
    ovn = ovn_key(claim)
    keys: list[Key] = [*ceph_keys(claim), *([ovn] if ovn else [])]
    return [
        {
            "name": key.secret,
            "namespace": namespace_of(claim.name),
            "path": key.path,
            "controlPlane": key.on_control_plane,
            "hypervisorClusters": list(claim.hypervisor_clusters) if key.on_hypervisors else [],
        }
        for key in keys
    ]


def _quota(spec: rook.outputs.CephBlockPoolSpec) -> int | None:
    """What the tenant may store in the pool, as the pool itself says; none without a quota."""
    size = spec.quotas.max_size if spec.quotas else None
    return in_bytes(size) if size else None


def _phase(one: Any) -> pulumi.Output[str]:  # noqa: ANN401  (each kind of Rook's has a type of its own; some statuses are typed, some are maps)
    status: pulumi.Output[Any] = one.status
    return status.apply(_said)


def _said(status: Any) -> str:  # noqa: ANN401
    if isinstance(status, Mapping):
        found = cast("Mapping[str, Any]", status).get("phase")
    else:
        found = getattr(status, "phase", None)
    return str(found) if found else "Creating"
