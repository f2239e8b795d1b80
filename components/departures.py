"""Tenants that would leave a region, or lose a part: looked at while planning, before anything of them is gone.

Pulumi's state keeps a protected tenant, and Rook and the operator of the nodes keep what is in use; but the control
plane with its databases goes before Rook is asked, and an update without a preview changes it before it comes to what
must not be deleted. So the region's clusters are asked first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pulumi

from access.garden import Garden as Connection, Object, shoot_path
from access.login import locate
from access.look import enter
from access.problem import Problem
from components.garden import GardenAccess
from components.shoot import REGION_LABEL
from components.tenant_objects import PROTECTION, TENANT_LABEL
from model.ceph import ceph_pools
from model.naming import shoot_name
from model.region import RegionSpec
from model.tenant import OpenStackCluster

LOOK_SECONDS = 10.0
API = "/apis/c5c3.io/v1alpha1"
KEY = "cobaltcore:openStackClusters"
# Those with which objects go, clients and nodes among them.
SERVICES = ("cinder", "glance", "manila", "nova")
FILESYSTEM = "filesystem"
PARTS = {"cephfs-data": FILESYSTEM, "cephfs-metadata": FILESYSTEM}
# What users have, as a ControlPlane's status counts it: one of them, and several.
COUNTED = {
    "machines": ("machine", "machines"),
    "volumes": ("volume", "volumes"),
    "images": ("image", "images"),
    "shares": ("share", "shares"),
    "buckets": ("bucket", "buckets"),
}


@dataclass(frozen=True, kw_only=True)
class Tenant:
    """One that is there, as its own objects say it."""

    name: str
    protected: bool = False
    usage: Mapping[str, int] = field(default_factory=dict[str, int])
    pools: Sequence[str] = ()  # hypervisor pools
    services: frozenset[str] = frozenset()
    ceph: frozenset[tuple[str, str]] = frozenset()  # what is on which storage pool


def check(spec: RegionSpec, garden: GardenAccess, parent: pulumi.Resource, why: str | None = None) -> None:
    """Refuse a plan by which a tenant leaves that is protected or has data; `why` no tenant is made, if so."""
    staying = set[str]() if why else {claim.name for claim in spec.open_stack_clusters}
    try:
        there = _there(spec, garden)
    except Problem as problem:
        pulumi.log.warn(
            f"{problem} Nobody looked whether a tenant would leave {spec.control_plane.name} that has data; one that "
            "is protected stays whatever comes.",
            parent,
        )
        return
    leaving = [one for one in there if one.name not in staying]
    coming = staying - {one.name for one in there}
    sentences = list(mistakes([_with_machines(one, spec, garden, parent) for one in leaving], coming, why))
    if not why:
        claims = {claim.name: claim for claim in spec.open_stack_clusters}
        sentences += [said for one in there if one.name in claims for said in losses(one, claims[one.name])]
    if sentences:
        raise pulumi.RunError("nothing was planned, and nothing changed.\n" + "\n".join(sentences))
    if why and leaving:
        names = ", ".join(one.name for one in leaving)
        pulumi.log.warn(f"These tenants leave with this, as no tenant is made: {names}. The reason: {why}", parent)


def mistakes(leaving: Sequence[Tenant], coming: set[str], why: str | None) -> Iterator[str]:
    """One sentence for each tenant that must not go."""
    renamed = next(iter(coming)) if len(coming) == len(leaving) == 1 and not why else None
    for one in leaving:
        begin = f"Tenant {one.name} would leave with this, as its entry in {KEY} is gone"
        if why:
            begin = f"Tenant {one.name} would leave with this, as no tenant is made: {why.rstrip('.')}"
        elif renamed:
            begin = (
                f"Tenant {one.name} would leave and {renamed} come in its place, as no object of Ceph or OpenStack can "
                f"be renamed: call it {one.name} again"
            )
        back = "" if why or renamed else ": put the entry back"
        if one.protected:
            yield (
                f"{begin}{back}. It is protected, and goes by two commits: one that sets deletionProtection to false "
                "in its entry, and after an update one that removes the entry (docs/tenants.md)."
            )
        elif counts := _counts(one.usage):
            yield (
                f"{begin}{back}. It still has {counts}: move them to another tenant or delete them, and run this again "
                "when its control plane counts none (docs/tenants.md)."
            )


def losses(one: Tenant, claim: OpenStackCluster) -> Iterator[str]:
    """What a protected tenant that stays would lose of what its ControlPlane names; its object store it does not."""
    if not one.protected:
        return
    asked = {(PARTS.get(pool.purpose, pool.purpose), pool.storage_cluster) for pool in ceph_pools(claim)}
    services = {name for name in SERVICES if getattr(claim.services, name)}
    lost = [f"{what} on {cluster}" for what, cluster in sorted(one.ceph - asked)]
    lost += [name.capitalize() for name in sorted(one.services - services)]
    lost += [f"nodes of {pool}" for pool in one.pools if pool not in claim.hypervisor_clusters]
    if lost:
        yield (
            f"Tenant {one.name} is protected, and would lose with this: {', '.join(lost)}. Put them back; or take them "
            "away by two commits, one that sets deletionProtection to false and after an update this one "
            "(docs/tenants.md)."
        )


def _counts(usage: Mapping[str, int]) -> str:
    found = [f"{usage[key]} {names[usage[key] != 1]}" for key, names in COUNTED.items() if usage.get(key)]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def _there(spec: RegionSpec, garden: GardenAccess) -> list[Tenant]:
    """The tenants of the region; none as long as it has no control plane, or one that knows no tenants."""
    if garden.landscape.silent or not locate(garden.settings.kubeconfig).exists():
        return []  # which has been said already
    rows = _list(spec.control_plane.name, spec.region, "controlplanes", garden)
    return [tenant_of(row) for row in rows if "deletionTimestamp" not in row["metadata"]]


def _list(cluster: str, region: str, plural: str, garden: GardenAccess) -> list[Object]:
    ref = garden.shoot(shoot_name(cluster, garden.settings.namespace))
    shoot = Connection.of(ref.garden, LOOK_SECONDS).get(shoot_path(ref.namespace, ref.name))
    if not _part(shoot, "status").get("advertisedAddresses"):
        return []  # it is not made yet, so there is nobody in it
    found = enter(ref).get(f"{API}/{plural}?labelSelector={TENANT_LABEL},{REGION_LABEL}%3D{region}")
    return [] if found is None else found["items"]


def tenant_of(plane: Object) -> Tenant:
    """As its ControlPlane describes it."""
    return Tenant(
        name=plane["metadata"]["labels"][TENANT_LABEL],
        protected=_part(plane, "metadata", "annotations").get(PROTECTION) == "true",
        usage=_part(plane, "status", "usage"),
        pools=_part(plane, "spec", "compute").get("hypervisorClusters") or [],
        services=frozenset(one for one in SERVICES if _part(plane, "spec", "services", one).get("enabled")),
        ceph=frozenset(_on_ceph(_part(plane, "spec", "storage"))),
    )


def _on_ceph(storage: Object) -> Iterator[tuple[str, str]]:
    """As a ControlPlane says it: of its first storage pool in the documents' fields, and of further ones alike."""
    first, ceph = (storage.get("storageClusters") or [""])[0], _part(storage, "ceph")
    further: list[Object] = ceph.get("clusters") or []
    for cluster, here in [(first, ceph), *((one["name"], one) for one in further)]:
        yield from ((purpose, cluster) for purpose in _part(here, "pools"))
        if here.get("filesystem"):
            yield FILESYSTEM, cluster


def _with_machines(one: Tenant, spec: RegionSpec, garden: GardenAccess, parent: pulumi.Resource) -> Tenant:
    """With what runs on its nodes, which their operator counts: a control plane may be too ill to say."""
    machines = 0
    for pool in one.pools:
        try:
            rows = _list(pool, spec.region, "hypervisorshares", garden)
        except Problem as problem:
            pulumi.log.warn(f"{problem} Nobody looked whether machines of {one.name} run in {pool}.", parent)
            continue
        machines += sum(_machines(row) for row in rows if row["metadata"]["labels"][TENANT_LABEL] == one.name)
    most = max(machines, one.usage.get("machines", 0))
    return replace(one, usage={**one.usage, "machines": most})


def _machines(share: Object) -> int:
    return _part(share, "status").get("machines") or 0


def _part(found: Object | None, *keys: str) -> Object:
    """What is below some keys; nothing where one of them is absent."""
    for key in keys:
        found = (found or {}).get(key)
    return found or {}
