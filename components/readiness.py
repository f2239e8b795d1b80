"""When an object is ready, kind by kind, and for how long it is waited for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

WAIT_FOR = "pulumi.com/waitFor"
CONDITION_READY = ("condition=Ready",)
PHASE_READY = ("jsonpath={.status.phase}=Ready",)
STATE_READY = ("jsonpath={.status.state}=Ready",)


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """All of `conditions` hold, for the generation that was asked for; none: there when it exists."""

    conditions: tuple[str, ...] = CONDITION_READY
    minutes: int = 15


# Some operators report nothing, or a thing of their own; waiting for what never comes would cost the whole time-out.
READINESS: Mapping[str, Readiness] = {
    "Shoot": Readiness(
        conditions=(
            "jsonpath={.status.lastOperation.state}=Succeeded",
            "condition=APIServerAvailable",
            "condition=ControlPlaneHealthy",
            "condition=EveryNodeReady",
            "condition=SystemComponentsHealthy",
        ),
        minutes=60,
    ),
    "FluxInstance": Readiness(),
    "GitRepository": Readiness(),
    "OCIRepository": Readiness(),
    "HelmRepository": Readiness(),
    "HelmRepository/oci": Readiness(conditions=()),  # its status stays empty
    "HelmRelease": Readiness(minutes=20),
    "Kustomization": Readiness(minutes=20),
    "ClusterIssuer": Readiness(),
    "Issuer": Readiness(),
    "Certificate": Readiness(),
    "ClusterSecretStore": Readiness(),
    "SecretStore": Readiness(),
    "ExternalSecret": Readiness(),
    "PushSecret": Readiness(),
    "MariaDB": Readiness(minutes=20),
    "Memcached": Readiness(),
    "RabbitmqCluster": Readiness(conditions=("condition=AllReplicasReady",), minutes=20),
    "Valkey": Readiness(conditions=STATE_READY),
    "ControlPlane": Readiness(minutes=40),
    "OVNCluster": Readiness(minutes=20),
    "OVSNode": Readiness(),
    "Hypervisor": Readiness(),
    "CephCluster": Readiness(
        conditions=(*PHASE_READY, "jsonpath={.status.ceph.health}=HEALTH_OK"),
        minutes=60,
    ),
    "CephBlockPool": Readiness(conditions=PHASE_READY),
    "CephFilesystem": Readiness(conditions=PHASE_READY),
    "CephObjectStore": Readiness(conditions=PHASE_READY),
    "CephRBDMirror": Readiness(conditions=PHASE_READY),
    "CephClient": Readiness(conditions=(*PHASE_READY, "jsonpath={.status.info.secretName}")),
    "CephObjectStoreUser": Readiness(conditions=(*PHASE_READY, "jsonpath={.status.info.secretName}")),
    "RemoteCluster": Readiness(conditions=STATE_READY),
    "RemoteArbiter": Readiness(conditions=STATE_READY),
}


def waiting(kind: str) -> dict[str, str]:
    """The annotation by which Pulumi's Kubernetes provider waits for an object of a kind."""
    conditions = READINESS[kind].conditions
    if not conditions:
        return {}
    return {WAIT_FOR: conditions[0] if len(conditions) == 1 else json.dumps(conditions)}


def patience(kind: str, minutes: int | None = None) -> pulumi.CustomTimeouts:
    """For how long an object of a kind is waited for, when it is made, changed and deleted."""
    time = f"{minutes or READINESS[kind].minutes}m"
    return pulumi.CustomTimeouts(create=time, update=time, delete=time)
