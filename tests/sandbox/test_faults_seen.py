"""Every fault as a person meets it who runs `pulumi up`: a sentence that helps; and the run after it sets all right.

docs/sandbox.md has the list. What is wrong with a chart is in workloads/test_faults_of_delivery.py.
"""

import contextlib
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.client import BROKEN, MERGE, Manifest, Refused
from sandbox.pulumi import environment, stack_file
from tests import sandboxes
from tests.sandboxes import NAMESPACE, SHOOT, Running, command, own_name, shoot_path, until
from tools import cache

pytestmark = pytest.mark.servers

STACK = "us-east-1"
POOLS = ("hv-pool-us", "st-pool-us")
CONTROL_PLANE = "us-east-1-cp"
FEW, MORE = 3, 4  # workers of a pool
LONG = 10  # minutes, however busy the machine is


@dataclass(frozen=True, kw_only=True)
class Region:
    """A small region in a sandbox of its own."""

    sandbox: Running
    folder: Path

    def write(self, workers: int, minutes: int) -> Path:
        """Its stack file, with as many workers in each pool, and so many minutes for a cluster to become ready."""
        text: dict[str, Any] = yaml.safe_load(stack_file(self.sandbox.home, STACK).read_text())
        config = text["config"]
        for key in ("openStackClusters", "management", "chartMirror"):  # clusters alone: what runs in them takes long
            config.pop(f"cobaltcore:{key}", None)
        config["cobaltcore:garden"]["readyWithin"] = minutes
        for kind in ("hypervisorPools", "storagePools"):
            config[f"cobaltcore:{kind}"][0] |= {"workers": workers, "maxWorkers": 9}
        file = self.folder / "Pulumi.yaml"
        file.write_text(yaml.safe_dump(text))
        return file

    def words(self, what: str, *more: str, workers: int, minutes: int) -> list[str]:
        target = ["--name", self.sandbox.home.name, "--stack", STACK]
        file = ["--config-file", str(self.write(workers, minutes)), "--non-interactive", "--color", "never"]
        return ["pulumi", *target, what, *(["--yes", "--skip-preview"] if what == "up" else []), *file, *more]

    def run(self, what: str, *more: str, workers: int = FEW, minutes: int = LONG) -> "subprocess.CompletedProcess[str]":
        return command(*self.words(what, *more, workers=workers, minutes=minutes))

    @contextlib.contextmanager
    def begun(self, *, workers: int) -> Generator["subprocess.Popen[str]"]:
        """An update that is under way; the process becomes pulumi itself."""
        words = [sys.executable, "-m", "sandbox", *self.words("up", workers=workers, minutes=LONG)]
        pulumi = subprocess.Popen(
            words, cwd=cache.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            yield pulumi
        finally:
            pulumi.kill()
            pulumi.wait()
            end_session(pulumi.pid)
            if pulumi.stdout:
                pulumi.stdout.close()

    def fails(self, *more: str, workers: int = FEW) -> str:
        """What an update says that fails."""
        done = self.run("up", *more, workers=workers, minutes=1)
        text = done.stdout + done.stderr
        assert done.returncode != 0, f"it meets no fault: {text}"
        assert "Traceback" not in text, text
        assert "unhandled error" not in text, text
        return " ".join(text.split())

    def passes(self, *more: str, workers: int = FEW) -> str:
        done = self.run("up", *more, workers=workers)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def converges(self, *more: str, workers: int = FEW) -> None:
        """The next update works, and Gardener is done with what it wants."""
        self.passes(*more, workers=workers)
        for pool in POOLS:
            assert self.shoot(pool)["spec"]["provider"]["workers"][0]["minimum"] == workers
            assert self.follows(pool), f"the update ended before Gardener was done with {pool}"

    def shoot(self, name: str) -> Manifest:
        return self.sandbox.shoot(name)

    def follows(self, name: str) -> bool:
        """Whether the Shoot is as it was asked for last: also its nodes, right now."""
        shoot = self.shoot(name)
        done = shoot["status"]["lastOperation"]["state"] == "Succeeded"
        seen = shoot["status"]["observedGeneration"] == shoot["metadata"]["generation"]
        nodes = len(self.sandbox.client(name).list("v1", "Node"))
        return done and seen and nodes == shoot["spec"]["provider"]["workers"][0]["minimum"]

    @contextlib.contextmanager
    def fault(self, *words: str) -> Generator[None]:
        self.begin_fault(*words)
        try:
            yield
        finally:
            self.begin_fault("end")

    def begin_fault(self, *words: str) -> None:
        sandboxes.fault(self.sandbox, *words)


def end_session(number: int) -> None:
    """A pulumi that is killed leaves its plugins, each in a group of its own."""
    listed = subprocess.run(["ps", "-eo", "pid=,sess="], capture_output=True, text=True, check=True)  # noqa: S607
    for pid, session in (map(int, line.split()) for line in listed.stdout.splitlines()):
        if session == number:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module", name="region")
def empty_region(tmp_path_factory: pytest.TempPathFactory) -> Generator[Region]:
    with sandboxes.running(own_name("seen")) as sandbox:
        yield Region(sandbox=sandbox, folder=tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="module")
def ready(region: Region) -> Region:
    """The region with its clusters, if no test before has made them."""
    region.converges()
    return region


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
    with region.fault("webhook", "garden", "shoots", *words):
        said = region.fails()
    assert re.search(r"Cluster (us-east-1-control-plane|hv-pool-us|st-pool-us): the garden refused its Shoot", said)
    assert sentence in said
    assert "then run the update again" in said


def test_pulumi_is_killed_then_a_shoot_fails_and_another_hangs(region: Region) -> None:
    """Nothing of it needs a hand: neither the lock, nor the operations that nobody knows the end of."""
    with region.fault("fail", "Shoot", POOLS[0], "--message", "no server is left in the rack"):
        region.begin_fault("hang", "Shoot", POOLS[1])
        with region.begun(workers=FEW) as pulumi:
            until(lambda: shoots(region) == 3 or None, lambda: "the Shoots are not made", 120)
        said = region.fails()
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


def test_a_change_is_waited_for_until_gardener_has_followed(ready: Region) -> None:
    """What was true of the Shoot before the change does not count."""
    with ready.fault("hang", "Shoot", POOLS[0]):
        before = ready.shoot(POOLS[0])["metadata"]["generation"]
        with ready.begun(workers=MORE) as pulumi:
            until(
                lambda: ready.shoot(POOLS[0])["metadata"]["generation"] > before or None, lambda: "nothing changes", 120
            )
            until(lambda: ready.follows(POOLS[1]) or None, lambda: "the other pool does not follow", 60)
            with pytest.raises(subprocess.TimeoutExpired):
                pulumi.wait(3)
            ready.begin_fault("end")
            said, _ = pulumi.communicate(timeout=600)
            assert pulumi.returncode == 0, said
            assert ready.follows(POOLS[0])


@pytest.mark.thorough
def test_a_change_that_gardener_does_not_follow_is_said(ready: Region) -> None:
    there = ready.shoot(POOLS[0])["spec"]["provider"]["workers"][0]["minimum"]
    with ready.fault("hang", "Shoot", POOLS[0]):
        said = ready.fails(workers=FEW if there == MORE else MORE)
    assert f"Cluster {POOLS[0]} (Shoot {POOLS[0]}) is not ready: it was waited for up to 1 min" in said
    assert "Gardener says: nothing of this change yet, and of what was before: " in said, said
    assert "then run the update again" in said
    ready.converges()


def test_the_garden_gives_no_answer(ready: Region) -> None:
    for fault, why in (("down", "Connection refused"), ("pause", "nothing came within 10 s")):
        with ready.fault(fault, "garden"):
            said = ready.fails()
            assert re.search(rf"the garden of \S+garden.yaml, gives no answer: .*{why}", said), said
            assert "Nothing was changed: run the update again when the garden answers." in said
            if fault == "down":
                planned_without_looking(ready)
    ready.converges()


@pytest.mark.thorough
def test_a_garden_that_refuses_every_request_is_said_to_be_busy(ready: Region) -> None:
    with ready.fault("throttle", "garden", "--share", "1"):
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
    with ready.fault("slow", "garden", "--seconds", "0.3"):
        ready.begin_fault("throttle", POOLS[0], "--share", "0.3")
        ready.passes("--replace", f"**{POOLS[0]}-info", workers=MORE)
    with ready.fault("throttle", "garden", "--share", "0.3"):
        ready.passes()
    ready.converges()


def test_a_cluster_answers_nothing_behind_its_shoot(ready: Region) -> None:
    """It takes connections, and then nothing comes."""
    with ready.fault("pause", POOLS[0]):
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert f"Cluster {POOLS[0]}: its API gives no answer, so {POOLS[0]}-info" in said, said
        assert "run the update again when it is well" in said
    ready.converges()


@pytest.mark.parametrize(
    ("words", "how", "sentence"),
    [
        ([], "refuses", "denied the request: a fault of the sandbox"),
        (["--unreachable"], "unreachable", 'failed calling webhook "refuses.sandbox.c5c3.io"'),
    ],
    ids=["refuses", "unreachable"],
)
def test_a_webhook_refuses_what_is_written_into_a_cluster(
    ready: Region, words: list[str], how: str, sentence: str
) -> None:
    """It is said of which object in which cluster, in the words of the webhook."""
    with ready.fault("webhook", POOLS[0], "configmaps", *words):
        told = command("status", "--name", ready.sandbox.home.name).stdout
        assert f"a fault that you wished for: webhook {POOLS[0]} configmaps, {how}" in told
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert re.search(rf"{POOLS[0]}-info.*{re.escape(sentence)}", said), said
    told = command("status", "--name", ready.sandbox.home.name).stdout
    assert "wished for" not in told
    ready.converges()


def test_a_cluster_is_down_behind_its_shoot(ready: Region) -> None:
    with ready.fault("down", POOLS[0]):
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
        assert f"Cluster {POOLS[0]}: its API gives no answer, so {POOLS[0]}-info" in said, said
        assert "run the update again when it is well" in said
        refreshed = ready.fails("--refresh")
        assert f"ConfigMap ({POOLS[0]}-info): warning: configured Kubernetes cluster is unreachable" in refreshed
        plan = json.loads(ready.run("preview", "--json").stdout)
        assert {one["op"] for one in plan["steps"]} <= {"same", "read", "update"}, "nothing is lost"
    ready.converges("--refresh")


def test_a_credential_expires_in_the_middle(ready: Region, tmp_path: Path) -> None:
    """It is no longer good when it is used: the next one is asked for, or the next run asks."""
    wrapped(tmp_path, ready)
    done = with_expired(tmp_path, ready)
    assert done.returncode == 0 or f"Cluster {POOLS[0]}: its API takes the credential no more" in done.stdout
    ready.begin_fault("end")
    ready.converges()


def test_a_credential_is_no_longer_good_however_often_it_is_asked_for(ready: Region, tmp_path: Path) -> None:
    wrapped(tmp_path, ready, always=True)
    done = with_expired(tmp_path, ready)
    assert done.returncode != 0, done.stdout
    assert f"Cluster {POOLS[0]}: its API takes the credential no more, so {POOLS[0]}-info" in done.stdout
    assert "run the update again when it is well" in done.stdout
    ready.begin_fault("end")
    ready.converges()


def with_expired(folder: Path, region: Region) -> "subprocess.CompletedProcess[str]":
    """An update that gets its credentials from the command in a folder."""
    words = ["up", "--yes", "--skip-preview", "--stack", STACK, "--config-file", str(region.write(FEW, LONG))]
    env = environment(region.sandbox.home)
    done = subprocess.run(
        [str(cache.LINKS / "bin/pulumi"), *words, "--replace", f"**{POOLS[0]}-info", "--color", "never"],
        cwd=cache.ROOT,
        env={**env, "PATH": f"{folder}{os.pathsep}{env['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "expired").exists(), "nothing has expired"
    assert "Traceback" not in done.stdout + done.stderr
    return done


def wrapped(folder: Path, region: Region, *, always: bool = False) -> None:
    """The real command, except that what it gives out first, or always, for one cluster is no longer good."""
    real, file = cache.LINKS / "bin/cobaltcore-access", folder / "cobaltcore-access"
    expire = [sys.executable, "-m", "sandbox", "fault", "--name", region.sandbox.home.name, "expire", POOLS[0]]
    file.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, subprocess, sys\n"
        f"done = subprocess.run([{str(real)!r}, *sys.argv[1:]], capture_output=True, check=True)\n"
        f"first, given = pathlib.Path({str(folder / 'expired')!r}), done.stdout\n"
        f"if {POOLS[0]!r} in sys.argv and not first.exists():\n"
        "    first.write_bytes(given)\n"
        f"    subprocess.run({expire!r}, cwd={str(cache.ROOT)!r}, check=True, capture_output=True)\n"
        f"elif {POOLS[0]!r} in sys.argv and {always}:\n"
        "    given = first.read_bytes()\n"
        "sys.stdout.buffer.write(given)\n"
    )
    file.chmod(stat.S_IRWXU)


def test_somebody_else_sets_what_the_stack_file_says(ready: Region) -> None:
    """As with kubectl: that value is not overwritten, and who has set it is named."""
    set_by_somebody(ready, MORE + 1)
    said = ready.fails(workers=MORE)
    assert f"Cluster {POOLS[0]} (Shoot {POOLS[0]}): somebody else (somebody) has set .spec.provider.workers" in said
    assert "then run the update again" in said
    set_by_somebody(ready, MORE)
    ready.converges(workers=MORE)


def set_by_somebody(region: Region, minimum: int) -> None:
    worker = region.shoot(POOLS[0])["spec"]["provider"]["workers"][0]
    change = {"spec": {"provider": {"workers": [{**worker, "minimum": minimum}]}}}
    region.sandbox.garden.request("PATCH", shoot_path(POOLS[0]), change, content=MERGE, fieldManager="somebody")


def test_nothing_is_left_of_all_this(ready: Region) -> None:
    """The killed run's operations are warned of until somebody has them cleared, as docs/running.md says."""
    cleared = ready.run("refresh", "--yes", "--clear-pending-creates", workers=MORE)
    assert cleared.returncode == 0, cleared.stdout + cleared.stderr
    ready.converges(workers=MORE)
    preview = ready.run("preview", "--expect-no-changes", workers=MORE)
    assert preview.returncode == 0, preview.stdout + preview.stderr
    assert "pending operations" not in preview.stdout + preview.stderr
