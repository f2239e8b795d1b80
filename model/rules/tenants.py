"""Rules of one tenant: its name, what it refers to, and its services among each other."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from pydantic import ValidationError

from model.ceph import ceph_pools
from model.problems import Finding, Path, findings, nearest
from model.rules.scene import Scene
from model.sizing import MAJORITY, Sizing
from model.tenant import OpenStackCluster, Services

WITH_GATEWAY = 45  # Rook's Services are called rook-ceph-rgw-<tenant>-rgw, and a Service has at most 63 characters

NEEDS = {"nova": ("neutron", "glance"), "octavia": ("nova", "neutron")}
TEMPEST = ("nova", "neutron", "cinder", "glance")


def check(scene: Scene) -> Iterator[Finding]:
    hypervisors = {pool.name: (*path, "name") for path, pool in scene.hypervisor_pools}
    storage = {pool.name: (*path, "name") for path, pool in scene.storage_pools}
    owners: dict[str, Path] = {}
    for path, tenant in scene.tenants:
        yield from _identity(scene, path, tenant, owners)
        if "hypervisorPools" not in scene.nameless:
            yield from _pools(path, "hypervisorClusters", tenant.hypervisor_clusters, hypervisors, scene.unread)
        if "storagePools" not in scene.nameless:
            yield from _pools(path, "storageClusters", tenant.storage_clusters, storage, scene.unread)
        # What is placed on a pool says nothing as long as the pool's own name is wrong.
        if hypervisors.keys() >= set(tenant.hypervisor_clusters):
            yield from _node_shares(path, tenant)
        if storage.keys() >= set(tenant.storage_clusters):
            yield from _placement(path, tenant)
        yield from _services((*path, "services"), tenant.services)
        yield from _what_services_need(path, tenant)
        yield from _sizing((*path, "sizing"), tenant)


def _identity(scene: Scene, path: Path, tenant: OpenStackCluster, owners: dict[str, Path]) -> Iterator[Finding]:
    if owners.setdefault(tenant.name, path) != path:
        yield Finding(
            (*path, "name"),
            f"is {tenant.name!r}, which {{other}} is called already: give each tenant its own name",
            other=owners[tenant.name],
        )
    if tenant.storage.ceph.object_store.enabled and len(tenant.name) > WITH_GATEWAY:
        yield Finding(
            (*path, "name"),
            f"has {len(tenant.name)} characters: with an object store use at most {WITH_GATEWAY}",
            ((*path, "storage", "ceph", "objectStore", "enabled"),),
        )
    planes = [cluster.name for _, cluster in scene.control_planes]
    if tenant.control_plane_cluster and planes and tenant.control_plane_cluster not in planes:
        yield Finding(
            (*path, "controlPlaneCluster"),
            f"is {tenant.control_plane_cluster!r}, and the region's control plane is {planes[0]!r}: "
            "name that one, or leave the key out",
        )


def _pools(
    path: Path, key: str, names: Sequence[str], known: Mapping[str, Path], unread: Collection[str]
) -> Iterator[Finding]:
    for at, name in enumerate(names):
        if name in names[:at]:
            yield Finding((*path, key, at), f"is {name!r} a second time: name each pool once")
        elif name not in known and name not in unread:
            kind = "hypervisor" if key == "hypervisorClusters" else "storage"
            yield Finding(
                (*path, key, at),
                f"is {name!r}, and the region has no such {kind} pool: {nearest(name, known.keys())}",
                tuple(known.values()),
            )


def _placement(path: Path, tenant: OpenStackCluster) -> Iterator[Finding]:
    """Storage is placed only on the tenant's own pools, and none of them is named for nothing."""
    ceph, own = tenant.storage.ceph, tenant.storage_clusters
    at = (*path, "storage", "ceph")
    placed = [
        (("imagePool", "storageCluster"), ceph.image_pool.storage_cluster),
        (("ephemeralPool", "storageCluster"), ceph.ephemeral_pool.storage_cluster),
        (("filesystem", "storageCluster"), ceph.filesystem.storage_cluster),
        (("objectStore", "storageCluster"), ceph.object_store.storage_cluster),
        *((("volumePool", "backends", name), name) for name in ceph.volume_pool.backends),
    ]
    for key, name in placed:
        if name is not None and name not in own:
            yield Finding(
                (*at, *key),
                f"is {name!r}, which is not among the tenant's storageClusters: {nearest(name, own)}",
                ((*path, "storageClusters"),),
            )
    used = {pool.storage_cluster for pool in ceph_pools(tenant)}
    for index, name in enumerate(own):
        if name not in used:
            yield Finding(
                (*path, "storageClusters", index),
                f"is {name!r}, and nothing of the tenant is placed there: place something with storage.ceph, "
                "or remove the name",
                (at, (*path, "services")),
            )


