"""What the supervisor does with clusters, by its parts and without a server."""

import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, cast

import pytest

from sandbox import supervisor
from sandbox.client import Manifest, Refused
from sandbox.operators import controller as operators
from sandbox.operators.failures import Failures
from sandbox.operators.operator import Place
from sandbox.sandbox import Sandbox
from sandbox.shoots import AGAIN_SECONDS, Controller
from sandbox.state import Cluster, folder
from sandbox.store import Store
from sandbox.supervisor import Supervisor
from sandbox.vault import Vault
from tests.parts import Parts, Quiet, parts_in
from tests.sandboxes import own_name, until
from tools import cache
from tools.problem import Problem


def test_a_cluster_that_could_not_be_removed_is_removed_at_the_next_try(parts: Parts, tmp_path: Path) -> None:
    """Else nobody would know of it any more, and its data would meet the next cluster of its name."""

    class Forgetful(Store):
        tries: ClassVar[list[str]] = []

        def forget(self, prefix: str) -> int:
            self.tries.append(prefix)
            if len(self.tries) == 1:
                raise Problem("etcd has no leader")
            return 0

    cluster = parts.server("one")
    sandbox = parts.sandbox(cluster)
    sandbox.store = Forgetful(process=sandbox.store.process)
    sandbox.garden.client = Quiet(url="", authority=tmp_path)
    shoots = Controller(sandbox=sandbox, clusters={"garden-c5c3/one": cluster})
    assert shoots.queue.work("garden-c5c3/one") is not None, "it wants another look"
    assert cluster.folder.exists()
    assert shoots.queue.work("garden-c5c3/one") is None
    assert not cluster.folder.exists(), "files are left"
    assert shoots.clusters == {}
    assert Forgetful.tries == ["/clusters/one/"] * 2


def test_a_shoot_that_failed_just_now_is_looked_at_again_whatever_happens_meanwhile(
    parts: Parts, tmp_path: Path
) -> None:
    """News of it, such as its own status, are no reason to forget that it is to be tried again."""

    class Failing(Quiet):
        def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Manifest:
            assert self.quiet(api_version, kind)
            return {"metadata": {"name": name, "namespace": namespace, "generation": 1}, "spec": {}}

        def patch(self, manifest: Manifest, change: Manifest, *, subresource: str = "") -> Manifest:
            if not subresource:
                raise Refused(500, "the garden has trouble")
            return {**manifest, **change}

    sandbox = parts.sandbox()
    sandbox.garden.client = Failing(url="", authority=tmp_path)
    shoots = Controller(sandbox=sandbox)
    first, second = shoots.queue.work("garden-c5c3/one"), shoots.queue.work("garden-c5c3/one")
    assert first == AGAIN_SECONDS
    assert second is not None, "the second look is the last"
    assert 0 < second <= AGAIN_SECONDS


def test_what_is_told_of_clusters_is_replaced_and_never_changed(parts: Parts) -> None:
    """Another thread may be at writing it down."""
    cluster = parts.server("one")
    sandbox = parts.sandbox()
    clusters, endpoints = sandbox.status.clusters, sandbox.status.endpoints
    sandbox.add_cluster(cluster, ["alias"])
    sandbox.reach("vault", "http://127.0.0.1:1")
    assert (clusters, endpoints) == ({}, {})
    there = sandbox.status.clusters
    assert there == {"one": Cluster(url=cluster.url, aliases=["alias"])}
    sandbox.drop_cluster("one")
    assert list(there) == ["one"]
    assert sandbox.status.clusters == {}


def test_a_look_that_goes_wrong_does_not_end_the_sandbox() -> None:
    home = folder(own_name("look"))
    text = (
        "import os, signal, threading\n"
        "from sandbox import supervisor\n"
        "looks = []\n"
        "class Odd(supervisor.Supervisor):\n"
        "    def _start(self): self.status.state = 'ready'\n"
        "    def _look(self):\n"
        "        looks.append(1)\n"
        "        if len(looks) == 1: raise RuntimeError('dictionary changed size during iteration')\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "supervisor.LOOK_SECONDS = 0.01\n"
        "supervisor.Supervisor = Odd\n"
        f"code = supervisor.main({home.name!r})\n"
        "print(code, len(looks))\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", text], cwd=cache.ROOT, capture_output=True, text=True, check=False)
    finally:
        home.clear()
    assert done.stdout.split() == ["0", "2"], f"it says {done.stdout}{done.stderr}"
    assert "dictionary changed size" in done.stderr, "what went wrong stands in the log"


