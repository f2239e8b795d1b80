"""A proxy in front of one API server that is slow or throttles: real answers late, or 429 as a server under load says.

It ends TLS with the server's own certificate. A bearer token goes on as it is; who came with a client certificate is
named to the server as its front proxy names users. Watches stream through.
"""

import contextlib
import http.client
import http.server
import json
import random
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from sandbox.api_server import FRONT_PROXY
from sandbox.processes import LOOPBACK

BLOCK = 65536
IN_A_ROW = (
    3  # so often at most is one request refused, as by a queue that is fair to all; client-go comes ten times again
)
HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "proxy-connection"}
BUSY = {
    "kind": "Status",
    "apiVersion": "v1",
    "metadata": {},
    "status": "Failure",
    "message": "Too many requests, please try again later.",
    "reason": "TooManyRequests",
    "details": {"retryAfterSeconds": 1},
    "code": 429,
}


@dataclass(kw_only=True)
class Front:
    """In front of a server that moved to another port; `delay` and `share` may change at any time."""

    folder: Path  # with the server's certificates
    port: int
    behind: int
    delay: float = 0.0  # seconds before each request
    share: float = 0.0  # of the requests that are refused; with 1 all are
    chance: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311  (the same faults each time)
    _server: "_Server | None" = None
    _refused: dict[str, int] = field(default_factory=dict[str, int])  # how often, since it was last let through
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.crt", self.folder / "server.key")
        context.load_verify_locations(self.folder / "ca-client.crt")
        context.verify_mode = ssl.CERT_OPTIONAL
        server = _Server((LOOPBACK, self.port), _Handler, bind_and_activate=False)
        server.front, server.context, server.kept = self, context, set()
        try:
            server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            server.server_bind()
            server.server_activate()
        except OSError:
            server.server_close()
            raise
        threading.Thread(target=server.serve_forever, daemon=True, name=f"front-{self.port}").start()
        self._server = server

    def stop(self) -> None:
        """Also for those who keep a connection, or are about to have one: they are to meet the server itself."""
        self.share = self.delay = 0.0
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            for kept in list(self._server.kept):
                with contextlib.suppress(OSError):  # it is gone already
                    socket.socket.shutdown(kept, socket.SHUT_RDWR)

    def refuses(self, request: str) -> bool:
        """Whether a request is one of those that are refused."""
        with self._lock:
            times = self._refused.pop(request, 0)
            if self.chance.random() >= self.share or (times >= IN_A_ROW and self.share < 1):
                return False
            self._refused[request] = times + 1
            return True

    def connection(self, *, names: bool) -> http.client.HTTPSConnection:
        """With the front proxy's certificate where it names somebody: with it and no name nobody is anonymous."""
        context = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        if names:
            context.load_cert_chain(self.folder / f"{FRONT_PROXY}.crt", self.folder / f"{FRONT_PROXY}.key")
        return http.client.HTTPSConnection(LOOPBACK, self.behind, context=context, timeout=3600)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # five are usual: a client that opens many connections would wait seconds for the sixth
    front: Front
    context: ssl.SSLContext
    kept: set[socket.socket]

    def finish_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  (the base class's types)
        """In the request's own thread, so that nobody's handshake keeps the others waiting."""
        with contextlib.suppress(OSError), self.context.wrap_socket(request, server_side=True) as secured:
            self.kept.add(secured)
            try:
                super().finish_request(cast("socket.socket", secured), client_address)
            finally:
                self.kept.discard(secured)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Clients that go away are no news."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class calls it so)
        """Nothing."""

    def pass_on(self) -> None:
        front = cast("_Server", self.server).front
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        time.sleep(front.delay)
        if front.refuses(f"{self._subject()} {self.command} {self.path}"):
            self._refuse()
            return
        headers = self._headers()
        with contextlib.closing(front.connection(names="X-Remote-User" in headers)) as connection:
            connection.request(self.command, self.path, body or None, headers)
            self._answer(connection.getresponse())

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = pass_on  # noqa: N815

    def _headers(self) -> Mapping[str, str]:
        kept = {key: value for key, value in self.headers.items() if key.lower() not in HOP}
        kept = {key: value for key, value in kept.items() if not key.lower().startswith("x-remote-")}
        if "authorization" not in {key.lower() for key in kept}:
            subject = dict(pair[0] for pair in self._subject() if pair[0][0] == "commonName")
            groups = [pair[0][1] for pair in self._subject() if pair[0][0] == "organizationName"]
            if subject:
                kept |= {"X-Remote-User": subject["commonName"], "X-Remote-Group": ", ".join(groups)}
        return kept

    def _subject(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        certificate = cast("ssl.SSLSocket", self.connection).getpeercert() or {}
        return cast("tuple[tuple[tuple[str, str], ...], ...]", certificate.get("subject", ()))

    def _answer(self, response: http.client.HTTPResponse) -> None:
        self.send_response(response.status)
        for key, value in response.getheaders():
            if key.lower() not in HOP:
                self.send_header(key, value)
        sized = response.getheader("Content-Length") is not None
        if not sized:
            self.send_header("Connection", "close")  # the end of the connection is the end of the answer
            self.close_connection = True
        self.end_headers()
        while block := response.read1(BLOCK):
            self.wfile.write(block)
            self.wfile.flush()

    def _refuse(self) -> None:
        content = json.dumps(BUSY).encode()
        self.send_response(HTTPStatus.TOO_MANY_REQUESTS)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