def _node_shares(path: Path, tenant: OpenStackCluster) -> Iterator[Finding]:
    for name in tenant.node_shares:
        if name not in tenant.hypervisor_clusters:
            yield Finding(
                (*path, "nodeShares", name),
                f"is a share of {name!r}, which is not among the tenant's hypervisorClusters: "
                f"{nearest(name, tenant.hypervisor_clusters)}",
                ((*path, "hypervisorClusters"),),
            )


def _services(path: Path, services: Services) -> Iterator[Finding]:
    for service, needs in NEEDS.items():
        missing = [need for need in needs if not getattr(services, need)]
        if getattr(services, service) and missing:
            yield Finding(
                (*path, service),
                f"is true, and {' and '.join(missing)} {'are' if missing[1:] else 'is'} false: {service} needs "
                f"{' and '.join(needs)}, so enable {'them' if missing[1:] else 'it'} or disable {service}",
                tuple((*path, need) for need in needs),
            )


def _what_services_need(path: Path, tenant: OpenStackCluster) -> Iterator[Finding]:
    services, ceph = tenant.services, tenant.storage.ceph
    filesystem = (*path, "storage", "ceph", "filesystem", "enabled")
    if services.manila and not ceph.filesystem.enabled:
        yield Finding(
            (*path, "services", "manila"),
            "is true without a filesystem: set storage.ceph.filesystem.enabled to true, or manila to false",
            (filesystem,),
        )
    if tenant.cortex.enabled:
        for at, pipeline in enumerate(tenant.cortex.pipelines):
            if not getattr(services, pipeline):
                yield Finding(
                    (*path, "cortex", "pipelines", at),
                    f"is {pipeline!r}, and that service is disabled: enable it, or name only enabled services",
                    ((*path, "services", pipeline), (*path, "cortex", "enabled")),
                )
        if not tenant.cortex.pipelines:
            yield Finding((*path, "cortex", "pipelines"), "is empty: name at least one service, or disable cortex")
    missing = [service for service in TEMPEST if not getattr(services, service)]
    if tenant.tempest.enabled and missing:
        yield Finding(
            (*path, "tempest", "enabled"),
            f"is true, and {' and '.join(missing)} {'are' if missing[1:] else 'is'} disabled: its tests need "
            f"{', '.join(TEMPEST)}; enable them, or disable tempest",
            ((*path, "services"),),
        )
    if ceph.volume_pool.mirroring.enabled and not services.cinder:
        yield Finding(
            (*path, "storage", "ceph", "volumePool", "mirroring", "enabled"),
            "is true, and cinder is disabled: without volumes there is nothing to mirror",
            ((*path, "services", "cinder"),),
        )


def _sizing(path: Path, tenant: OpenStackCluster) -> Iterator[Finding]:
    if tenant.sizing is None:
        return
    try:
        sized = tenant.sized
    except ValidationError as error:
        yield from findings(error, path, Sizing)
        return
    if tenant.size == "small":
        return
    quorums = {
        ("mariadb", "replicas"): sized.mariadb.replicas,
        ("rabbitmq", "replicas"): sized.rabbitmq.replicas,
        ("ovn", "northbound"): sized.ovn.northbound,
        ("ovn", "southbound"): sized.ovn.southbound,
    }
    yield from chain.from_iterable(
        [
            Finding(
                (*path, *key),
                f"is {members}: from medium up use {MAJORITY} or more, so that one may fail",
                ((*path[:-1], "size"),),
            )
        ]
        for key, members in quorums.items()
        if members < MAJORITY
    )
