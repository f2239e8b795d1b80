"""Faults of whole API servers, which the command line wishes for in a file and the supervisor brings about."""

import json
import signal
import threading
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from sandbox import pki, shoot_cluster, webhooks
from sandbox.api_server import ApiServer
from sandbox.front import Front
from sandbox.garden import await_gardener
from sandbox.processes import Port, Process
from sandbox.sandbox import Sandbox, Stoppable
from tools.problem import Problem

FILE = "server-faults.json"
LOOK_SECONDS = 0.3
How = Literal["pause", "down", "slow", "throttle", "expire"]


@dataclass(frozen=True, kw_only=True)
class ServerFault:
    cluster: str
    how: How
    seconds: float = 0.0  # slow: before each request
    share: float = 0.0  # throttle: of the requests that get 429
    since: float = 0.0  # expire: what was given out before is no longer good, so that each is one of its own

    def __str__(self) -> str:
        measure = {"slow": f" by {self.seconds} s", "throttle": f", {self.share:.0%} of the requests"}
        return f"{self.cluster}: {self.how}{measure.get(self.how, '')}"


@dataclass(frozen=True, kw_only=True)
class Wish:
    """The faults that are to hold, and its number, by which the supervisor says that it has looked at it."""

    number: int = 0
    faults: list[ServerFault] = field(default_factory=list[ServerFault])


def read(folder: Path) -> Wish:
    file = folder / FILE
    if not file.exists():
        return Wish()
    raw = json.loads(file.read_text())
    return Wish(number=raw["number"], faults=[ServerFault(**one) for one in raw["faults"]])


def write(folder: Path, faults: list[ServerFault]) -> Wish:
    wish = Wish(number=read(folder).number + 1, faults=faults)
    scratch = folder / f"{FILE}.new"
    scratch.write_text(json.dumps(asdict(wish), indent=1))
    scratch.replace(folder / FILE)
    return wish


def start(sandbox: Sandbox) -> None:
    """The phase of the start."""
    webhooks.start(sandbox)
    follower = Follower(sandbox=sandbox)
    threading.Thread(target=follower.run, daemon=True, name="server-faults").start()


