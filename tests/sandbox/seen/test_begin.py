"""While the clusters are made for the first time."""

import contextlib
import re

import pytest

from sandbox.client import BROKEN, Refused
from sandbox.pids import alive, families
from tests.live_clusters import FEW, MORE, POOLS, Region
from tests.sandboxes import NAMESPACE, SHOOT, faults, until

pytestmark = pytest.mark.servers


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], 'admission webhook "refuses.sandbox.c5c3.io" denied the request: a fault of the sandbox'),
        (["--unreachable"], 'failed calling webhook "refuses.sandbox.c5c3.io"'),
    ],
    ids=["refuses", "unreachable"],
)
def test_a_webhook_refuses_the_shoots(region: Region, words: list[str], sentence: str) -> None:
    """Pulumi begins nothing more after the first failure."""
    with faults(region.sandbox, ("webhook", "garden", "shoots", *words)):
        said = region.fails()
    assert re.search(r"Cluster (us-east-1-control-plane|hv-pool-us|st-pool-us): the garden refused its Shoot", said)
    assert sentence in said
    assert "then run the update again" in said


def test_pulumi_is_killed_then_a_shoot_fails_and_another_hangs(region: Region) -> None:
    """Nothing of it needs a hand: neither the lock, nor the operations that nobody knows the end of."""
    fails = ("fail", "Shoot", POOLS[0], "--message", "no server is left in the rack")
    with faults(region.sandbox, fails, ("hang", "Shoot", POOLS[1])):
        with region.begun(workers=FEW) as pulumi:
            until(lambda: shoots(region) == 3 or None, lambda: "the Shoots are not made", 120)
            plugins = [pid for pid in families([pulumi.pid]) if pid != pulumi.pid]
        assert any(map(alive, plugins)), "they end by themselves: this shows nothing of who ends them"
        said = region.fails()
        assert not any(map(alive, plugins)), "a killed pulumi's plugins go on"
    assert f"An earlier pulumi (process {pulumi.pid}) was killed on the way: this run goes on." in said
    for pool in POOLS:
        assert f"Cluster {pool} (Shoot {pool}) is not ready: it was waited for up to 1 min" in said
    assert "Error at 10 %, no server is left in the rack" in said
    early = f"Still waiting, perhaps for this: cluster {POOLS[0]}. It says: Create is Error at 10 %, no server is left"
    assert said.index(early) < said.index("is not ready"), "a minute is little; an hour is the rule"
    assert "then run the update again" in said
    region.converges(workers=MORE)  # which changes what the killed run has set
    assert shoots(region) == 3, "nothing is made twice"


def shoots(region: Region) -> int:
    with contextlib.suppress(Refused, *BROKEN):
        return len(region.sandbox.garden.list(SHOOT, "Shoot", NAMESPACE))
    return -1
