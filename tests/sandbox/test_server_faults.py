"""Faults of servers without any: that they are taken back whole, tried again, and said when they go wrong."""

import base64
import contextlib
import http.client
import socket
import ssl
from collections.abc import Generator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import pytest

from sandbox import pki, server_faults, shoot_cluster
from sandbox.api_server import ApiServer
from sandbox.client import Manifest
from sandbox.front import IN_A_ROW, Front
from sandbox.processes import LOOPBACK, Process, Processes
from sandbox.sandbox import Sandbox
from sandbox.server_faults import Follower, ServerFault
from tests.parts import Parts, Quiet


class Shop:
    """A server that is no API server, and does not come back at once."""

    def __init__(self, folder: Path, refusals: int = 0) -> None:
        self.processes = Processes(folder=folder)
        self.refusals = refusals
        self.running: list[Process] = []
        self.start()

    def start(self) -> None:
        self.running = [self.processes.start("shop", ["/bin/sleep", "600"])]

    def stop(self) -> None:
        for process in self.running:
            process.stop()
            self.processes.forget(process)
        self.running = []
        if self.refusals:
            self.refusals -= 1
            raise OSError("the address is in use")


def test_what_does_not_come_back_is_a_fault_still_is_said_and_is_tried_again(parts: Parts, tmp_path: Path) -> None:
    sandbox = parts.sandbox()
    shop = sandbox.stoppable["shop"] = Shop(tmp_path, refusals=2)
    follower = Follower(sandbox=sandbox)
    server_faults.write(tmp_path, [ServerFault(cluster="shop", how="down")])
    follower.look()
    assert sandbox.status.faults == ["shop: down"]
    wish = server_faults.write(tmp_path, [])
    for _ in range(2):
        follower.look()
        assert sandbox.status.fault_problems == ["shop does not come back: the address is in use"]
        assert sandbox.status.wish == wish.number, "whoever waits is told"
        assert list(follower.begun) == ["shop"], "it is not taken back yet"
    follower.look()
    assert (sandbox.status.fault_problems, sandbox.status.faults, follower.begun) == ([], [], {})
    assert shop.running[0].running
    shop.stop()


def test_one_server_that_stays_away_is_no_obstacle_to_the_others(parts: Parts, tmp_path: Path) -> None:
    first, second = (parts.server(name) for name in ("first", "second"))
    sandbox = parts.sandbox(first, second)
    follower = Follower(sandbox=sandbox)
    server_faults.write(tmp_path, [ServerFault(cluster=one.name, how="down") for one in (first, second)])
    follower.look()
    first.failing = ["no memory is left"]
    server_faults.write(tmp_path, [])
    follower.look()
    assert sandbox.status.fault_problems == ["first does not come back: no memory is left"]
    assert list(follower.begun) == ["first"]
    assert second.told[-1].startswith("start"), f"the second one was told {second.told}"


def test_a_proxy_whose_server_does_not_start_leaves_no_second_one_on_its_port(parts: Parts, tmp_path: Path) -> None:
    cluster = parts.server("one")
    sandbox = parts.sandbox(cluster)
    follower = Follower(sandbox=sandbox)
    cluster.failing = ["no memory is left"]
    server_faults.write(tmp_path, [ServerFault(cluster="one", how="slow", seconds=2)])
    follower.look()
    assert sandbox.status.fault_problems == ["one cannot bring slow about: no memory is left"]
    assert sandbox.status.faults == []
    follower.look()
    assert (sandbox.status.faults, sandbox.status.fault_problems) == (["one: slow by 2 s"], [])
    assert listens(cluster.port.number), "the proxy takes the server's place"
    server_faults.write(tmp_path, [])
    cluster.failing = ["no memory is left"]
    follower.look()
    assert sandbox.status.fault_problems == ["one does not come back: no memory is left"]
    follower.look()
    assert follower.begun == {}
    assert cluster.told[-1] == f"start on {cluster.port.number}", "it is back at its own port"
    assert not listens(cluster.port.number), "a proxy stays on the port"


def test_the_proxy_of_a_cluster_that_goes_goes_with_it(parts: Parts, tmp_path: Path) -> None:
    cluster = parts.server("one")
    sandbox = parts.sandbox(cluster)
    follower = Follower(sandbox=sandbox)
    server_faults.write(tmp_path, [ServerFault(cluster="one", how="throttle", share=0.5)])
    follower.look()
    assert listens(cluster.port.number)
    sandbox.drop_cluster("one")
    follower.look()
    assert not listens(cluster.port.number), "a proxy stays on the port"
    assert sandbox.status.faults == []


def listens(port: int) -> bool:
    try:
        socket.create_connection((LOOPBACK, port), timeout=2).close()
    except OSError:
        return False
    return True


