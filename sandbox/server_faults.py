"""Faults of whole API servers, which the command line wishes for in a file and the supervisor brings about."""

import json
import signal
import threading
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from sandbox import pki, shoot_cluster
from sandbox.api_server import ApiServer
from sandbox.front import Front
from sandbox.garden import await_gardener
from sandbox.processes import Port
from sandbox.sandbox import Sandbox, Stoppable

FILE = "server-faults.json"
LOOK_SECONDS = 0.3
How = Literal["pause", "down", "slow", "throttle", "expire"]


@dataclass(frozen=True, kw_only=True)
class ServerFault:
    cluster: str
    how: How
    seconds: float = 0.0  # slow: before each request
    share: float = 0.0  # throttle: of the requests that get 429

    def __str__(self) -> str:
        measure = {"slow": f" by {self.seconds} s", "throttle": f", {self.share:.0%} of the requests"}
        return f"{self.cluster}: {self.how}{measure.get(self.how, '')}"


def read(folder: Path) -> list[ServerFault]:
    file = folder / FILE
    return [ServerFault(**raw) for raw in json.loads(file.read_text())] if file.exists() else []


def write(folder: Path, faults: list[ServerFault]) -> None:
    scratch = folder / f"{FILE}.new"
    scratch.write_text(json.dumps([asdict(one) for one in faults], indent=1))
    scratch.replace(folder / FILE)


def start(sandbox: Sandbox) -> None:
    """The phase of the start."""
    follower = _Follower(sandbox=sandbox)
    threading.Thread(target=follower.run, daemon=True, name="server-faults").start()


@dataclass(kw_only=True)
class _Follower:
    sandbox: Sandbox
    active: dict[str, ServerFault] = field(default_factory=dict[str, ServerFault])
    fronts: dict[str, Front] = field(default_factory=dict[str, Front])

    def run(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            try:
                self._look()
            except Exception:  # noqa: BLE001  (the next look may succeed)
                traceback.print_exc()

    def _look(self) -> None:
        wanted = {one.cluster: one for one in read(self.sandbox.folder)}
        given = {"garden": self.sandbox.garden, "management": self.sandbox.management}
        servers: dict[str, Stoppable] = {**self.sandbox.clusters(), **given, **self.sandbox.stoppable}
        for name in list(self.active):
            if wanted.get(name) != self.active[name]:
                fault = self.active.pop(name)
                if name in servers:
                    self._take_back(servers[name], fault)
        for name, fault in wanted.items():
            if name in servers and name not in self.active:
                self._bring(servers[name], fault)
                self.active[name] = fault
        self.sandbox.status.faults = [str(one) for one in self.active.values()]

    def _bring(self, server: Stoppable, fault: ServerFault) -> None:
        match fault.how:
            case "pause":
                server.running[0].signal(signal.SIGSTOP)
            case "down":
                for process in server.running:
                    process.wanted = False
                server.running[0].kill()
            case "slow" | "throttle" if isinstance(server, ApiServer):
                self._stand_before(server, fault)
            case "expire" if isinstance(server, ApiServer):
                expire(self.sandbox, server)
            case _:
                raise ValueError(f"{fault}: only an API server can do that")

    def _take_back(self, server: Stoppable, fault: ServerFault) -> None:
        match fault.how:
            case "pause":
                server.running[0].signal(signal.SIGCONT)
            case "down":
                server.stop()
                self._start(server)
            case "slow" | "throttle" if isinstance(server, ApiServer):
                server.stop()
                self.fronts.pop(server.name).stop()
                server.extra = {key: value for key, value in server.extra.items() if key != "secure-port"}
                self._start(server)
            case _:
                pass  # what is no longer good never is again; who asks anew gets what is

    def _start(self, server: Stoppable) -> None:
        server.start()
        if server is self.sandbox.garden:
            await_gardener(self.sandbox)

    def _stand_before(self, server: ApiServer, fault: ServerFault) -> None:
        """Move the server to another port; whoever knows it meets the proxy at its own."""
        behind = Port.reserve()
        front = Front(folder=server.folder, port=server.port.number, behind=behind.number)
        server.stop()
        server.extra = {**server.extra, "secure-port": str(behind.number)}
        front.start()
        self._start(server)
        front.delay, front.share = fault.seconds, fault.share
        self.fronts[server.name] = front


def expire(sandbox: Sandbox, server: ApiServer) -> None:
    """What the cluster gave out is refused, as after Gardener's rotation of credentials; a new request works."""
    server.trust_clients(pki.Authority.new(f"{server.name}-ca-client"))
    server.stop()  # it would look at its file within a minute
    server.start()
    for shoot in sandbox.garden.client.list(shoot_cluster.CORE, "Shoot"):
        if shoot_cluster.cluster_name(shoot) == server.name:
            shoot_cluster.publish(sandbox.garden.client, shoot, server)
