"""IronCore's machine pools in the garden, as its own controllers would report them."""

from collections import Counter

import pytest

from sandbox.ironcore import API
from tests.regions import STACKS, loaded, stack
from tests.sandboxes import Running

pytestmark = pytest.mark.servers


@pytest.mark.parametrize("name", STACKS)
def test_machine_pools_have_the_servers_that_a_region_may_ask_for(shared: Running, name: str) -> None:
    """Else a stack file of this repository would grow into nothing."""
    there = {one["metadata"]["name"]: one["status"] for one in shared.garden.list(API, "MachinePool")}
    wanted: Counter[tuple[str, str]] = Counter()
    spec = loaded(stack(name))
    for pool in (*spec.hypervisor_pools, *spec.storage_pools):
        wanted[pool.ironcore.machine_pool, pool.ironcore.machine_class] += pool.max_workers
    assert wanted, f"{name} asks for no server"
    for (machine_pool, machine_class), count in wanted.items():
        status = there[machine_pool]
        assert status["state"] == "Ready", f"{machine_pool} is {status['state']}"
        assert {"name": machine_class} in status["availableMachineClasses"], f"{machine_pool} has no {machine_class}"
        for what in ("capacity", "allocatable"):
            servers = int(status[what][f"class/machine.{machine_class}"])
            assert servers >= count, f"{machine_pool}, {what}: {servers} of {machine_class}, and {name} takes {count}"
