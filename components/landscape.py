"""What Gardener and IronCore offer in a garden, looked at while planning.

A garden that cannot be seen is no mistake of the plan's: what depends on it is unknown then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi

from access.garden import CORE, Garden as Connection, Object
from access.login import locate
from access.problem import Problem
from components.unknown import unknown
from model.quantity import quantity
from model.region import Garden

LOOK_SECONDS = 10.0
POOLS = "/apis/compute.ironcore.dev/v1alpha1/machinepools"
AGAIN = "Nothing was changed: run the update again when the garden answers."
CLASS = "class/machine."  # IronCore's name for the number of servers of a machine class
MOST_ZONES = 3


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A cloud profile, as far as a plan needs it."""

    name: str
    zones: Mapping[str, tuple[str, ...]]  # by region
    machine_types: Mapping[str, Mapping[str, str]]  # their cpu and memory, by name

    @classmethod
    def of(cls, name: str, spec: Mapping[str, Any]) -> "Profile":
        regions = {one["name"]: _names(one.get("zones") or []) for one in spec["regions"]}
        types = {one["name"]: {key: str(one[key]) for key in ("cpu", "memory")} for one in spec["machineTypes"]}
        return cls(name=name, zones=regions, machine_types=types)


@dataclass(frozen=True, kw_only=True)
class Landscape:
    """None: it could not be seen."""

    profiles: Mapping[str, Profile | None] = field(default_factory=dict[str, Profile | None])
    machine_pools: Mapping[str, Mapping[str, int]] | None = None  # servers by machine class, by name of the pool
    silent: bool = False  # the garden was asked, and gave no answer

    def zones(self, profile: str, region: str, workers: int) -> pulumi.Input[list[str]]:
        """Where a cluster stands that names no zones: over the region's, at most three, and a worker in each."""
        seen = self.profiles.get(profile)
        return unknown() if seen is None else list(seen.zones.get(region, ())[: min(MOST_ZONES, workers)])

    def machine(self, profile: str, machine_type: str) -> pulumi.Output[Mapping[str, str]]:
        """The cpu and memory of a machine type."""
        seen = self.profiles.get(profile)
        if seen is None:
            return unknown()
        return pulumi.Output.from_input(dict(seen.machine_types.get(machine_type, {})))


def look(settings: Garden, parent: pulumi.Resource | None) -> Landscape:
    """Ask the garden once for all clusters. An update needs the answer; a preview goes on without, and says so."""
    names = (settings.openstack.cloud_profile, settings.ironcore.cloud_profile)
    if not locate(settings.kubeconfig).exists():
        return Landscape()  # which the provider's maker has said already
    try:
        garden = Connection.of(settings.kubeconfig, LOOK_SECONDS)
        profiles = {name: _profile(garden, name) for name in dict.fromkeys(names)}
    except Problem as problem:
        if not pulumi.runtime.is_dry_run():
            raise pulumi.RunError(f"{problem} {AGAIN}") from None
        pulumi.log.warn(f"{problem} Planning without looking at the garden: what is there shows as an update.", parent)
        return Landscape(silent=True)
    missing = [name for name, profile in profiles.items() if profile is None]
    if missing:
        raise pulumi.RunError(
            f"The garden of {settings.kubeconfig} has no cloud profile {' and no '.join(missing)}: name one that it "
            "has in cobaltcore:garden.openstack.cloudProfile or cobaltcore:garden.ironcore.cloudProfile."
        )
    return Landscape(profiles=profiles, machine_pools=_machine_pools(garden, parent))


def _profile(garden: Connection, name: str) -> Profile | None:
    found = garden.get(f"{CORE}/cloudprofiles/{name}")
    return None if found is None else Profile.of(name, found["spec"])


def _machine_pools(garden: Connection, parent: pulumi.Resource | None) -> Mapping[str, Mapping[str, int]] | None:
    try:
        answer = garden.get(POOLS)
    except Problem as problem:
        pulumi.log.warn(f"{problem} Nobody checked whether the machine pools have enough servers.", parent)
        return None
    if answer is None:
        pulumi.log.warn(
            "The garden serves no machine pools of IronCore: nobody checked whether there are enough servers.", parent
        )
        return None
    return {one["metadata"]["name"]: dict(_servers(one)) for one in answer["items"]}


def _names(rows: list[Object]) -> tuple[str, ...]:
    return tuple(row["name"] for row in rows)


def _servers(pool: Object) -> Iterable[tuple[str, int]]:
    status: Object = pool.get("status") or {}
    capacity: dict[str, Any] = status.get("capacity") or {}
    for name, count in capacity.items():
        if name.startswith(CLASS):
            yield name.removeprefix(CLASS), int(quantity(count))
