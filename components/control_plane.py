"""The documents' ControlPlane of a tenant; another dialect, such as the real operator's, goes beside this module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import pulumi

from components.control_plane_compute import compute
from components.control_plane_storage import cinder_backends, glance_backend, manila_backends, nova_ephemeral, storage
from crds import c5c3
from model.hosts import HostShare
from model.pools import Issuer
from model.tenant import Image, OpenStackCluster

Made = TypeVar("Made")

Monitors = Mapping[str, pulumi.Input[Sequence[str]]]
"""Addresses of the Ceph monitors (ip:port), by storage pool."""


def control_plane_spec(
    claim: OpenStackCluster, *, issuer: Issuer, shares: Iterable[HostShare], monitors: Monitors
) -> c5c3.ControlPlaneSpecArgs:
    """Every field of the claim that the control plane is to act on; `issuer` is for a tenant that names none."""
    return c5c3.ControlPlaneSpecArgs(
        compute=compute(claim, shares),
        storage=storage(claim, monitors),
        infrastructure=_infrastructure(claim),
        services=_services(claim),
        cortex=_cortex(claim),
        tempest=_tempest(claim),
        korc=c5c3.ControlPlaneSpecKorcArgs(enabled=True, bootstrap_resources=["domains", "projects", "roles"]),
        global_=c5c3.ControlPlaneSpecGlobalArgs(
            region=claim.region,
            tls=_tls(claim, issuer),
            monitoring=c5c3.ControlPlaneSpecGlobalMonitoringArgs(enabled=claim.monitoring),
        ),
        network=c5c3.ControlPlaneSpecNetworkArgs(
            external_network=claim.network.external_network, mtu=claim.network.mtu
        ),
    )


def _infrastructure(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecInfrastructureArgs:
    sized = claim.sized
    return c5c3.ControlPlaneSpecInfrastructureArgs(
        mariadb=c5c3.ControlPlaneSpecInfrastructureMariadbArgs(
            replicas=sized.mariadb.replicas,
            storage_size=sized.mariadb.storage_size,
            storage_class=sized.mariadb.storage_class,
        ),
        rabbitmq=c5c3.ControlPlaneSpecInfrastructureRabbitmqArgs(
            replicas=sized.rabbitmq.replicas, storage_class=sized.rabbitmq.storage_class
        ),
        valkey=c5c3.ControlPlaneSpecInfrastructureValkeyArgs(
            replicas=sized.valkey.replicas,
            sentinel=c5c3.ControlPlaneSpecInfrastructureValkeySentinelArgs(enabled=sized.valkey.sentinel),
        ),
        memcached=c5c3.ControlPlaneSpecInfrastructureMemcachedArgs(replicas=sized.memcached.replicas),
        ovn=c5c3.ControlPlaneSpecInfrastructureOvnArgs(
            northbound=sized.ovn.northbound,
            southbound=sized.ovn.southbound,
            southbound_service="LoadBalancer",  # hypervisors are in other clusters
        ),
    )


def _tls(claim: OpenStackCluster, issuer: Issuer) -> c5c3.ControlPlaneSpecGlobalTlsArgs:
    if not claim.tls.enabled:
        return c5c3.ControlPlaneSpecGlobalTlsArgs(enabled=False)
    chosen = claim.tls.issuer_ref or issuer
    reference = c5c3.ControlPlaneSpecGlobalTlsIssuerRefArgs(name=chosen.name, kind=chosen.kind)
    return c5c3.ControlPlaneSpecGlobalTlsArgs(enabled=True, issuer_ref=reference)


def _cortex(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecCortexArgs:
    if not claim.cortex.enabled:
        return c5c3.ControlPlaneSpecCortexArgs(enabled=False)
    return c5c3.ControlPlaneSpecCortexArgs(
        enabled=True,
        replicas=claim.sized.cortex.replicas,
        pipelines=list(claim.cortex.pipelines),
        image=_image(c5c3.ControlPlaneSpecCortexImageArgs, claim.images.cortex),
    )


def _tempest(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecTempestArgs:
    if not claim.tempest.enabled:
        return c5c3.ControlPlaneSpecTempestArgs(enabled=False)
    return c5c3.ControlPlaneSpecTempestArgs(
        enabled=True,
        schedule=claim.tempest.schedule,
        image=_image(c5c3.ControlPlaneSpecTempestImageArgs, claim.images.tempest),
    )


def _services(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesArgs:
    """Keystone and Placement whatever the claim says: nothing works without the one, and Nova not without the other."""
    sized, images = claim.sized, claim.images
    return c5c3.ControlPlaneSpecServicesArgs(
        keystone=c5c3.ControlPlaneSpecServicesKeystoneArgs(
            enabled=True,
            replicas=sized.keystone.replicas,
            image=_image(c5c3.ControlPlaneSpecServicesKeystoneImageArgs, images.keystone),
        ),
        placement=c5c3.ControlPlaneSpecServicesPlacementArgs(
            enabled=True,
            replicas=sized.placement.replicas,
            image=_image(c5c3.ControlPlaneSpecServicesPlacementImageArgs, images.placement),
        ),
        glance=_glance(claim),
        nova=_nova(claim),
        neutron=_neutron(claim),
        cinder=_cinder(claim),
        horizon=_horizon(claim),
        octavia=_octavia(claim),
        manila=_manila(claim),
    )


def _glance(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesGlanceArgs:
    if not claim.services.glance:
        return c5c3.ControlPlaneSpecServicesGlanceArgs(enabled=False)
    return c5c3.ControlPlaneSpecServicesGlanceArgs(
        enabled=True,
        replicas=claim.sized.glance.replicas,
        backend=glance_backend(claim),
        image=_image(c5c3.ControlPlaneSpecServicesGlanceImageArgs, claim.images.glance),
    )


def _nova(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesNovaArgs:
    if not claim.services.nova:
        return c5c3.ControlPlaneSpecServicesNovaArgs(enabled=False)
    nova = claim.sized.nova
    return c5c3.ControlPlaneSpecServicesNovaArgs(
        enabled=True,
        api=c5c3.ControlPlaneSpecServicesNovaApiArgs(replicas=nova.api),
        scheduler=c5c3.ControlPlaneSpecServicesNovaSchedulerArgs(replicas=nova.scheduler),
        conductor=c5c3.ControlPlaneSpecServicesNovaConductorArgs(replicas=nova.conductor),
        ephemeral=nova_ephemeral(claim),
        image=_image(c5c3.ControlPlaneSpecServicesNovaImageArgs, claim.images.nova),
    )


def _neutron(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesNeutronArgs:
    if not claim.services.neutron:
        return c5c3.ControlPlaneSpecServicesNeutronArgs(enabled=False)
    neutron = claim.sized.neutron
    return c5c3.ControlPlaneSpecServicesNeutronArgs(
        enabled=True,
        api=c5c3.ControlPlaneSpecServicesNeutronApiArgs(replicas=neutron.api),
        server=c5c3.ControlPlaneSpecServicesNeutronServerArgs(replicas=neutron.server),
        image=_image(c5c3.ControlPlaneSpecServicesNeutronImageArgs, claim.images.neutron),
    )


def _cinder(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesCinderArgs:
    if not claim.services.cinder:
        return c5c3.ControlPlaneSpecServicesCinderArgs(enabled=False)
    cinder = claim.sized.cinder
    return c5c3.ControlPlaneSpecServicesCinderArgs(
        enabled=True,
        api=c5c3.ControlPlaneSpecServicesCinderApiArgs(replicas=cinder.api),
        scheduler=c5c3.ControlPlaneSpecServicesCinderSchedulerArgs(replicas=cinder.scheduler),
        volume=c5c3.ControlPlaneSpecServicesCinderVolumeArgs(replicas=cinder.volume),
        backends=cinder_backends(claim),
        image=_image(c5c3.ControlPlaneSpecServicesCinderImageArgs, claim.images.cinder),
    )


def _horizon(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesHorizonArgs:
    if not claim.services.horizon:
        return c5c3.ControlPlaneSpecServicesHorizonArgs(enabled=False)
    return c5c3.ControlPlaneSpecServicesHorizonArgs(
        enabled=True,
        replicas=claim.sized.horizon.replicas,
        image=_image(c5c3.ControlPlaneSpecServicesHorizonImageArgs, claim.images.horizon),
    )


def _octavia(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesOctaviaArgs:
    if not claim.services.octavia:
        return c5c3.ControlPlaneSpecServicesOctaviaArgs(enabled=False)
    return c5c3.ControlPlaneSpecServicesOctaviaArgs(
        enabled=True,
        replicas=claim.sized.octavia.replicas,
        image=_image(c5c3.ControlPlaneSpecServicesOctaviaImageArgs, claim.images.octavia),
    )


def _manila(claim: OpenStackCluster) -> c5c3.ControlPlaneSpecServicesManilaArgs:
    if not claim.services.manila:
        return c5c3.ControlPlaneSpecServicesManilaArgs(enabled=False)
    return c5c3.ControlPlaneSpecServicesManilaArgs(
        enabled=True,
        replicas=claim.sized.manila.replicas,
        backends=manila_backends(claim),
        image=_image(c5c3.ControlPlaneSpecServicesManilaImageArgs, claim.images.manila),
    )


def _image(make: Callable[..., Made], image: Image | None) -> Made | None:
    """The type of an image is another one for each service, with the same fields."""
    return None if image is None else make(repository=image.repository, tag=image.tag, digest=image.digest)
