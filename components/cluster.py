"""What every kind of cluster is made of: the Shoot, the way into it, and what is told about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.authentication import trust_management
from components.capacity import nodes
from components.cluster_access import ClusterAccess, open_access, prove
from components.garden import GardenAccess
from components.shoot import Blueprint, make_shoot
from components.told import ClusterTold, Nodes
from crds import gardener
from model.naming import shoot_name
from model.pools import Cluster

PHASES = {"Create": "Provisioning", "Delete": "Deleting"}


@dataclass(frozen=True, kw_only=True)
class ClusterOutputs:
    """What is told of a cluster, to programs by its fields and in the stack's outputs by `exported`."""

    kind: str
    shoot_name: str
    api_address: pulumi.Output[str]
    kubernetes_version: pulumi.Output[str]
    phase: pulumi.Output[str]
    workers: Nodes
    access_command: str

    def exported(self) -> ClusterTold:
        return {
            "kind": self.kind,
            "shoot": self.shoot_name,
            "apiAddress": self.api_address,
            "kubernetesVersion": self.kubernetes_version,
            "phase": self.phase,
            "workers": self.workers,
            "accessCommand": self.access_command,
        }


@dataclass(frozen=True, kw_only=True)
class MadeCluster:
    access: ClusterAccess
    outputs: ClusterOutputs


def make_cluster(  # noqa: PLR0913  (each says one thing about the cluster)
    name: str,
    *,
    claim: Cluster,
    blueprint: Blueprint,
    garden: GardenAccess,
    parent: pulumi.Resource,
    depends_on: Sequence[pulumi.Resource] = (),
) -> MadeCluster:
    """Children are called after their component: `<name>-shoot`, `<name>-authentication`, `<name>-cluster`, ..."""
    ref = garden.shoot(shoot_name(claim.name, garden.settings.namespace))
    trust = trust_management(f"{name}-authentication", ref.name, garden, parent)
    shoot = make_shoot(
        f"{name}-shoot",
        claim=claim,
        blueprint=blueprint,
        garden=garden,
        parent=parent,
        authentication=f"{ref.name}-authentication" if trust else None,
        depends_on=[*depends_on, *([trust] if trust else [])],
    )
    access = open_access(name, claim.name, shoot, garden=garden, parent=parent)
    facts = {"cluster": claim.name, "region": claim.region, "kind": blueprint.kind, "environment": garden.environment}
    prove(f"{name}-info", access, facts, parent)
    outputs = ClusterOutputs(
        kind=blueprint.kind,
        shoot_name=ref.name,
        api_address=access.server,
        kubernetes_version=shoot.spec.apply(lambda spec: _version(spec, claim)),
        phase=shoot.status.apply(_phase),
        workers=nodes(claim),
        access_command=access.command,
    )
    return MadeCluster(access=access, outputs=outputs)


def _version(spec: gardener.outputs.ShootSpec | None, claim: Cluster) -> str:
    """With the patch that Gardener chose, where the claim names none."""
    version = spec.kubernetes.version if spec else None
    return version or claim.kubernetes_version


def _phase(status: gardener.outputs.ShootStatus | None) -> str:
    """The documents' word for what Gardener did last."""
    last = status.last_operation if status else None
    match last and last.state:
        case None:
            return "Provisioning"
        case "Succeeded":
            return "Ready"
        case "Failed" | "Error" | "Aborted":
            return "Failed"
        case _:
            return PHASES.get(last.type if last else "", "Scaling")
