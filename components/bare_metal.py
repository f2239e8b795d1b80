"""What hypervisor and storage pools have in common: a cluster on servers of IronCore."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi

from components.cluster import MadeCluster, make_cluster
from components.garden import GardenAccess
from components.provider_configs import on_metal
from components.shoot import Blueprint, Workers
from crds import ironcore
from model.pools import Pool


@dataclass(frozen=True, kw_only=True)
class BareMetalKind:
    """How one kind of pool uses its servers."""

    kind: str
    node_labels: Mapping[str, str] = field(default_factory=dict[str, str])
    taints: Mapping[str, str] = field(default_factory=dict[str, str])


def bare_metal_cluster(  # noqa: PLR0913  (each says one thing about the cluster)
    name: str,
    *,
    claim: Pool,
    kind: BareMetalKind,
    garden: GardenAccess,
    machine_class: ironcore.MachineClass | None,
    parent: pulumi.Resource,
) -> MadeCluster:
    """The pool's labels are on the Shoot and on the nodes; the machine class is the machine type of its servers."""
    blueprint = Blueprint(
        kind=kind.kind,
        infrastructure=garden.settings.ironcore,
        configs=on_metal(claim.networking, claim.ironcore.machine_pool),
        workers=Workers(
            name=kind.kind,
            machine_type=claim.ironcore.machine_class,
            labels={**claim.labels, **kind.node_labels},
            taints=kind.taints,
        ),
        labels=claim.labels,
    )
    before = [machine_class] if machine_class else []
    return make_cluster(name, claim=claim, blueprint=blueprint, garden=garden, parent=parent, depends_on=before)
