"""Faults of the garden, and what others do in it."""

import json
import re
import subprocess

import pytest

from access.conflict import TAKE_OVER
from sandbox.client import MERGE
from tests.live_clusters import FEW, MORE, POOLS, Region
from tests.sandboxes import fault, faults, shoot_path, until

pytestmark = pytest.mark.servers


def test_a_change_is_waited_for_until_gardener_has_followed(ready: Region) -> None:
    """What was true of the Shoot before the change does not count."""
    with faults(ready.sandbox, ("hang", "Shoot", POOLS[0])):
        before = ready.shoot(POOLS[0])["metadata"]["generation"]
        with ready.begun(workers=MORE) as pulumi:
            until(
                lambda: ready.shoot(POOLS[0])["metadata"]["generation"] > before or None, lambda: "nothing changes", 120
            )
            until(lambda: ready.follows(POOLS[1]) or None, lambda: "the other pool does not follow", 60)
            with pytest.raises(subprocess.TimeoutExpired):
                pulumi.wait(3)
            fault(ready.sandbox, "end")
            said, _ = pulumi.communicate(timeout=600)
            assert pulumi.returncode == 0, said
            assert ready.follows(POOLS[0])


@pytest.mark.thorough
def test_a_change_that_gardener_does_not_follow_is_said(ready: Region) -> None:
    there = ready.shoot(POOLS[0])["spec"]["provider"]["workers"][0]["minimum"]
    with faults(ready.sandbox, ("hang", "Shoot", POOLS[0])):
        said = ready.fails(workers=FEW if there == MORE else MORE)
    assert f"Cluster {POOLS[0]} (Shoot {POOLS[0]}) is not ready: it was waited for up to 1 min" in said
    assert "Gardener says: nothing of this change yet, and of what was before: " in said, said
    assert "then run the update again" in said
    ready.converges()


def test_the_garden_gives_no_answer(ready: Region) -> None:
    for how, why in (("down", "Connection refused"), ("pause", "nothing came within 10 s")):
        with faults(ready.sandbox, (how, "garden")):
            said = ready.fails()
            assert re.search(rf"the garden of \S+garden.yaml, gives no answer: .*{why}", said), said
            assert "Nothing was changed: run the update again when the garden answers." in said
            if how == "down":
                planned_without_looking(ready)
    ready.converges()


@pytest.mark.thorough
def test_a_garden_that_refuses_every_request_is_said_to_be_busy(ready: Region) -> None:
    with faults(ready.sandbox, ("throttle", "garden", "--share", "1")):
        said = ready.fails()
    assert re.search(r"The garden of \S+garden.yaml has too much to do, and 8 times refused /apis/\S+\.", said), said
    assert "Nothing was changed: run the update again when the garden answers." in said
    ready.converges()


def planned_without_looking(region: Region) -> None:
    """Nobody is to believe that something would be made anew, or go."""
    done = region.run("preview", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    plan = json.loads(done.stdout)
    assert any("gives no answer" in one["message"] for one in plan["diagnostics"]), plan["diagnostics"]
    assert {one["op"] for one in plan["steps"]} <= {"same", "read", "update"}


def test_servers_that_are_slow_or_busy_are_borne(ready: Region) -> None:
    """Whoever waits a little longer gets what was asked for."""
    with faults(ready.sandbox, ("slow", "garden", "--seconds", "0.3"), ("throttle", POOLS[0], "--share", "0.3")):
        ready.passes("--replace", f"**{POOLS[0]}-info", workers=MORE)
    with faults(ready.sandbox, ("throttle", "garden", "--share", "0.3"), ("slow", POOLS[0], "--seconds", "0.1")):
        ready.passes("--replace", f"**{POOLS[0]}-info")
    ready.converges()


def test_somebody_else_sets_what_the_stack_file_says(ready: Region, monkeypatch: pytest.MonkeyPatch) -> None:
    """That value is not overwritten, and who has set it is named; one update can be told to take it over, for good."""
    set_by(ready, "somebody", MORE + 1)
    try:
        said = ready.fails(workers=MORE)
        assert f"Cluster {POOLS[0]} (Shoot {POOLS[0]}): somebody else (somebody) has set .spec.provider.workers" in said
        assert f"with one update under {TAKE_OVER}=true." in said
        assert ready.shoot(POOLS[0])["spec"]["provider"]["workers"][0]["minimum"] == MORE + 1, "it was overwritten"
    finally:
        with monkeypatch.context() as one_update:
            one_update.setenv(TAKE_OVER, "true")
            ready.converges(workers=MORE)
    ready.converges()


def test_what_people_set_with_kubectl_is_set_back(ready: Region) -> None:
    """Pulumi's provider counts it as its own, so that a person's quick remedy never blocks an update."""
    set_by(ready, "kubectl-edit", MORE + 1)
    ready.converges(workers=MORE)
    ready.converges()


def set_by(region: Region, who: str, minimum: int) -> None:
    worker = region.shoot(POOLS[0])["spec"]["provider"]["workers"][0]
    change = {"spec": {"provider": {"workers": [{**worker, "minimum": minimum}]}}}
    region.sandbox.garden.request("PATCH", shoot_path(POOLS[0]), change, content=MERGE, fieldManager=who)
