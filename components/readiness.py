"""When an object is ready, kind by kind, and for how long it is waited for."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

WAIT_FOR = "pulumi.com/waitFor"
# Pulumi's provider makes up a name for each object and keeps it in the state. A run that was killed while it waited
# leaves no state, and the next one, under another name, could change nothing that the first one has set.
FIELD_MANAGER = {"pulumi.com/patchFieldManager": "cobaltcore"}
CONDITION_READY = ("condition=Ready",)
PHASE_READY = ("jsonpath={.status.phase}=Ready",)
STATE_READY = ("jsonpath={.status.state}=Ready",)
_PATH = re.compile(r"jsonpath=\{\.(?P<path>[^}]+)\}(=(?P<value>.+))?")


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """All of `conditions` hold, for the generation that was asked for; none: there when it exists."""

    conditions: tuple[str, ...] = CONDITION_READY
    minutes: int | None = 15
    """For how long it is waited for; None where the region says it, by `readyWithin` of its garden or management."""
    deletion: int | None = None
    """Minutes that it may take to go, where that is another time: what its operator keeps is to be said soon."""


# Some operators report nothing, or a thing of their own; waiting for what never comes would cost the whole time-out.
# After a change the provider waits until the status is about the new generation, where the status says of which it is.
# External Secrets' kinds do not say: what they reported before a change counts.
READINESS: Mapping[str, Readiness] = {
    "Shoot": Readiness(
        conditions=(
            "jsonpath={.status.lastOperation.state}=Succeeded",
            "condition=APIServerAvailable",
            "condition=ControlPlaneHealthy",
            "condition=EveryNodeReady",
            "condition=SystemComponentsHealthy",
        ),
        minutes=None,
    ),
    "FluxInstance": Readiness(minutes=None),
    "GitRepository": Readiness(minutes=None),
    "OCIRepository": Readiness(minutes=None),
    "HelmRepository": Readiness(minutes=None),
    "HelmRepository/oci": Readiness(conditions=(), minutes=None),  # its status stays empty
    "HelmRelease": Readiness(minutes=None),
    "Kustomization": Readiness(minutes=None),
    "ResourceSet": Readiness(minutes=None),
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
    "HypervisorShare": Readiness(deletion=5),
    "OVNCluster": Readiness(minutes=20),
    "OVSNode": Readiness(),
    "Hypervisor": Readiness(),
    # K-ORC's, which are called as others are.
    **{
        f"openstack.k-orc.cloud/{kind}": Readiness(conditions=("condition=Available",))
        for kind in ("ApplicationCredential", "Domain", "Endpoint", "Project", "Role", "Service", "User")
    },
    "CephCluster": Readiness(
        conditions=(*PHASE_READY, "jsonpath={.status.ceph.health}=HEALTH_OK"),
        minutes=60,
    ),
    "CephBlockPool": Readiness(conditions=PHASE_READY, deletion=1),
    "CephFilesystem": Readiness(conditions=PHASE_READY, deletion=5),
    "CephObjectStore": Readiness(conditions=PHASE_READY, deletion=5),
    "CephRBDMirror": Readiness(conditions=PHASE_READY),
    "CephClient": Readiness(conditions=(*PHASE_READY, "jsonpath={.status.info.secretName}")),
    "CephObjectStoreUser": Readiness(conditions=(*PHASE_READY, "jsonpath={.status.info.secretName}")),
    "RemoteCluster": Readiness(conditions=STATE_READY),
    "RemoteArbiter": Readiness(conditions=STATE_READY),
}


def waiting(kind: str) -> dict[str, str]:
    """The annotations by which Pulumi's Kubernetes provider waits for an object of a kind, and knows its own."""
    conditions = READINESS[kind].conditions
    if not conditions:
        return dict(FIELD_MANAGER)
    return {**FIELD_MANAGER, WAIT_FOR: conditions[0] if len(conditions) == 1 else json.dumps(conditions)}


def waited_for(kind: str) -> str:
    """In words, for the sentence about an object that did not become ready."""
    readiness = READINESS[kind]
    return f"it was waited for up to {readiness.minutes} min, until {' and '.join(map(_words, readiness.conditions))}"


def _words(condition: str) -> str:
    match = _PATH.fullmatch(condition)
    if match is None:
        name, _, value = condition.removeprefix("condition=").partition("=")
        return f"{name} is {value or 'True'}"
    return f"{match['path']} is {match['value'] or 'there'}"


def patience(kind: str, minutes: int | None = None) -> pulumi.CustomTimeouts:
    """For how long an object of a kind is waited for, when it is made, changed and deleted.

    `minutes` are the region's, and given for just the kinds that leave it to the region.
    """
    readiness = READINESS[kind]
    if (minutes is None) == (readiness.minutes is None):
        raise ValueError(f"{kind}: either the region says for how long it is waited for, or components/readiness.py")
    time = f"{minutes or readiness.minutes}m"
    return pulumi.CustomTimeouts(
        create=time, update=time, delete=f"{readiness.deletion}m" if readiness.deletion else time
    )
