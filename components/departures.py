"""Tenants that would leave a region: looked at while planning, before anything of them is gone.

Pulumi's state keeps a protected tenant, and Rook and the operator of the nodes keep what is in use; but the control
plane with its databases goes before Rook is asked. So the region's clusters are asked first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pulumi

from access.garden import Garden as Connection, Object, shoot_path
from access.login import locate
from access.look import enter
from access.problem import Problem
from components.garden import GardenAccess
from components.shoot import REGION_LABEL
from components.tenant_objects import PROTECTION, TENANT_LABEL
from model.naming import shoot_name
from model.region import RegionSpec

LOOK_SECONDS = 10.0
API = "/apis/c5c3.io/v1alpha1"
KEY = "cobaltcore:openStackClusters"
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


def _counts(usage: Mapping[str, int]) -> str:
    found = [f"{usage[key]} {names[usage[key] != 1]}" for key, names in COUNTED.items() if usage.get(key)]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def _there(spec: RegionSpec, garden: GardenAccess) -> list[Tenant]:
    """The tenants of the region; none as long as it has no control plane, or one that knows no tenants."""
    if garden.landscape.silent or not locate(garden.settings.kubeconfig).exists():
        return []  # which has been said already
    rows = _list(spec.control_plane.name, spec.region, "controlplanes", garden)
    return [_tenant(row) for row in rows if "deletionTimestamp" not in row["metadata"]]


def _list(cluster: str, region: str, plural: str, garden: GardenAccess) -> list[Object]:
    ref = garden.shoot(shoot_name(cluster, garden.settings.namespace))
    shoot = Connection.of(ref.garden, LOOK_SECONDS).get(shoot_path(ref.namespace, ref.name))
    if not _part(shoot, "status").get("advertisedAddresses"):
        return []  # it is not made yet, so there is nobody in it
    found = enter(ref).get(f"{API}/{plural}?labelSelector={TENANT_LABEL},{REGION_LABEL}%3D{region}")
    return [] if found is None else found["items"]


def _tenant(plane: Object) -> Tenant:
    return Tenant(
        name=plane["metadata"]["labels"][TENANT_LABEL],
        protected=_part(plane, "metadata", "annotations").get(PROTECTION) == "true",
        usage=_part(plane, "status", "usage"),
        pools=_part(plane, "spec", "compute").get("hypervisorClusters") or [],
    )


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
    return Tenant(name=one.name, protected=one.protected, usage={**one.usage, "machines": most}, pools=one.pools)


def _machines(share: Object) -> int:
    return _part(share, "status").get("machines") or 0


def _part(found: Object | None, *keys: str) -> Object:
    """What is below some keys; nothing where one of them is absent."""
    for key in keys:
        found = (found or {}).get(key)
    return found or {}
