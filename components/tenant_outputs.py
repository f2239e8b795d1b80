"""What is told of a tenant: what its live objects say, and never a key."""

from collections.abc import Mapping
from typing import Any, cast

import pulumi

from components.ceph_tenant import CephTenant
from crds import c5c3
from model.ceph import GIB, pools_on
from model.ceph_clients import ceph_clients
from model.tenant import OpenStackCluster

PENDING = "Pending"


def phase(status: c5c3.outputs.ControlPlaneStatus | None) -> str:
    """The documents' word for how far the control plane is."""
    conditions = (status.conditions if status else None) or []
    ready = next((one for one in conditions if one.type == "Ready"), None)
    if ready is None:
        return PENDING
    if ready.status == "True":
        return "Ready"
    return "Failed" if ready.reason == "Failed" else "Provisioning"


def endpoints(status: c5c3.outputs.ControlPlaneStatus | None) -> dict[str, str]:
    """As the operator found them; none before it has."""
    return dict((status.endpoints if status else None) or {})


def ceph_resources(claim: OpenStackCluster, storage_cluster: str, made: CephTenant) -> dict[str, Any]:
    """By the documents' names: each pool with its state and quota, each client with the name of its Secret."""
    here = pools_on(claim, storage_cluster)
    told: dict[str, Any] = {}
    for purpose, pool in made.pools.items():
        gib = here[purpose].quota_gib
        quota = {"quotaBytes": gib * GIB} if gib else {}
        told[f"{purpose.removesuffix('s')}Pool"] = {"name": here[purpose].name, "status": _phase(pool), **quota}
    for key, part, one in (
        ("filesystem", "cephfs", made.filesystem),
        ("objectStore", "rgw", made.object_store),
    ):
        if one is not None:
            told[key] = {"name": f"{claim.name}-{part}", "status": _phase(one)}
    names = {one.service: one.name for one in ceph_clients(claim)}
    told["clients"] = {
        service: {"name": names[service], "status": _phase(one)} for service, one in made.clients.items()
    }
    return told


def _phase(one: Any) -> pulumi.Output[str]:  # noqa: ANN401  (each kind of Rook's has a type of its own; some statuses are typed, some are maps)
    status: pulumi.Output[Any] = one.status
    return status.apply(_said)


def _said(status: Any) -> str:  # noqa: ANN401
    if isinstance(status, Mapping):
        found = cast("Mapping[str, Any]", status).get("phase")
    else:
        found = getattr(status, "phase", None)
    return str(found) if found else "Creating"
