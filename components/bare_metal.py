"""What hypervisor and storage pools have in common: a Shoot on servers of IronCore."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.shoot import WorkerGroup, shoot
from crds import gardener, provider_ironcore_metal as metal
from model.pools import HypervisorPool, StoragePool
from model.region import Garden

API = "ironcore-metal.provider.extensions.gardener.cloud/v1alpha1"
MACHINE_POOL_LABEL = "c5c3.io/machine-pool"
PROVIDER = "ironcore-metal"


@dataclass(frozen=True, kw_only=True)
class BareMetalCluster:
    """How one kind of pool uses its servers."""

    group: str
    node_labels: Mapping[str, str]


def bare_metal_shoot(  # noqa: PLR0913  (each says one thing about the Shoot)
    name: str,
    *,
    claim: HypervisorPool | StoragePool,
    kind: BareMetalCluster,
    garden: Garden,
    parent: pulumi.Resource,
    provider: kubernetes.Provider,
) -> gardener.Shoot:
    """Servers are taken from the claim's machine pool by label; the machine class is their type."""
    servers = metal.WorkerConfigArgs(
        api_version=API, kind="WorkerConfig", extra_server_labels={MACHINE_POOL_LABEL: claim.ironcore.machine_pool}
    )
    return shoot(
        name,
        claim=claim,
        garden=garden,
        provider_type=PROVIDER,
        infrastructure=garden.ironcore,
        group=WorkerGroup(
            name=kind.group,
            machine_type=claim.ironcore.machine_class,
            labels={**claim.labels, **kind.node_labels},
            provider_config=servers,
        ),
        labels=claim.labels,
        parent=parent,
        provider=provider,
    )
