"""Faults of one cluster behind its Shoot."""

import json
import re

import pytest

from tests.live_clusters import POOLS, Region
from tests.sandboxes import command, faults

pytestmark = pytest.mark.servers


def test_a_cluster_answers_nothing_behind_its_shoot(ready: Region) -> None:
    """It takes connections, and then nothing comes."""
    with faults(ready.sandbox, ("pause", POOLS[0])):
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert f"Cluster {POOLS[0]}: its API gives no answer, so {POOLS[0]}-info" in said, said
        assert "run the update again when it is well" in said
    ready.converges()


@pytest.mark.parametrize(
    ("words", "how", "sentence"),
    [
        ([], "refuses", "denied the request: a fault of the sandbox"),
        pytest.param(
            ["--unreachable"],
            "unreachable",
            'failed calling webhook "refuses.sandbox.c5c3.io"',
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["refuses", "unreachable"],
)
def test_a_webhook_refuses_what_is_written_into_a_cluster(
    ready: Region, words: list[str], how: str, sentence: str
) -> None:
    """It is said of which object in which cluster, in the words of the webhook."""
    with faults(ready.sandbox, ("webhook", POOLS[0], "configmaps", *words)):
        told = command("status", "--name", ready.sandbox.home.name).stdout
        assert f"a fault that you wished for: webhook {POOLS[0]} configmaps, {how}" in told
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert re.search(rf"{POOLS[0]}-info.*{re.escape(sentence)}", said), said
    told = command("status", "--name", ready.sandbox.home.name).stdout
    assert "wished for" not in told
    ready.converges()


def test_a_cluster_is_down_behind_its_shoot(ready: Region) -> None:
    with faults(ready.sandbox, ("down", POOLS[0])):
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert f"Cluster {POOLS[0]}: its API gives no answer, so {POOLS[0]}-info" in said, said
        assert "run the update again when it is well" in said
        refreshed = ready.fails("--refresh")
        assert f"ConfigMap ({POOLS[0]}-info): warning: configured Kubernetes cluster is unreachable" in refreshed
        plan = json.loads(ready.run("preview", "--json").stdout)
        assert {one["op"] for one in plan["steps"]} <= {"same", "read", "update"}, "nothing is lost"
    ready.converges("--refresh")
