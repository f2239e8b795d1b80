"""A cluster as Gardener knows it: one Shoot with one group of workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.options import child_opts
from crds import gardener
from model.naming import shoot_name
from model.pools import Workforce
from model.region import Garden

CLUSTER_LABEL = "c5c3.io/cluster"
REGION_LABEL = "c5c3.io/region"


@dataclass(frozen=True, kw_only=True)
class Infrastructure:
    """What a Shoot of one kind stands on, and what Gardener's landscape calls it."""

    provider: str
    cloud_profile: str
    credentials: str


OPENSTACK = Infrastructure(provider="openstack", cloud_profile="converged-cloud", credentials="cc-credentials")
BARE_METAL = Infrastructure(provider="ironcore-metal", cloud_profile="ironcore", credentials="ironcore-credentials")


@dataclass(frozen=True, kw_only=True)
class WorkerGroup:
    name: str
    machine_type: str
    image: str | None = None
    volume_size: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    provider_config: Any = None


def shoot(  # noqa: PLR0913  (each says one thing about the Shoot)
    name: str,
    *,
    cluster: str,
    claim: Workforce,
    garden: Garden,
    infrastructure: Infrastructure,
    group: WorkerGroup,
    parent: pulumi.Resource,
    provider: kubernetes.Provider,
    labels: Mapping[str, str] | None = None,
    highly_available: bool = False,
    protect: bool = False,
) -> gardener.Shoot:
    """Declare the Shoot of a cluster; its logical name never changes with the claim's other fields."""
    own_labels = {CLUSTER_LABEL: cluster, REGION_LABEL: claim.region}
    return gardener.Shoot(
        name,
        metadata={
            "name": shoot_name(cluster, garden.namespace),
            "namespace": garden.namespace,
            "labels": {**(labels or {}), **own_labels},
        },
        spec=gardener.ShootSpecArgs(
            cloud_profile=gardener.ShootSpecCloudProfileArgs(kind="CloudProfile", name=infrastructure.cloud_profile),
            credentials_binding_name=infrastructure.credentials,
            region=claim.region,
            purpose="production",
            kubernetes=gardener.ShootSpecKubernetesArgs(version=claim.kubernetes_version),
            networking=gardener.ShootSpecNetworkingArgs(type="calico"),
            control_plane=_zone_tolerant() if highly_available else None,
            provider=gardener.ShootSpecProviderArgs(type=infrastructure.provider, workers=_workers(claim, group)),
        ),
        opts=child_opts(parent, provider=provider, protect=protect or None),
    )


def _zone_tolerant() -> gardener.ShootSpecControlPlaneArgs:
    tolerance = gardener.ShootSpecControlPlaneHighAvailabilityFailureToleranceArgs(type="zone")
    return gardener.ShootSpecControlPlaneArgs(
        high_availability=gardener.ShootSpecControlPlaneHighAvailabilityArgs(failure_tolerance=tolerance)
    )


def _workers(claim: Workforce, group: WorkerGroup) -> Sequence[gardener.ShootSpecProviderWorkersArgs]:
    image = gardener.ShootSpecProviderWorkersMachineImageArgs(name=group.image) if group.image else None
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