@dataclass(kw_only=True)
class Follower:
    """What was begun counts as a fault until it is taken back, however far the one or the other came."""

    sandbox: Sandbox
    begun: dict[str, ServerFault] = field(default_factory=dict[str, ServerFault])
    holding: set[str] = field(default_factory=set[str])  # those that are as they were wished for
    # What a cluster is to take from users while it expires: one authority, however often that is tried.
    authorities: dict[str, pki.Authority] = field(default_factory=dict[str, pki.Authority])
    # Each with the port behind it.
    fronts: dict[str, tuple[Front, Port]] = field(default_factory=dict[str, tuple[Front, Port]])

    def run(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            try:
                self.look()
            except Exception:  # noqa: BLE001  (the next look may succeed)
                traceback.print_exc()

    def look(self) -> None:
        """Bring about what is wished for; what fails is said, is no obstacle to the others, and is tried again."""
        wish = read(self.sandbox.folder)
        wanted = {one.cluster: one for one in wish.faults}
        given = {"garden": self.sandbox.garden, "management": self.sandbox.management}
        servers: dict[str, Stoppable] = {**self.sandbox.clusters(), **given, **self.sandbox.stoppable}
        problems = [
            problem
            for name in [*self.begun, *(new for new in wanted if new not in self.begun)]
            if (problem := self._look_at(name, servers.get(name), wanted.get(name)))
        ]
        self.sandbox.status.faults = [str(self.begun[name]) for name in self.begun if name in self.holding]
        self.sandbox.status.fault_problems = problems
        if self.sandbox.status.wish != wish.number:
            self.sandbox.status.wish = wish.number
            self.sandbox.tell()

    def _look_at(self, name: str, server: Stoppable | None, fault: ServerFault | None) -> str | None:
        """What went wrong, in a sentence."""
        try:
            if name in self.begun and (server is None or self.begun[name] != fault):
                half = name not in self.holding
                self.holding.discard(name)
                self._take_back(name, server, self.begun[name], half=half)
                self.authorities.pop(name, None)
                del self.begun[name]
            if fault and server and name not in self.holding:
                self.begun[name] = fault
                self._bring(name, server, fault)
                self.holding.add(name)
        except Exception as error:  # noqa: BLE001  (whatever it is, somebody waits for the answer)
            traceback.print_exc()
            what = (
                f"cannot bring {fault.how} about" if fault and self.begun.get(name) == fault else "does not come back"
            )
            return f"{name} {what}: {error}"
        return None

    def _bring(self, name: str, server: Stoppable, fault: ServerFault) -> None:
        match fault.how:
            case "pause":
                _first(name, server).signal(signal.SIGSTOP)
            case "down":
                for process in server.running:
                    process.wanted = False
                if server.running:
                    server.running[0].kill()
            case "slow" | "throttle" if isinstance(server, ApiServer):
                self._stand_before(server, fault)
            case "expire" if isinstance(server, ApiServer):
                if name not in self.authorities:
                    self.authorities[name] = pki.Authority.new(f"{name}-ca-client")
                expire(self.sandbox, server, self.authorities[name])
            case _:
                raise ValueError(f"{fault}: only an API server can do that")

    def _take_back(self, name: str, server: Stoppable | None, fault: ServerFault, *, half: bool) -> None:
        """Also of a server that is gone meanwhile: then the proxy goes too."""
        match fault.how:
            case "pause" if server:
                _first(name, server).signal(signal.SIGCONT)
            case "down" if server:
                server.stop()
                self._start(server)
            case "slow" | "throttle":
                if server:
                    server.stop()
                self._remove_front(name)
                if isinstance(server, ApiServer):
                    server.extra = {key: value for key, value in server.extra.items() if key != "secure-port"}
                    self._start(server)
            case "expire" if half and isinstance(server, ApiServer):
                expire(self.sandbox, server, server.trust.client)  # else nobody could ask anew
            case _:
                pass  # what is no longer good never is again; who asks anew gets what is

    def _start(self, server: Stoppable) -> None:
        server.start()
        if server is self.sandbox.garden:
            await_gardener(self.sandbox)

    def _stand_before(self, server: ApiServer, fault: ServerFault) -> None:
        """Move the server to another port; whoever knows it meets the proxy at its own."""
        server.stop()
        self._remove_front(server.name)  # of an earlier try
        behind = Port.reserve()
        front = Front(folder=server.folder, port=server.port.number, behind=behind.number)
        self.fronts[server.name] = front, behind
        server.extra = {**server.extra, "secure-port": str(behind.number)}
        front.start()
        self._start(server)
        front.delay, front.share = fault.seconds, fault.share

    def _remove_front(self, name: str) -> None:
        front, behind = self.fronts.pop(name, (None, None))
        if front and behind:
            front.stop()
            behind.release()


def _first(name: str, server: Stoppable) -> Process:
    if not server.running:
        raise Problem(f"{name} does not run.")
    return server.running[0]


def expire(sandbox: Sandbox, server: ApiServer, authority: pki.Authority) -> None:
    """What the cluster gave out is refused, as after Gardener's rotation of credentials; a new request works.

    What an earlier try has done is done, so that one for the authority that the server has ends half an expiry.
    """
    shoots = sandbox.garden.client.list(shoot_cluster.CORE, "Shoot")  # first: a garden that is away changes nothing
    if server.trust.client is not authority:
        server.stop()  # it would look at its file within a minute
        server.trust_clients(authority)
    if not server.running:
        server.start()
    for shoot in shoots:
        if shoot_cluster.cluster_name(shoot) == server.name:
            shoot_cluster.publish(sandbox.garden.client, shoot, server)
