"""A garden behind a proxy, or under another name than its certificate's: reached as the kubeconfig says."""

import base64
import contextlib
import http.server
import select
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import yaml

from access.garden import Garden
from access.problem import Problem, Unreachable
from sandbox.pki import Authority

NAME = "garden.internal"
AUTHORITY = Authority.new("test")


class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b'{"kind": "Here"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object, **__: object) -> None:
        pass


class Proxy(Api):
    """Takes every CONNECT to the API, whatever host it names, and remembers what was asked of it."""

    asked: list[tuple[str, str | None]]
    api: int
    answer = 200

    def do_CONNECT(self) -> None:
        self.asked.append((self.path, self.headers["Proxy-Authorization"]))
        self.send_response(self.answer)
        self.end_headers()
        if self.answer == 200:
            with socket.create_connection(("127.0.0.1", self.api)) as other:
                _pass_on(self.connection, other)


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    while True:
        readable, _, _ = select.select([one, other], [], [], 10)
        for side in readable:
            data = side.recv(65536)
            if not data:
                return
            (other if side is one else one).sendall(data)
        if not readable:
            return


@contextlib.contextmanager
def serving(handler: type[http.server.BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> Generator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture(name="api")
def serving_api(tmp_path: Path) -> Generator[int]:
    """Its certificate has one name, which nobody resolves."""
    files = AUTHORITY.server(NAME, [NAME]).write(tmp_path, "api")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(files.certificate, files.key)
    with serving(Api, tls) as port:
        yield port


@pytest.fixture(name="proxy")
def serving_proxy(api: int) -> Generator[tuple[int, type[Proxy]]]:
    class Own(Proxy):
        asked: list[tuple[str, str | None]] = []  # noqa: RUF012  (one for each test)

    Own.api = api
    with serving(Own) as port:
        yield port, Own


@pytest.fixture(name="garden")
def made_garden(tmp_path: Path) -> Callable[..., Garden]:
    def of(server: str, **cluster: Any) -> Garden:  # noqa: ANN401  (a kubeconfig's)
        authority = base64.b64encode(AUTHORITY.pair.certificate).decode()
        entry = {"server": server, "certificate-authority-data": authority, **cluster}
        file = tmp_path / "garden.yaml"
        config = {
            "current-context": "here",
            "contexts": [{"name": "here", "context": {"cluster": "garden", "user": "me"}}],
            "clusters": [{"name": "garden", "cluster": entry}],
            "users": [{"name": "me", "user": {"token": "none"}}],
        }
        file.write_text(yaml.safe_dump(config))
        return Garden.of(str(file), seconds=5)

    return of


def test_the_certificate_s_name_is_the_one_that_the_kubeconfig_says(api: int, garden: Callable[..., Garden]) -> None:
    server = f"https://127.0.0.1:{api}"
    assert garden(server, **{"tls-server-name": NAME}).get("/a") == {"kind": "Here"}
    for other in ({}, {"tls-server-name": "somebody.else"}):
        with pytest.raises(Problem, match="has a certificate that the kubeconfig does not trust"):
            garden(server, **other).get("/a")


@pytest.mark.parametrize(
    ("login", "header"), [("", None), ("me:a%40b@", f"Basic {base64.b64encode(b'me:a@b').decode()}")]
)
def test_a_proxy_is_asked_for_the_garden_and_sees_nothing_of_it(
    proxy: tuple[int, type[Proxy]], garden: Callable[..., Garden], login: str, header: str | None
) -> None:
    port, asked = proxy[0], proxy[1].asked
    found = garden(f"https://{NAME}:6443", **{"proxy-url": f"http://{login}127.0.0.1:{port}"}).get("/a")
    assert found == {"kind": "Here"}, "its certificate was proved by the garden's name, not the proxy's"
    assert asked == [(f"{NAME}:6443", header)]


def test_a_proxy_that_refuses_is_quoted(proxy: tuple[int, type[Proxy]], garden: Callable[..., Garden]) -> None:
    port, handler = proxy
    handler.answer = 407
    with pytest.raises(Unreachable, match=r"gives no answer: Tunnel connection failed: 407"):
        garden(f"https://{NAME}:6443", **{"proxy-url": f"http://127.0.0.1:{port}"}).get("/a")
