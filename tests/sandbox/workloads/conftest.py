"""A region with every system of the catalogue, on a management cluster that is empty at first, as a new one is."""

import threading
from collections.abc import Generator

import pytest

from sandbox import definitions, flux
from tests import sandboxes
from tests.live_faults import fails
from tests.live_region import KUBECONFIG, STACK, THIRD, asked, flux_operator, program, remember
from tests.live_releases import of_flux
from tests.sandboxes import Running, fault, own_name, until


@pytest.fixture(scope="package")
def sandbox() -> Generator[Running]:
    with sandboxes.running(own_name("workloads")) as running:
        management = running.client("management")
        for name in definitions.groups(*flux.GROUPS, *flux.GIVEN):
            management.delete({"apiVersion": definitions.API, "kind": definitions.KIND, "metadata": {"name": name}})
        management.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": flux.NAMESPACE}})
        until(lambda: not management.list(definitions.API, definitions.KIND) or None, lambda: "kinds are left")
        threading.Thread(target=flux_operator, args=(management,), daemon=True).start()
        remember(running, f"infrastructure/kubeconfig-{THIRD}", {"value": KUBECONFIG})
        yield running


@pytest.fixture(scope="package")
def broken(sandbox: Running) -> str:
    """What the first update says: one release has a version that no chart has, and the chart of another is garbage."""
    fault(sandbox, "chart", "libvirt-exporter")
    said = fails(sandbox, {"ovs-vswitchd": {"version": "0.1.99"}})
    fault(sandbox, "end")
    assert ("hv-pool-us", "ovn-controller") not in of_flux(sandbox), "what needs it is not to be made"
    return said


@pytest.fixture(scope="package")
def region(sandbox: Running, broken: str) -> Running:
    """All of it, after the next update without the mistake."""
    assert broken
    code, said = program(sandbox, "up", "--yes", "--skip-preview", *asked(sandbox, STACK))
    assert code == 0, f"the region does not come up: {said}"
    return sandbox
