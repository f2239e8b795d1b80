"""A region with every system of the catalogue, on a management cluster that is empty at first, as a new one is."""

import os
import signal
import threading
from collections.abc import Generator

import pytest

from sandbox import definitions, flux
from sandbox.client import Client
from tests import sandboxes
from tests.live_faults import fails
from tests.live_region import KUBECONFIG, STACK, THIRD, asked, flux_operator, program, remember
from tests.live_releases import of_flux
from tests.sandboxes import Running, faults, own_name, until


@pytest.fixture(scope="package")
def sandbox() -> Generator[Running]:
    with sandboxes.running(own_name("workloads")) as running:
        management = running.client("management")
        of_flux_itself = [running.status.processes[name] for name in flux.CONTROLLERS]
        signalled(of_flux_itself, signal.SIGSTOP)  # they would look for their kinds ever more rarely
        for name in definitions.groups(*flux.GROUPS, *flux.GIVEN):
            management.delete({"apiVersion": definitions.API, "kind": definitions.KIND, "metadata": {"name": name}})
        management.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": flux.NAMESPACE}})
        until(lambda: is_empty(management) or None, lambda: "kinds or Flux's namespace are left", 300)
        come = [management, lambda: signalled(of_flux_itself, signal.SIGCONT)]
        threading.Thread(target=flux_operator, args=come, daemon=True).start()
        remember(running, f"infrastructure/kubeconfig-{THIRD}", {"value": KUBECONFIG})
        yield running


def is_empty(management: Client) -> bool:
    kinds = management.list(definitions.API, definitions.KIND)
    return not kinds and management.get("v1", "Namespace", flux.NAMESPACE) is None


def signalled(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, number)


@pytest.fixture(scope="package")
def broken(sandbox: Running) -> str:
    """What the first update says: one release has a version that no chart has, and the chart of another is garbage."""
    with faults(sandbox, ("chart", "libvirt-exporter")):
        said = fails(sandbox, {"ovs-vswitchd": {"version": "0.1.99"}}, minutes=2)
    assert ("hv-pool-us", "ovn-controller") not in of_flux(sandbox), "what needs it is not to be made"
    return said


@pytest.fixture(scope="package")
def region(sandbox: Running, broken: str) -> Running:
    """All of it, after the next update without the mistake."""
    assert broken
    code, said = program(sandbox, "up", "--yes", "--skip-preview", *asked(sandbox, STACK))
    assert code == 0, f"the region does not come up: {said}"
    return sandbox
