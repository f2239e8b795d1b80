"""What goes wrong with what Flux delivers, on the way of an update."""

from concurrent.futures import ThreadPoolExecutor

from sandbox.client import Manifest
from tests.live_region import STACK, asked, program
from tests.live_releases import of_flux
from tests.sandboxes import Running, fault, until

UP = ("up", "--yes", "--skip-preview")


def fails(region: Running, releases: Manifest, minutes: int = 1) -> str:
    """What an update says that waits a little for releases as they should not be."""
    code, said = program(region, *UP, "--continue-on-error", *asked(region, STACK, releases, readyWithin=minutes))
    assert code != 0, f"nothing fails: {said}"
    return said


def converges(region: Running) -> None:
    code, said = program(region, *UP, "--refresh", *asked(region, STACK))
    assert code == 0, said


def cut_off(region: Running, cluster: str, first: str, new: str) -> str:
    """What an update says whose registry goes away while Flux is at work on one release.

    Of the other, which comes after it, Flux has no chart yet. Who asks takes the faults back.
    """
    before = of_flux(region)[cluster, first]["metadata"]["generation"]
    region.client("management").delete(of_flux(region)[cluster, new])
    until(lambda: (cluster, new) not in of_flux(region) or None, lambda: f"Flux does not let {new} go")
    fault(region, "slow", cluster, "--seconds", "1")
    words = asked(region, STACK, {first: {"values": {"probe": 1}}}, readyWithin=1)
    with ThreadPoolExecutor() as beside:
        update = beside.submit(program, region, *UP, "--refresh", *words)

        def begun() -> bool | None:
            assert not update.done(), f"{first} is not changed: {update.result()}"
            return of_flux(region)[cluster, first]["metadata"]["generation"] > before or None

        until(begun, lambda: f"{first} is not changed", 600)
        fault(region, "down", "registry")
        assert (cluster, new) not in of_flux(region), f"Flux was done with {first} before the registry was away"
        code, said = update.result()
    assert code != 0, f"nothing fails: {said}"
    return " ".join(said.split())
