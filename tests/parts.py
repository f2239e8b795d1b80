"""A sandbox for tests of its parts: everything is in its place, and no server runs."""

import argparse
import contextlib
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from sandbox import fault_parser
from sandbox.api_server import ApiServer
from sandbox.client import Client, Event, Manifest
from sandbox.processes import Processes
from sandbox.sandbox import Sandbox
from sandbox.state import Cluster, Folder, Status, folder
from sandbox.store import Store
from tests.sandboxes import own_name

NOBODY = "https://127.0.0.1:1"


@dataclass(kw_only=True)
class Still(ApiServer):
    """An API server whose program only sleeps; what it was told to do, and what goes wrong when it starts."""

    told: list[str] = field(default_factory=list[str])
    failing: list[str] = field(default_factory=list[str])  # one for each start that fails

    def start(self, *, controllers: bool = True) -> None:
        self.told.append(
            f"start on {self.extra.get('secure-port', self.port.number)}{'' if controllers else ', alone'}"
        )
        if self.failing:
            raise OSError(self.failing.pop(0))
        self.running = [self.processes.start(self.name, ["/bin/sleep", "600"])]

    def stop(self) -> None:
        self.told.append("stop")
        super().stop()


@dataclass(kw_only=True)
class Parts:
    """The parts of one sandbox in a folder."""

    processes: Processes
    made: list[Still] = field(default_factory=list[Still])

    def server(self, name: str) -> Still:
        (self.processes.folder / "kubeconfigs").mkdir(exist_ok=True)
        self.made.append(Still.new(name, self.processes))
        return self.made[-1]

    def sandbox(self, *clusters: Still) -> Sandbox:
        garden, management = (self.server(name) for name in ("garden", "management"))
        sandbox = Sandbox(
            name="still",
            folder=self.processes.folder,
            processes=self.processes,
            store=Store(process=self.processes.start("etcd", ["/bin/sleep", "600"])),
            garden=garden,
            management=management,
            status=Status(name="still", pid=0, began=""),
            tell=lambda: None,
        )
        for cluster in clusters:
            sandbox.add_cluster(cluster, [])
        return sandbox


@contextlib.contextmanager
def parts_in(folder: Path) -> Generator[Parts]:
    """Nothing of them is left open afterwards."""
    parts = Parts(processes=Processes(folder=folder))
    try:
        yield parts
    finally:
        parts.processes.stop_all()
        for server in parts.made:
            server.port.release()


def status(**more: object) -> Status:
    """Of a sandbox that is ready; it has looked at every wish that a test can have."""
    clusters = {name: Cluster(url=NOBODY) for name in ("garden", "management", "hv-pool-a", "st-pool-a")}
    made = Status(name="told", pid=0, began="", state="ready", clusters=clusters, wish=99)
    made.endpoints = {"chartMirror": "oci://127.0.0.1:1", "webhook": NOBODY}
    for key, value in more.items():
        setattr(made, key, value)
    return made


def nothing(*_: object) -> None:
    """Instead of what needs a server."""


def chosen(*words: str) -> argparse.Namespace:
    """What the command line makes of `fault` and these words."""
    parser = argparse.ArgumentParser()
    fault_parser.parser(parser.add_subparsers().add_parser, "told")
    return parser.parse_args(["fault", *words])


@contextlib.contextmanager
def told(status: Status) -> Generator[Folder]:
    """A sandbox of which there is no more than what its supervisor tells."""
    home = folder(own_name(status.name))
    try:
        with home.held():
            home.write(status)
            yield home
    finally:
        home.clear()


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What happens in a cluster that serves just ConfigMaps."""

    applied: list[Manifest] = field(default_factory=list[Manifest])


@dataclass(frozen=True, kw_only=True)
class Quiet(Client):
    """A cluster in which nothing is and nothing happens, but for what a test says of it."""

    def watch(
        self, api_version: str, kind: str, namespace: str | None = None, *, partial: bool = False
    ) -> Generator[Event]:
        assert self.quiet(api_version, kind, namespace, partial)
        self.closed.wait()
        yield from ()

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Manifest | None:
        return None if self.quiet(api_version, kind, name, namespace) else {}

    def quiet(self, *_: object) -> bool:
        return True
