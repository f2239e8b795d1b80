"""A garden that cannot be seen: a preview goes on without, an update does not."""

import socket
from functools import partial
from pathlib import Path
from typing import Any, cast

import pulumi
import pytest
import yaml

from access.problem import Problem
from components import Region, RegionArgs
from components.capacity import computing
from components.landscape import POOLS, Landscape, look
from tests.plans import heard
from tests.recorder import Recording, record
from tests.regions import loaded, small


@pytest.fixture
def garden(tmp_path: Path) -> str:
    """A kubeconfig for a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{taken.getsockname()[1]}"
    file = tmp_path / "garden.yaml"
    config = {
        "current-context": "here",
        "contexts": [{"name": "here", "context": {"cluster": "garden", "user": "me"}}],
        "clusters": [{"name": "garden", "cluster": {"server": server}}],
        "users": [{"name": "me", "user": {"token": "none"}}],
    }
    file.write_text(yaml.safe_dump(config))
    return str(file)


def region(garden: str, *, preview: bool) -> Recording:
    spec = loaded(small(garden={"kubeconfig": garden}))
    return record(lambda: Region(spec.region, RegionArgs(spec=spec)), preview=preview)


def test_a_preview_warns_and_goes_on(garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []

    def warn(text: str, _resource: object) -> None:
        warned.append(text)

    monkeypatch.setattr("pulumi.log.warn", warn)
    worker = region(garden, preview=True).named("hv-pool-a-shoot").inputs["spec"]["provider"]["workers"][0]
    assert isinstance(worker["zones"], pulumi.output.Unknown)
    assert len(warned) == 1
    assert "gives no answer" in warned[0]
    assert "Planning without looking at the garden" in warned[0]


def test_an_update_stops(garden: str) -> None:
    with pytest.raises(pulumi.RunError, match="gives no answer"):
        region(garden, preview=False)


class Seen:
    """A garden as its API answers, with the machine pools that a test gives it."""

    def __init__(self, pools: object) -> None:
        self.pools = pools

    def get(self, path: str) -> object:
        if path == POOLS:
            if isinstance(self.pools, Problem):
                raise self.pools
            return self.pools
        regions = [{"name": "eu-de-1", "zones": [{"name": "eu-de-1a"}]}]
        types = [{"name": "baremetal-kvm", "cpu": "500m", "memory": "1099511627776"}]
        return {"spec": {"regions": regions, "machineTypes": types}}


def looked(garden: str, monkeypatch: pytest.MonkeyPatch, pools: object) -> Landscape:
    def of(*_: object) -> Seen:
        return Seen(pools)

    monkeypatch.setattr("components.landscape.Connection.of", of)
    nobody: Any = None
    return look(loaded(small(garden={"kubeconfig": garden})).garden, nobody)


def machine_pool(count: object) -> dict[str, object]:
    capacity = {"class/machine.baremetal-kvm": count, "cpu": "lots"}
    return {"items": [{"metadata": {"name": "racks"}, "status": {"capacity": capacity}}, {"metadata": {"name": "new"}}]}


@pytest.mark.parametrize(("count", "servers"), [("1k", 1000), ("50", 50), (7, 7)])
def test_servers_are_counted_as_kubernetes_writes_numbers(
    garden: str, monkeypatch: pytest.MonkeyPatch, count: object, servers: int
) -> None:
    found = looked(garden, monkeypatch, machine_pool(count))
    assert found.machine_pools == {"racks": {"baremetal-kvm": servers}, "new": {}}


@pytest.mark.parametrize(
    ("pools", "warning"),
    [
        (
            Problem("The garden of g.yaml refuses /machinepools: no."),
            (
                "The garden of g.yaml refuses /machinepools: no. Nobody checked whether the machine pools have enough "
                "servers."
            ),
        ),
        (
            None,
            "The garden serves no machine pools of IronCore: nobody checked whether there are enough servers.",
        ),
    ],
)
def test_a_garden_that_says_nothing_of_machine_pools_is_a_warning_and_no_error(
    garden: str, monkeypatch: pytest.MonkeyPatch, pools: object, warning: str
) -> None:
    """The two APIs are two servers: one may be down, or never have been there."""
    warned = heard(monkeypatch, "warn")
    found = looked(garden, monkeypatch, pools)
    assert warned == [warning]
    assert found.machine_pools is None, "and so no pool is said to lack servers"
    assert found.profiles["ironcore"], "what the garden does say is taken"


def test_what_a_machine_has_is_read_as_kubernetes_writes_it(garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = looked(garden, monkeypatch, None)
    told: dict[str, object] = {}
    claim = loaded(small()).hypervisor_pools[0]

    def program() -> None:
        for key, value in computing(claim, found.machine("ironcore", "baremetal-kvm")).items():
            cast("pulumi.Output[object]", value).apply(partial(told.__setitem__, key))

    record(program)
    assert told == {"vcpus": 25, "memoryGB": 50 * 1024**4 // 1000**3}, "50 workers of half a CPU and 1Ti"
