"""A cluster as Gardener knows it: one Shoot with one group of workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi

from components.garden import GardenAccess
from components.options import child_opts
from components.provider_configs import ProviderConfigs, network_config
from components.readiness import patience, waiting
from components.same_servers import keep
from crds import gardener
from model.naming import shoot_name
from model.pools import Cluster
from model.region import Infrastructure

CLUSTER_LABEL = "c5c3.io/cluster"
REGION_LABEL = "c5c3.io/region"
KIND_LABEL = "c5c3.io/cluster-kind"
DELETION = "confirmation.gardener.cloud/deletion"  # without it Gardener refuses to delete
PURPOSES = {"production": "production", "staging": "evaluation", "development": "development"}
# Chosen once, when the Shoot is made: with fewer workers, or another cloud profile, nobody is to move its nodes.
ZONES = ("spec.provider.workers[0].zones",)
PATCHED = 3  # parts of a Kubernetes version that says its patch


@dataclass(frozen=True, kw_only=True)
class Workers:
    """The one group of workers of a cluster."""

    name: str
    machine_type: str
    volume_size: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    taints: Mapping[str, str] = field(default_factory=dict[str, str])  # effect by key


@dataclass(frozen=True, kw_only=True)
class Blueprint:
    """What one kind of cluster makes of its Shoot."""

    kind: str
    infrastructure: Infrastructure
    configs: ProviderConfigs
    workers: Workers
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    highly_available: bool = False


def make_shoot(  # noqa: PLR0913  (each says one thing about the Shoot)
    name: str,
    *,
    claim: Cluster,
    blueprint: Blueprint,
    garden: GardenAccess,
    parent: pulumi.Resource,
    authentication: str | None = None,
    depends_on: Sequence[pulumi.Resource] = (),
) -> gardener.Shoot:
    """Declare the Shoot of a cluster; its logical name never changes with the claim's other fields."""
    own_labels = {CLUSTER_LABEL: claim.name, REGION_LABEL: claim.region, KIND_LABEL: blueprint.kind}
    consent = {} if claim.deletion_protection else {DELETION: "true"}
    profile = blueprint.infrastructure.cloud_profile
    return gardener.Shoot(
        name,
        metadata={
            "name": shoot_name(claim.name, garden.settings.namespace),
            "namespace": garden.settings.namespace,
            "labels": {**blueprint.labels, **own_labels},
            "annotations": {**waiting("Shoot"), **consent},
        },
        spec=gardener.ShootSpecArgs(
            cloud_profile=gardener.ShootSpecCloudProfileArgs(kind="CloudProfile", name=profile),
            credentials_binding_name=blueprint.infrastructure.credentials_binding,
            region=claim.region,
            purpose=PURPOSES[garden.environment],
            kubernetes=_kubernetes(claim, authentication),
            networking=_networking(claim, blueprint.configs),
            maintenance=_maintenance(claim),
            control_plane=_zone_tolerant() if blueprint.highly_available else None,
            provider=gardener.ShootSpecProviderArgs(
                type=blueprint.configs.type,
                infrastructure_config=blueprint.configs.infrastructure,
                control_plane_config=blueprint.configs.control_plane,
                workers=[_workers(claim, blueprint, garden)],
            ),
        ),
        opts=child_opts(
            parent,
            provider=garden.provider,
            protect=claim.deletion_protection or None,
            depends_on=depends_on,
            custom_timeouts=patience("Shoot", garden.settings.ready_within),
            ignore_changes=() if claim.zones else ZONES,
            before_update=keep(f"{name}-keeps", claim),
            on_error=garden.on_error,
        ),
    )


def _kubernetes(claim: Cluster, authentication: str | None) -> gardener.ShootSpecKubernetesArgs:
    server = authentication and gardener.ShootSpecKubernetesKubeAPIServerArgs(
        structured_authentication=gardener.ShootSpecKubernetesKubeAPIServerStructuredAuthenticationArgs(
            config_map_name=authentication
        )
    )
    return gardener.ShootSpecKubernetesArgs(version=claim.kubernetes_version, kube_api_server=server or None)


def _networking(claim: Cluster, configs: ProviderConfigs) -> gardener.ShootSpecNetworkingArgs:
    network = claim.networking
    return gardener.ShootSpecNetworkingArgs(
        type=network.type,
        nodes=configs.nodes,
        pods=network.pods,
        services=network.services,
        provider_config=network_config(network),
    )


def _maintenance(claim: Cluster) -> gardener.ShootSpecMaintenanceArgs:
    """Gardener may update what the claim leaves open; what it names stays, or every plan would take it back."""
    names_patch = len(claim.kubernetes_version.split(".")) == PATCHED
    names_image = claim.machine_image is not None and claim.machine_image.version is not None
    return gardener.ShootSpecMaintenanceArgs(
        time_window=gardener.ShootSpecMaintenanceTimeWindowArgs(
            begin=claim.maintenance.begin, end=claim.maintenance.end
        ),
        auto_update=gardener.ShootSpecMaintenanceAutoUpdateArgs(
            kubernetes_version=not names_patch, machine_image_version=not names_image
        ),
    )


def _zone_tolerant() -> gardener.ShootSpecControlPlaneArgs:
    tolerance = gardener.ShootSpecControlPlaneHighAvailabilityFailureToleranceArgs(type="zone")
    return gardener.ShootSpecControlPlaneArgs(
        high_availability=gardener.ShootSpecControlPlaneHighAvailabilityArgs(failure_tolerance=tolerance)
    )


def _workers(claim: Cluster, blueprint: Blueprint, garden: GardenAccess) -> gardener.ShootSpecProviderWorkersArgs:
    group, profile = blueprint.workers, blueprint.infrastructure.cloud_profile
    image = claim.machine_image and gardener.ShootSpecProviderWorkersMachineImageArgs(
        name=claim.machine_image.name, version=claim.machine_image.version
    )
    volume = gardener.ShootSpecProviderWorkersVolumeArgs(size=group.volume_size) if group.volume_size else None
    taints = [
        gardener.ShootSpecProviderWorkersTaintsArgs(key=key, effect=effect) for key, effect in group.taints.items()
    ]
    return gardener.ShootSpecProviderWorkersArgs(
        name=group.name,
        minimum=claim.workers,
        maximum=claim.max_workers,
        machine=gardener.ShootSpecProviderWorkersMachineArgs(type=group.machine_type, image=image),
        zones=list(claim.zones) or garden.landscape.zones(profile, claim.region, claim.workers),
        labels=dict(group.labels) or None,
        taints=taints or None,
        volume=volume,
        provider_config=blueprint.configs.worker,
    )
