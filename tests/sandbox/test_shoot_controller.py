"""The stand-in for Gardener's controllers by its parts, without a server: who waits for whom, and what is held."""

import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from sandbox import shoot_cluster, shoots
from sandbox.client import Manifest
from sandbox.operators import failures
from sandbox.sandbox import Sandbox
from sandbox.shoots import AT_ONCE, CORE, FINALIZER, Controller
from sandbox.store import Store
from tests.parts import Parts, Quiet, Still
from tests.sandboxes import until

NAMES = [f"pool-{number}" for number in range(2 * AT_ONCE)]


@dataclass(frozen=True, kw_only=True)
class Garden(Quiet):
    """A garden that has whatever Shoot it is asked for, and takes what is said of it."""

    more: Manifest = field(default_factory=dict[str, Any])  # in the metadata of each
    said: list[Manifest] = field(default_factory=list[Manifest])  # one status after the other

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Manifest | None:
        if not self.quiet(api_version) or kind != "Shoot":
            return None
        metadata = {"name": name, "namespace": namespace, "uid": name, "generation": 1, **self.more}
        spec = {"kubernetes": {}, "cloudProfile": {"name": "any"}, "provider": {}}
        return {"apiVersion": CORE, "kind": kind, "metadata": metadata, "spec": spec}

    def patch(self, manifest: Manifest, change: Manifest, *, subresource: str = "") -> Manifest:
        if subresource:
            self.said.append(change["status"])
        else:
            self.more.update(change["metadata"])
        return {**manifest, **change} if subresource else manifest

    def delete(self, manifest: Manifest) -> None:
        assert manifest["metadata"]["name"]

    def apply(self, manifest: Manifest, *, subresource: str = "") -> Manifest:
        assert not subresource
        return manifest


@dataclass(frozen=True, kw_only=True)
class Gated(Quiet):
    """A cluster that says once its gate is open which nodes it has."""

    gate: threading.Event
    asked: threading.Event = field(default_factory=threading.Event)

    def list(self, api_version: str, kind: str, namespace: str | None = None, **query: str) -> "list[Manifest]":
        assert self.quiet(api_version, kind, namespace, query)
        self.asked.set()
        self.gate.wait()
        return []


@pytest.fixture
def gate() -> Generator[threading.Event]:
    """Open at the end, so that no thread stays."""
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.fixture
def controller(parts: Parts, tmp_path: Path, gate: threading.Event) -> Generator[Controller]:
    sandbox = parts.sandbox()
    sandbox.garden.client = Garden(url="", authority=tmp_path)
    controller = Controller(sandbox=sandbox)
    yield controller
    gate.set()
    controller.queue.close()


def cluster(parts: Parts, name: str, gate: threading.Event) -> Still:
    made = parts.server(name)
    made.client = Gated(url="", authority=made.folder, gate=gate)
    return made


def nothing(*_: object) -> int:
    """Of a store that has nothing to forget."""
    return 0


def key(name: str) -> str:
    return f"{shoot_cluster.OUR_NAMESPACE}/{name}"


def test_clusters_that_do_not_answer_keep_no_other_shoot_waiting(
    parts: Parts, controller: Controller, gate: threading.Event
) -> None:
    *silent, other = (cluster(parts, name, gate) for name in NAMES[: AT_ONCE + 1])
    for one in (*silent, other):
        controller.clusters[key(one.name)] = one
        controller.queue.put(key(one.name))
    for one in (*silent, other):
        asked = one.client.asked if isinstance(one.client, Gated) else threading.Event()
        assert asked.wait(10), f"nobody looks at {one.name} while {len(silent)} others do not answer"


def test_few_servers_start_at_a_time(
    parts: Parts, controller: Controller, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each keeps a core busy: all at once would make all of them late."""
    opened, starting = threading.Event(), list[str]()
    opened.set()

    def make(_: Sandbox, shoot: Manifest) -> Still:
        starting.append(shoot["metadata"]["name"])
        gate.wait()
        return ready[shoot["metadata"]["name"]]

    ready = {name: cluster(parts, name, opened) for name in NAMES}
    monkeypatch.setattr(shoots.shoot_cluster, "make", make)
    for name in NAMES:
        controller.queue.put(key(name))
    until(lambda: len(starting) >= AT_ONCE or None, lambda: f"only {starting} start")
    time.sleep(0.2)
    assert len(starting) == AT_ONCE, f"{len(starting)} servers start at a time"
    gate.set()
    until(lambda: len(controller.clusters) == len(NAMES) or None, lambda: f"only {list(controller.clusters)} are made")


@pytest.mark.parametrize("how", ["fail", "hang"])
def test_a_shoot_that_is_to_go_stays_while_somebody_wishes_so(
    parts: Parts, controller: Controller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Literal["fail", "hang"]
) -> None:
    """As one that Gardener cannot delete."""
    monkeypatch.setattr(shoots, "AGAIN_SECONDS", 0.0)
    garden = Garden(url="", authority=tmp_path, more={"deletionTimestamp": "now", "finalizers": [FINALIZER]})
    controller.sandbox.garden.client = garden
    monkeypatch.setattr(Store, "forget", nothing)
    controller.clusters[key("one")] = parts.server("one")
    wishes = controller.sandbox.folder / failures.FILE
    failures.write(wishes, [failures.Failure(cluster="*", kind="Shoot", how=how, message="no power")])
    assert controller.queue.work(key("one")) is not None, "nobody looks again"
    assert list(controller.clusters) == [key("one")], "its cluster is gone"
    assert garden.more["finalizers"] == [FINALIZER]
    assert [one["lastErrors"][0]["description"] for one in garden.said] == (["no power"] if how == "fail" else [])
    failures.write(wishes, [])
    controller.queue.work(key("one"))
    assert (controller.clusters, garden.more["finalizers"]) == ({}, []), "it stays when nobody wishes so any more"
