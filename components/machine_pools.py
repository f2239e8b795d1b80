"""The servers of IronCore: machine classes are declared here, machine pools are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pulumi

from components.garden import GardenAccess
from components.options import child_opts
from crds import ironcore
from model.pools import Pool


def machine_classes(
    name: str, pools: Sequence[Pool], garden: GardenAccess, parent: pulumi.Resource
) -> dict[str, ironcore.MachineClass]:
    """One object for each class that the pools name, with the resources of the machine type of the same name.

    Regions of one garden share it, so it stays when one of them goes.
    """
    profile = garden.settings.ironcore.cloud_profile
    return {
        one: ironcore.MachineClass(
            f"{name}-class-{one}",
            metadata={"name": one, "annotations": {"pulumi.com/patchForce": "true"}},  # taken over where it is already
            capabilities=garden.landscape.machine(profile, one).apply(_capabilities),
            opts=child_opts(parent, provider=garden.provider, retain_on_delete=True),
        )
        for one in sorted({pool.ironcore.machine_class for pool in pools})
    }


def check(pools: Sequence[Pool], garden: GardenAccess) -> None:
    """Refuse to plan pools whose servers are not there."""
    sentences = [*_types(pools, garden), *_servers(pools, garden)]
    if sentences:
        raise pulumi.RunError("nothing was planned.\n" + "\n".join(sentences))


def _capabilities(machine: Any) -> dict[str, str]:  # noqa: ANN401  (a mapping of the cloud profile's)
    return {"cpu": machine["cpu"], "memory": machine["memory"]}


def _types(pools: Sequence[Pool], garden: GardenAccess) -> Iterator[str]:
    name = garden.settings.ironcore.cloud_profile
    profile = garden.landscape.profiles.get(name)
    for pool in pools:
        wanted = pool.ironcore.machine_class
        if profile is not None and wanted not in profile.machine_types:
            yield (
                f"{pool.name}: ironcore.machineClass is {wanted!r}, which the cloud profile {name} does not have: use "
                f"one of {_listed(profile.machine_types)}."
            )


def _servers(pools: Sequence[Pool], garden: GardenAccess) -> Iterator[str]:
    """Pools may share a machine pool: then it has to have enough for all of them."""
    there = garden.landscape.machine_pools
    if there is None:
        return
    users: dict[tuple[str, str], list[Pool]] = {}
    for pool in pools:
        users.setdefault((pool.ironcore.machine_pool, pool.ironcore.machine_class), []).append(pool)
    for (machine_pool, machine_class), sharing in users.items():
        who = " and ".join(pool.name for pool in sharing)
        if machine_pool not in there:
            yield (
                f"{who}: ironcore.machinePool is {machine_pool!r}, which IronCore does not have: use one of "
                f"{_listed(there)}, or have it made."
            )
            continue
        classes, wanted = there[machine_pool], sum(pool.max_workers for pool in sharing)
        if machine_class not in classes:
            yield (
                f"{who}: the machine pool {machine_pool} has no servers of the machine class {machine_class!r}, only "
                f"of {_listed(classes)}: use another ironcore.machineClass or ironcore.machinePool."
            )
        elif classes[machine_class] < wanted:
            yield (
                f"{who}: maxWorkers is {wanted}{' together' if len(sharing) > 1 else ''}, and the machine pool "
                f"{machine_pool} has {classes[machine_class]} servers of the machine class {machine_class}: lower "
                "maxWorkers, or have servers added."
            )


def _listed(names: Any) -> str:  # noqa: ANN401  (the keys of any mapping)
    return ", ".join(sorted(names)) or "none"
