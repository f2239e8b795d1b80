"""A cluster as Gardener knows it: one Shoot with one group of workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.options import child_opts
from crds import gardener
from model.naming import shoot_name
from model.pools import Cluster
from model.region import Garden, Infrastructure

CLUSTER_LABEL = "c5c3.io/cluster"
REGION_LABEL = "c5c3.io/region"


DELETION = "confirmation.gardener.cloud/deletion"  # without it Gardener refuses to delete


@dataclass(frozen=True, kw_only=True)
class WorkerGroup:
    name: str
    machine_type: str
    volume_size: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    provider_config: Any = None


def shoot(  # noqa: PLR0913  (each says one thing about the Shoot)
    name: str,
    *,
    claim: Cluster,
    garden: Garden,
    provider_type: str,
    infrastructure: Infrastructure,
    group: WorkerGroup,
    parent: pulumi.Resource,
    provider: kubernetes.Provider,
    labels: Mapping[str, str] | None = None,
    highly_available: bool = False,
) -> gardener.Shoot:
    """Declare the Shoot of a cluster; its logical name never changes with the claim's other fields."""
    network = claim.networking
    own_labels = {CLUSTER_LABEL: claim.name, REGION_LABEL: claim.region}
    return gardener.Shoot(
        name,
        metadata={
            "name": shoot_name(claim.name, garden.namespace),
            "namespace": garden.namespace,
            "labels": {**(labels or {}), **own_labels},
            "annotations": {} if claim.deletion_protection else {DELETION: "true"},
        },
        spec=gardener.ShootSpecArgs(
            cloud_profile=gardener.ShootSpecCloudProfileArgs(kind="CloudProfile", name=infrastructure.cloud_profile),
            credentials_binding_name=infrastructure.credentials_binding,
            region=claim.region,
            purpose="production",
            kubernetes=gardener.ShootSpecKubernetesArgs(version=claim.kubernetes_version),
            networking=gardener.ShootSpecNetworkingArgs(
                type=network.type, nodes=network.nodes, pods=network.pods, services=network.services
            ),
            maintenance=gardener.ShootSpecMaintenanceArgs(
                time_window=gardener.ShootSpecMaintenanceTimeWindowArgs(
                    begin=claim.maintenance.begin, end=claim.maintenance.end
                )
            ),
            control_plane=_zone_tolerant() if highly_available else None,
            provider=gardener.ShootSpecProviderArgs(type=provider_type, workers=_workers(claim, group)),
        ),
        opts=child_opts(parent, provider=provider, protect=claim.deletion_protection or None),
    )


def _zone_tolerant() -> gardener.ShootSpecControlPlaneArgs:
    tolerance = gardener.ShootSpecControlPlaneHighAvailabilityFailureToleranceArgs(type="zone")
    return gardener.ShootSpecControlPlaneArgs(
        high_availability=gardener.ShootSpecControlPlaneHighAvailabilityArgs(failure_tolerance=tolerance)
    )


def _workers(claim: Cluster, group: WorkerGroup) -> Sequence[gardener.ShootSpecProviderWorkersArgs]:
    image = claim.machine_image and gardener.ShootSpecProviderWorkersMachineImageArgs(
        name=claim.machine_image.name, version=claim.machine_image.version
    )
    volume = gardener.ShootSpecProviderWorkersVolumeArgs(size=group.volume_size) if group.volume_size else None
    return [
        gardener.ShootSpecProviderWorkersArgs(
            name=group.name,
            minimum=claim.workers,
            maximum=claim.max_workers,
            machine=gardener.ShootSpecProviderWorkersMachineArgs(type=group.machine_type, image=image),
            zones=list(claim.zones) or None,
            labels=dict(group.labels) or None,
            volume=volume,
            provider_config=group.provider_config,
        )
    ]