def test_credentials_expire_as_often_as_somebody_wishes(
    parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired: list[tuple[str, pki.Authority]] = []

    def expire(_: Sandbox, server: ApiServer, authority: pki.Authority) -> None:
        expired.append((server.name, authority))

    monkeypatch.setattr(server_faults, "expire", expire)
    follower = Follower(sandbox=parts.sandbox(parts.server("one")))
    for since in (1.0, 2.0):
        server_faults.write(tmp_path, [ServerFault(cluster="one", how="expire", since=since)])
        follower.look()
        follower.look()
    (first, before), (second, after) = expired
    assert (first, second) == ("one", "one")
    assert after is not before, "what was given out before is still good"


@pytest.mark.parametrize("part", ["start", "publish"])
def test_an_expiry_that_stops_half_way_is_taken_back_whole(parts: Parts, tmp_path: Path, part: str) -> None:
    """Else the cluster is locked: what gardener-apiserver goes on giving out is of an authority that nobody takes."""
    cluster = parts.server("one")
    sandbox = parts.sandbox(cluster)
    garden = sandbox.garden.client = Landlord(url="", authority=tmp_path)
    (cluster if part == "start" else garden).failing.extend(["no memory is left"] * 2)
    follower = Follower(sandbox=sandbox)
    server_faults.write(tmp_path, [ServerFault(cluster="one", how="expire", since=1)])
    tried: list[pki.Authority] = []
    for _ in range(2):
        follower.look()
        assert sandbox.status.fault_problems == ["one cannot bring expire about: no memory is left"]
        assert sandbox.status.faults == []
        tried.append(cluster.trust.client)
    assert tried[0] is tried[1], "another try is another authority"
    server_faults.write(tmp_path, [])
    follower.look()
    assert (sandbox.status.fault_problems, follower.begun) == ([], {})
    assert cluster.running, "the server stays away"
    assert cluster.told.count("stop") == 1, f"it is restarted at every try: {cluster.told}"
    signs = base64.b64decode(garden.published["one.ca-client"])
    assert signs == cluster.trust.client.pair.certificate
    assert (cluster.folder / "ca-client.crt").read_bytes().startswith(signs), "the server takes another's certificates"


@dataclass(frozen=True, kw_only=True)
class Landlord(Quiet):
    """A garden with one Shoot, and the certificates that were published of it."""

    failing: list[str] = field(default_factory=list[str])  # one for each time that nothing can be published
    published: dict[str, str] = field(default_factory=dict[str, str])

    def list(self, api_version: str, kind: str, namespace: str | None = None, **query: str) -> "list[Manifest]":
        assert self.quiet(api_version, kind, namespace, query)
        return [{"metadata": {"name": "one", "namespace": shoot_cluster.OUR_NAMESPACE}}]

    def apply(self, manifest: Manifest, *, subresource: str = "") -> Manifest:
        assert not subresource
        if self.failing:
            raise OSError(self.failing.pop(0))
        self.published[manifest["metadata"]["name"]] = manifest["data"]["ca.crt"]
        return manifest


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_no_request_is_refused_again_and_again(share: float) -> None:
    """As with a queue that is fair to all: client-go comes again ten times at most, this project's access seven."""
    front = Front(folder=Path(), port=1, behind=2, share=share)
    refusals = {name: [front.refuses(name) for _ in range(500)] for name in ("GET /a", "GET /b")}
    for name, row in refusals.items():
        assert any(row), "nothing is refused at all"
        longest = max(len(run) for run in "".join("x" if no else " " for no in row).split())
        assert longest <= IN_A_ROW, f"{name} was refused {longest} times in a row"


def test_a_server_may_refuse_everything() -> None:
    front = Front(folder=Path(), port=1, behind=2, share=1)
    assert all(front.refuses("GET /a") for _ in range(50))


def test_who_has_a_connection_to_the_proxy_is_refused_no_more_when_the_fault_ends(parts: Parts, tmp_path: Path) -> None:
    """Gardener's API server and the stand-ins keep theirs: they would be told 429 for ever."""
    cluster = parts.server("one")
    follower = Follower(sandbox=parts.sandbox(cluster))
    server_faults.write(tmp_path, [ServerFault(cluster="one", how="throttle", share=1)])
    follower.look()
    with connection(cluster) as kept, connection(cluster) as early:
        kept.connect()
        assert answered(kept) == HTTPStatus.TOO_MANY_REQUESTS
        raw = socket.create_connection((LOOPBACK, cluster.port.number), timeout=5)
        server_faults.write(tmp_path, [])
        follower.look()
        assert kept.sock.recv(1) == b"", "whoever keeps a connection is not told that its other end is gone"
        with contextlib.suppress(OSError, http.client.HTTPException):
            early.sock = trusting(cluster).wrap_socket(raw, server_hostname=LOOPBACK)
            assert answered(early) != HTTPStatus.TOO_MANY_REQUESTS, "whoever was about to have a connection is refused"


@contextlib.contextmanager
def connection(cluster: ApiServer) -> Generator[http.client.HTTPSConnection]:
    """With a person's patience."""
    made = http.client.HTTPSConnection(LOOPBACK, cluster.port.number, context=trusting(cluster), timeout=5)
    with contextlib.closing(made):
        yield made


def trusting(cluster: ApiServer) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(cluster.folder / "ca.crt"))


def answered(connection: http.client.HTTPSConnection) -> int:
    connection.request("GET", "/readyz")
    with connection.getresponse() as answer:
        assert answer.read()
        return answer.status
