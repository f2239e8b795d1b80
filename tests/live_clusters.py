"""A region of clusters alone in a sandbox of its own, and what people see who run pulumi there. It is us-east-1."""

import contextlib
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sandbox.client import Manifest
from sandbox.pulumi import stack_file
from tests.sandboxes import Running, command
from tools import cache

STACK = "us-east-1"
POOLS = ("hv-pool-us", "st-pool-us")
FEW, MORE = 3, 4  # workers of a pool
LONG = 10  # minutes, however busy the machine is


@dataclass(frozen=True, kw_only=True)
class Region:
    """A small region in a sandbox of its own."""

    sandbox: Running
    folder: Path
    protected: bool = True

    def write(self, workers: int, minutes: int) -> Path:
        """Its stack file, with as many workers in each pool, and so many minutes for a cluster to become ready."""
        text: dict[str, Any] = yaml.safe_load(stack_file(self.sandbox.home, STACK).read_text())
        config = text["config"]
        for key in ("openStackClusters", "management", "chartMirror"):  # clusters alone: what runs in them takes long
            config.pop(f"cobaltcore:{key}", None)
        config["cobaltcore:garden"]["readyWithin"] = minutes
        pools = [config[f"cobaltcore:{kind}"][0] for kind in ("hypervisorPools", "storagePools")]
        for claim in pools:
            claim |= {"workers": workers, "maxWorkers": 9}
        for claim in [config["cobaltcore:controlPlane"], *pools]:
            claim["deletionProtection"] = self.protected
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
