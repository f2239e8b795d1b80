"""Real sandboxes for tests, driven by the command line as a person drives them."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sandbox import admin
from sandbox.client import Client, Manifest, Refused
from sandbox.pids import ps
from sandbox.processes import LOOPBACK
from sandbox.state import Folder, Status, folder
from tools import cache

Found = TypeVar("Found")

SHOOT = "core.gardener.cloud/v1beta1"
NAMESPACE = "garden-c5c3"
LIFE = "life"  # the Shoot that the tests share
SHOOT_SECONDS = 180.0  # four are usual; a machine that builds something at the same time needs more


@dataclass(frozen=True, kw_only=True)
class Running:
    """A sandbox that is up."""

    home: Folder
    _clients: dict[str, Client] = field(default_factory=dict[str, Client])

    @property
    def status(self) -> Status:
        status = self.home.status()
        assert status is not None, f"the sandbox {self.home.name} has no status: it does not run"
        return status

    @property
    def garden(self) -> Client:
        return self.client("garden")

    def client(self, cluster: str) -> Client:
        """All rights on a cluster."""
        if cluster not in self._clients:
            self._clients[cluster] = self._client(cluster)
        return self._clients[cluster]

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    def forget(self, cluster: str) -> None:
        """The cluster's keys are no longer good."""
        self._clients.pop(cluster).close()

    def _client(self, cluster: str) -> Client:
        status = self.status
        there = sorted(status.clusters)
        assert cluster in there, f"the sandbox {self.home.name} has no cluster {cluster}, only {there}"
        return admin.client(self.home, status, cluster)

    def shoot(self, name: str) -> Manifest:
        found = self.garden.get(SHOOT, "Shoot", name, NAMESPACE)
        assert found is not None, f"the garden has no Shoot {name}"
        return found

    def succeeded(self, name: str) -> Manifest:
        """The Shoot, once Gardener's stand-in is done with its present generation."""

        def done() -> Manifest | None:
            shoot = self.shoot(name)
            status = shoot.get("status", {})
            seen = status.get("observedGeneration") == shoot["metadata"]["generation"]
            return shoot if seen and status["lastOperation"]["state"] == "Succeeded" else None

        return until(done, lambda: f"Shoot {name} is not ready: {self.shoot(name).get('status')}", SHOOT_SECONDS)


@contextlib.contextmanager
def running(name: str) -> Generator[Running]:
    """A sandbox that ends with the block, and with the test run however that ends."""
    done = command("up", "--name", name, "--owner", str(os.getpid()))
    assert done.returncode == 0, f"the sandbox did not start: {done.stderr}"
    sandbox = Running(home=folder(name))
    try:
        yield sandbox
    finally:
        sandbox.close()
        command("down", "--name", name)


def command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """`python -m sandbox ARGUMENTS`, to its end."""
    words = [sys.executable, "-m", "sandbox", *arguments]
    return subprocess.run(words, cwd=cache.ROOT, capture_output=True, text=True, timeout=1800, check=False)


def fault(running: Running, *words: str) -> None:
    """It holds, or is taken back, when the command is done."""
    done = command("fault", "--name", running.home.name, *words)
    assert done.returncode == 0, f"fault {' '.join(words)}: {done.stderr}"


@contextlib.contextmanager
def faults(running: Running, *each: Sequence[str]) -> Generator[None]:
    """They hold in the block; one that cannot be brought about is taken back too, as the supervisor goes on trying."""
    try:
        for words in each:
            fault(running, *words)
        yield
    finally:
        fault(running, "end")


def own_name(use: str) -> str:
    """No test run meets another's sandbox."""
    return f"test-{use}-{os.getpid()}"


def until(found: Callable[[], Found | None], what: Callable[[], str], seconds: float = 60.0) -> Found:
    """The first thing found; `what` says what was missed when the time is over."""
    end = time.monotonic() + seconds
    while (result := found()) is None:
        assert time.monotonic() < end, f"after {seconds:.0f} s: {what()}"
        time.sleep(0.1)
    return result


def refusal(call: Callable[[], object]) -> Refused:
    try:
        call()
    except Refused as refused:
        return refused
    raise AssertionError("the server took what it should refuse")


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that run; one that ended and that nobody asked after is a zombie, and does not."""
    states = {pid: ps("-o", "stat=", "-p", str(pid)).strip() for pid in pids}
    return [pid for pid, state in states.items() if state and not state.startswith("Z")]


def listening(ports: Sequence[int]) -> list[int]:
    found: list[int] = []
    for port in ports:
        with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=2):
            found.append(port)
    return found


def reachable(client: Client) -> bool:
    """Also of a server that says for a moment that it is not ready, because etcd is slow."""
    until(lambda: client.healthy() or None, lambda: f"{client.url} is not ready")
    return True


def bare_metal(name: str, *, minimum: int = 1, maximum: int = 5) -> Manifest:
    """A small good Shoot to break one thing in."""
    worker = {
        "name": "storage",
        "minimum": minimum,
        "maximum": maximum,
        "machine": {"type": "baremetal-storage", "image": {"name": "gardenlinux"}},
        "zones": ["eu-de-1a", "eu-de-1b"],
        "labels": {"tier": "standard", "node-role.kubernetes.io/storage": ""},
        "taints": [{"key": "storage", "value": "only", "effect": "NoSchedule"}],
    }
    return {
        "apiVersion": SHOOT,
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"c5c3.io/cluster": f"long-name-of-{name}"}},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "ironcore"},
            "credentialsBindingName": "ironcore-credentials",
            "region": "eu-de-1",
            "purpose": "production",
            "kubernetes": {"version": "1.35.4"},
            "networking": {"type": "calico"},
            "provider": {"type": "ironcore-metal", "workers": [worker]},
        },
    }


def shoot_path(name: str) -> str:
    return f"/apis/{SHOOT}/namespaces/{NAMESPACE}/shoots/{name}"
