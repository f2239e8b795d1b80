"""Rules of the clusters of a region: sizes, names, networks, servers."""

import ipaddress
from collections.abc import Iterator
from itertools import combinations

from model.naming import shoot_name
from model.pools import Workforce
from model.problems import Finding, Path
from model.rules.scene import Scene

ZONES = 3  # a cluster that survives the loss of a zone


def check(scene: Scene) -> Iterator[Finding]:
    yield from _highly_available(scene)
    for path, cluster in scene.clusters:
        yield from _workers(path, cluster)
        yield from _networks(path, cluster)
    yield from _one_control_plane(scene)
    yield from _names(scene)
    yield from _shoot_names(scene)
    yield from _nodes_apart(scene)
    yield from _servers_apart(scene)


def _workers(path: Path, cluster: Workforce) -> Iterator[Finding]:
    if cluster.workers > cluster.max_workers:
        yield Finding(
            (*path, "workers"),
            f"is {cluster.workers}, more than maxWorkers ({cluster.max_workers}): raise maxWorkers to at least "
            f"{cluster.workers}, or lower workers",
            ((*path, "maxWorkers"),),
        )
    if cluster.zones and cluster.workers < len(cluster.zones):
        yield Finding(
            (*path, "zones"),
            f"names {len(cluster.zones)} zones for {cluster.workers} workers: name at most as many zones as workers",
            ((*path, "workers"),),
        )
    for at, zone in enumerate(cluster.zones):
        if zone in cluster.zones[:at]:
            yield Finding((*path, "zones", at), f"is {zone!r} a second time: name each zone once")


def _highly_available(scene: Scene) -> Iterator[Finding]:
    for path, cluster in scene.control_planes:
        if not cluster.high_availability:
            continue
        if cluster.workers < ZONES:
            yield Finding(
                (*path, "workers"),
                f"is {cluster.workers}: with highAvailability use {ZONES} or more, one a zone",
                ((*path, "highAvailability"),),
            )
        if cluster.zones and len(cluster.zones) < ZONES:
            yield Finding(
                (*path, "zones"),
                f"names {len(cluster.zones)}: with highAvailability name {ZONES} or more",
                ((*path, "highAvailability"),),
            )


def _one_control_plane(scene: Scene) -> Iterator[Finding]:
    for path, cluster in scene.control_planes[1:]:
        yield Finding(
            (*path, "name"),
            f"is {cluster.name!r}, and {{other}} is the region's control plane already: a region has one, remove one",
            other=scene.control_planes[0][0],
        )


def _names(scene: Scene) -> Iterator[Finding]:
    owners: dict[str, Path] = {}
    for path, cluster in [*scene.control_planes[:1], *scene.hypervisor_pools, *scene.storage_pools]:
        owner = owners.setdefault(cluster.name, path)
        if owner != path:
            yield Finding(
                (*path, "name"),
                f"is {cluster.name!r}, which {{other}} is called already: give each cluster its own name",
                other=owner,
            )


def _shoot_names(scene: Scene) -> Iterator[Finding]:
    """Gardener's names are shorter than ours, so two of ours may become one of Gardener's."""
    owners: dict[str, str] = {}
    for path, cluster in scene.clusters:
        short = shoot_name(cluster.name, scene.namespace)
        owner = owners.setdefault(short, cluster.name)
        if owner != cluster.name:
            yield Finding(
                (*path, "name"),
                f"is {cluster.name!r}, which becomes the Shoot {short!r}, as {owner!r} does: change one of the names",
            )


def _networks(path: Path, cluster: Workforce) -> Iterator[Finding]:
    networks = cluster.networking
    named = [
        (key, ipaddress.ip_network(cidr, strict=False))
        for key, cidr in (("nodes", networks.nodes), ("pods", networks.pods), ("services", networks.services))
        if cidr
    ]
    for (one, first), (two, second) in combinations(named, 2):
        if first.version == second.version and first.overlaps(second):
            yield Finding(
                (*path, "networking", two),
                f"is {second}, which overlaps {one} ({first}): give each its own network",
                ((*path, "networking", one),),
            )


def _nodes_apart(scene: Scene) -> Iterator[Finding]:
    """Hypervisors talk to storage nodes directly, so their networks must be routable next to each other."""
    named = [
        (path, cluster.name, ipaddress.ip_network(cluster.networking.nodes, strict=False))
        for path, cluster in scene.clusters
        if cluster.networking.nodes
    ]
    for at, (path, _, network) in enumerate(named):
        for _, other, earlier in named[:at]:
            if network.version == earlier.version and network.overlaps(earlier):
                yield Finding(
                    (*path, "networking", "nodes"),
                    f"is {network}, which overlaps the nodes of {other} ({earlier}): give each cluster its own network",
                )
                break


def _servers_apart(scene: Scene) -> Iterator[Finding]:
    """Physical isolation ends where two pools take their servers from the same machine pool."""
    users: dict[str, list[tuple[Path, str, bool]]] = {}
    for path, pool in [*scene.hypervisor_pools, *scene.storage_pools]:
        isolated = pool.labels.get("isolation") == "physical"
        users.setdefault(pool.ironcore.machine_pool, []).append((path, pool.name, isolated))
    for machine_pool, pools in users.items():
        owner = next((name for _, name, isolated in pools if isolated), None)
        for path, name, _ in pools:
            if owner is not None and name != owner:
                yield Finding(
                    (*path, "ironcore", "machinePool"),
                    f"is {machine_pool!r}, the servers of {owner}, which is physically isolated: "
                    "name another machine pool",
                )
