"""What is told of a tenant: what its live objects say, and never a key."""

from collections.abc import Mapping
from typing import Any, cast

import pulumi

from components.ceph_tenant import CephTenant
from crds import c5c3
from model.ceph import GIB, pools_on
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
        told[f"{purpose.removesuffix('s')}Pool"] = {"name": _name(pool), "status": _phase(pool), **quota}
    for key, one in (("filesystem", made.filesystem), ("objectStore", made.object_store)):
        if one is not None:
            told[key] = {"name": _name(one), "status": _phase(one)}
    told["clients"] = {service: {"name": _name(one), "status": _phase(one)} for service, one in made.clients.items()}
    return told


def _name(one: Any) -> pulumi.Output[str]:  # noqa: ANN401  (each kind of Rook's has a type of its own)
    metadata: pulumi.Output[Any] = one.metadata
    return metadata.apply(lambda given: str(given.name))


def _phase(one: Any) -> pulumi.Output[str]:  # noqa: ANN401  (as above; some statuses are typed and some are maps)
    status: pulumi.Output[Any] = one.status
    return status.apply(_said)


def _said(status: Any) -> str:  # noqa: ANN401
    if isinstance(status, Mapping):
        found = cast("Mapping[str, Any]", status).get("phase")
    else:
        found = getattr(status, "phase", None)
    return str(found) if found else "Creating"