class Bare(Supervisor):
    """Without a store and servers: the phases of the start are all it has."""

    def begin(self) -> None:
        self._start()

    def _sandbox(self) -> Sandbox:
        with parts_in(self.home.path) as parts:
            return parts.sandbox()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Generator[Bare]:
    """One of whose programs ends at once with 3, which no phase waits for."""

    def start(_: Sandbox) -> None:
        told = ["/bin/sh", "-c", "echo unknown flag: --nonsense; exit 3"]
        one.processes.start("helm-controller", told).popen.wait()

    monkeypatch.setattr(supervisor, "PHASES", [("Flux", start)])
    home = folder(own_name("bare"))
    try:
        with home.held():
            one = Bare(home)
            yield one
    finally:
        home.clear()


def test_a_program_that_ends_by_itself_is_told_with_its_last_words(bare: Bare) -> None:
    """As soon as the sandbox is ready: who waits for that looks at nothing later."""
    bare.begin()
    told = bare.home.status()
    assert told is not None, "it tells nothing"
    assert told.state == "ready", f"the start goes wrong: {told.problem}"
    assert list(told.ended) == ["helm-controller"], f"these ended: {told.ended}"
    assert told.ended["helm-controller"].startswith("ended with 3. "), "how it ended"
    assert "unknown flag: --nonsense" in told.ended["helm-controller"], "why it ended"


def test_a_program_that_was_ended_is_no_news(bare: Bare) -> None:
    bare.processes.start("sleeper", ["/bin/sleep", "600"]).stop()
    bare.begin()
    assert "sleeper" not in bare.status.ended


def test_a_cluster_that_does_not_answer_keeps_no_other_cluster_s_operators_waiting(tmp_path: Path) -> None:
    def place(name: str, gate: threading.Event) -> Place:
        return Place(cluster=name, client=Gated(url="", authority=tmp_path, gate=gate), vault=vault)

    vault, closed, opened = Vault(), threading.Event(), threading.Event()
    opened.set()
    controller = operators.Controller(vault=vault, failures=Failures(file=tmp_path / "none"))
    paused, other = controller.begin(place("paused", closed)), controller.begin(place("other", opened))
    for number in range(20):
        put(paused, f"one-{number}")
    stuck = cast("Gated", paused.place.client)
    until(lambda: stuck.asked or None, lambda: "nobody asks the paused cluster")
    put(other, "two")
    answering = cast("Gated", other.place.client)
    until(lambda: "two" in answering.written or None, lambda: "the other cluster's object waits")
    assert not stuck.written
    closed.set()
    until(lambda: len(stuck.written) >= 20 or None, lambda: f"only {stuck.written} when it answers again")
    for one in (paused, other):
        one.place.client.closed.set()
    until(lambda: not threads_of("operators-") or None, lambda: f"these stay: {threads_of('operators-')}")


@dataclass(frozen=True, kw_only=True)
class Gated(Quiet):
    """A cluster that answers once its gate is open."""

    gate: threading.Event
    asked: list[str] = field(default_factory=list[str])
    written: list[str] = field(default_factory=list[str])

    def patch(self, manifest: Manifest, change: Manifest, *, subresource: str = "") -> Manifest:
        assert change or subresource
        self.asked.append(manifest["metadata"]["name"])
        self.gate.wait()
        self.written.append(manifest["metadata"]["name"])
        return manifest


def put(cluster: operators.Cluster, name: str) -> None:
    metadata = {"name": name, "namespace": "rook-ceph", "generation": 1, "uid": name}
    made = {"apiVersion": "ceph.rook.io/v1", "kind": "CephBlockPool", "metadata": metadata, "spec": {}}
    cluster.objects[f"CephBlockPool/{name}"] = made
    cluster.queue.put(f"CephBlockPool/{name}")


def threads_of(prefix: str) -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith(prefix)]
