"""What the parts of a sandbox share: its folder, its processes, its clusters."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from sandbox.api_server import ApiServer
from sandbox.processes import Port, Process, Processes, Ready, flags, program as path_of
from sandbox.state import Cluster, Status
from sandbox.store import Store

OnCluster = Callable[[ApiServer], None]


class Stoppable(Protocol):
    """A server that can end and come back, to the same address."""

    running: list[Process]

    def start(self) -> None: ...

    def stop(self) -> None: ...


@dataclass(kw_only=True)
class Sandbox:
    """Handed to every phase of the start (sandbox/phases.py)."""

    name: str
    folder: Path  # also the working directory of the supervisor and of all programs
    processes: Processes
    store: Store
    garden: ApiServer
    management: ApiServer
    status: Status
    tell: Callable[[], None]  # writes the status for those who look
    stoppable: dict[str, Stoppable] = field(default_factory=dict[str, Stoppable])  # servers that are no API server
    _clusters: dict[str, ApiServer] = field(default_factory=dict[str, ApiServer])
    _on_cluster: list[OnCluster] = field(default_factory=list[OnCluster])
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def start(
        self,
        name: str,
        program: str,
        arguments: Mapping[str, str],
        *,
        env: Mapping[str, str] | None = None,
        ready: Ready | None = None,
    ) -> Process:
        """Start a program of tools/programs.toml with --NAME=VALUE arguments; it ends with the sandbox."""
        return self.processes.start(name, [path_of(program), *flags(arguments)], env=env, ready=ready)

    def port(self) -> Port:
        """A free port; release() it just before a program that cannot share ports listens on it."""
        return Port.reserve()

    def clusters(self) -> dict[str, ApiServer]:
        """The clusters of the Shoots whose server is ready, by the Shoot's name."""
        with self._lock:
            return dict(self._clusters)

    def on_cluster(self, call: OnCluster) -> None:
        """Have every Shoot's cluster prepared by `call`: those there are, and later ones once their server is ready.

        The Shoot is not Succeeded before the call returns. `cluster.client.closed` is set when the cluster goes.
        """
        with self._lock:
            self._on_cluster.append(call)
            there = list(self._clusters.values())
        for cluster in there:
            call(cluster)

    def add_cluster(self, cluster: ApiServer, aliases: list[str]) -> None:
        """Have it prepared by all, those who join meanwhile included; only then it is one of the clusters."""
        done = 0
        while True:
            with self._lock:
                calls = self._on_cluster[done:]
                if not calls:
                    self._clusters[cluster.name] = cluster
                    told = Cluster(url=cluster.url, aliases=aliases)
                    self.status.clusters = {**self.status.clusters, cluster.name: told}
                    self.tell()
                    return
            for call in calls:
                call(cluster)
            done += len(calls)

    def drop_cluster(self, name: str) -> None:
        with self._lock:
            self._clusters.pop(name, None)
            self.status.clusters = {key: one for key, one in self.status.clusters.items() if key != name}
        self.tell()

    def reach(self, name: str, url: str) -> None:
        """Say where something is reached that is no cluster."""
        with self._lock:
            self.status.endpoints = {**self.status.endpoints, name: url}

    def detail(self, text: str) -> None:
        """What the running phase shows beside its time."""
        for phase in self.status.phases:
            if phase.state == "running":
                phase.detail = text
