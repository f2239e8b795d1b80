"""Every fault as a person meets it who runs `pulumi up`: a sentence that helps; and the run after it sets all right."""

import contextlib
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

from sandbox.client import BROKEN, Refused
from sandbox.pulumi import environment, stack_file
from tests import sandboxes
from tests.sandboxes import NAMESPACE, SHOOT, Running, command, own_name, until
from tools import cache

pytestmark = [pytest.mark.servers, pytest.mark.long]

STACK = "us-east-1"
POOLS = ("hv-pool-us", "st-pool-us")
CONTROL_PLANE = "us-east-1-cp"
FEW, MORE = 3, 4  # workers of a pool


@dataclass(frozen=True, kw_only=True)
class Region:
    """A small region in a sandbox of its own."""

    sandbox: Running
    folder: Path

    def write(self, workers: int) -> Path:
        """Its stack file, with as many workers in each pool."""
        text: dict[str, Any] = yaml.safe_load(stack_file(self.sandbox.home, STACK).read_text())
        config = text["config"]
        for key in ("openStackClusters", "management", "chartMirror"):  # clusters alone: what runs in them takes long
            config.pop(f"cobaltcore:{key}", None)
        config["cobaltcore:garden"]["readyWithin"] = 1
        for kind in ("hypervisorPools", "storagePools"):
            config[f"cobaltcore:{kind}"][0] |= {"workers": workers, "maxWorkers": 9}
        file = self.folder / "Pulumi.yaml"
        file.write_text(yaml.safe_dump(text))
        return file

    def words(self, what: str, *more: str, workers: int) -> list[str]:
        target = ["--name", self.sandbox.home.name, "--stack", STACK]
        file = ["--config-file", str(self.write(workers)), "--non-interactive", "--color", "never"]
        return ["pulumi", *target, what, *(["--yes", "--skip-preview"] if what == "up" else []), *file, *more]

    def run(self, what: str, *more: str, workers: int = FEW) -> "subprocess.CompletedProcess[str]":
        return command(*self.words(what, *more, workers=workers))

    def begin(self, *, workers: int) -> "subprocess.Popen[bytes]":
        """An update that is under way; the process becomes pulumi itself."""
        words = [sys.executable, "-m", "sandbox", *self.words("up", workers=workers)]
        return subprocess.Popen(words, cwd=cache.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fails(self, *more: str, workers: int = FEW) -> str:
        """What an update says that fails."""
        done = self.run("up", *more, workers=workers)
        text = done.stdout + done.stderr
        assert done.returncode != 0, f"it meets no fault: {text}"
        assert "Traceback" not in text, text
        assert "unhandled error" not in text, text
        return " ".join(text.split())

    def converges(self, *more: str, workers: int = FEW) -> str:
        """The next update works, and a plan straight after has nothing to do."""
        done = self.run("up", *more, workers=workers)
        assert done.returncode == 0, done.stdout + done.stderr
        preview = self.run("preview", "--expect-no-changes", workers=workers)
        assert preview.returncode == 0, preview.stdout + preview.stderr
        for pool in POOLS:
            assert self.sandbox.succeeded(pool)["spec"]["provider"]["workers"][0]["minimum"] == workers
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def fault(self, *words: str) -> Generator[None]:
        self.begin_fault(*words)
        try:
            yield
        finally:
            self.begin_fault("end")

    def begin_fault(self, *words: str) -> None:
        done = command("fault", "--name", self.sandbox.home.name, *words)
        assert done.returncode == 0, f"fault {' '.join(words)}: {done.stderr}"


@pytest.fixture(scope="module", name="region")
def empty_region(tmp_path_factory: pytest.TempPathFactory) -> Generator[Region]:
    with sandboxes.running(own_name("seen")) as sandbox:
        yield Region(sandbox=sandbox, folder=tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="module")
def ready(region: Region) -> Region:
    """The region with its clusters, if no test before has made them."""
    region.converges()
    return region


def test_a_webhook_refuses_the_shoots(region: Region) -> None:
    with region.fault("webhook", "garden", "shoots"):
        said = region.fails()
    for cluster in ("us-east-1-control-plane", *POOLS):
        assert f"Cluster {cluster}: the garden refused its Shoot" in said
    assert 'failed calling webhook "refuses.sandbox.c5c3.io"' in said
    assert "then run the update again" in said


def test_pulumi_is_killed_then_a_shoot_fails_and_another_hangs(region: Region) -> None:
    """Nothing of it needs a hand: neither the lock, nor the operations that nobody knows the end of."""
    with region.fault("fail", "Shoot", POOLS[0], "--message", "no server is left in the rack"):
        region.begin_fault("hang", "Shoot", POOLS[1])
        pulumi = region.begin(workers=FEW)
        until(lambda: shoots(region) == 3 or None, lambda: "the Shoots are not made", 60)
        pulumi.send_signal(signal.SIGKILL)
        pulumi.wait()
        said = region.fails()
    assert f"An earlier pulumi (process {pulumi.pid}) was killed on the way: this run goes on." in said
    for pool in POOLS:
        assert f"Cluster {pool} (Shoot {pool}) is not ready: it was waited for up to 1 min" in said
    assert "Error at 10 %, no server is left in the rack" in said
    assert "then run the update again" in said
    region.converges()
    assert shoots(region) == 3, "nothing is made twice"


def shoots(region: Region) -> int:
    with contextlib.suppress(Refused, *BROKEN):
        return len(region.sandbox.garden.list(SHOOT, "Shoot", NAMESPACE))
    return -1


@pytest.mark.parametrize(
    ("fault", "why", "workers"),
    [("down", "Connection refused", MORE), ("pause", "nothing came within 10 s", FEW)],
)
def test_the_garden_gives_no_answer(ready: Region, fault: str, why: str, workers: int) -> None:
    with ready.fault(fault, "garden"):
        said = ready.fails(workers=workers)
        assert re.search(rf"the garden of \S+garden.yaml, gives no answer: .*{why}", said), said
        assert "Nothing was changed: run the update again when the garden answers." in said
    ready.converges(workers=workers)


@pytest.mark.parametrize(
    ("fault", "workers"), [("slow garden --seconds 0.5", MORE), ("throttle garden --share 0.3", FEW)]
)
def test_a_garden_that_is_slow_or_busy_is_borne(ready: Region, fault: str, workers: int) -> None:
    """Whoever waits a little longer gets what was asked for."""
    with ready.fault(*fault.split()):
        done = ready.run("up", workers=workers)
        assert done.returncode == 0, done.stdout + done.stderr
    ready.converges(workers=workers)


def test_a_cluster_is_down_behind_its_shoot(ready: Region) -> None:
    with ready.fault("down", POOLS[0]):
        said = ready.fails("--replace", f"**{POOLS[0]}-info")
    assert f"Cluster {POOLS[0]}: its API gives no answer, so {POOLS[0]}-info" in said, said
    assert "run the update again when it is well" in said
    ready.converges()


def test_a_credential_expires_in_the_middle(ready: Region, tmp_path: Path) -> None:
    """It is no longer good when it is used: the next one is asked for, or the next run asks."""
    wrapped(tmp_path, ready)
    words = ["up", "--yes", "--skip-preview", "--stack", STACK, "--config-file", str(ready.write(FEW))]
    env = environment(ready.sandbox.home)
    done = subprocess.run(
        [str(cache.LINKS / "bin/pulumi"), *words, "--replace", f"**{POOLS[0]}-info", "--color", "never"],
        cwd=cache.ROOT,
        env={**env, "PATH": f"{tmp_path}{os.pathsep}{env['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (tmp_path / "expired").exists(), "nothing has expired"
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == 0 or f"Cluster {POOLS[0]}: its API takes the credential no more" in done.stdout
    ready.begin_fault("end")
    ready.converges()


def wrapped(folder: Path, region: Region) -> None:
    """The real command, except that what it gives out first for one cluster is no longer good."""
    real, file = cache.LINKS / "bin/cobaltcore-access", folder / "cobaltcore-access"
    expire = [sys.executable, "-m", "sandbox", "fault", "--name", region.sandbox.home.name, "expire", POOLS[0]]
    file.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, subprocess, sys\n"
        f"done = subprocess.run([{str(real)!r}, *sys.argv[1:]], capture_output=True, check=True)\n"
        f"once = pathlib.Path({str(folder / 'expired')!r})\n"
        f"if {POOLS[0]!r} in sys.argv and not once.exists():\n"
        "    once.touch()\n"
        f"    subprocess.run({expire!r}, cwd={str(cache.ROOT)!r}, check=True, capture_output=True)\n"
        "sys.stdout.buffer.write(done.stdout)\n"
    )
    file.chmod(stat.S_IRWXU)
