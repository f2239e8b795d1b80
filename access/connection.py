"""A connection to the API of a garden or a cluster, as its kubeconfig says: by which name, through which proxy."""

import base64
import contextlib
import http.client
import os
import ssl
import tempfile
from collections.abc import Generator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from access.login import Login

HTTP, HTTPS = 80, 443


class Connection(http.client.HTTPSConnection):
    """Python's own takes the server's name from its address, and knows a proxy only if it is told of it."""

    def __init__(self, login: Login, seconds: float) -> None:
        where, proxy = urlsplit(login.server), urlsplit(login.proxy or "")
        host, port = where.hostname or "", where.port or HTTPS
        self.trust, self.name = context(login), login.server_name or host
        if login.proxy:
            super().__init__(proxy.hostname or "", proxy.port or HTTP, timeout=seconds, context=self.trust)
            self.set_tunnel(host, port, _authorization(proxy.username, proxy.password))
        else:
            super().__init__(host, port, timeout=seconds, context=self.trust)

    def connect(self) -> None:
        http.client.HTTPConnection.connect(self)  # to the proxy, and by CONNECT through it
        self.sock = self.trust.wrap_socket(self.sock, server_hostname=self.name)


def _authorization(user: str | None, password: str | None) -> dict[str, str]:
    if user is None:
        return {}
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def context(login: Login) -> ssl.SSLContext:
    made = ssl.create_default_context(cadata=login.authority)
    if not login.verify:
        made.check_hostname = False
        made.verify_mode = ssl.CERT_NONE
    if login.certificate:
        with _file(login.certificate + b"\n" + (login.key or b"")) as pair:
            made.load_cert_chain(pair)
    return made


@contextlib.contextmanager
def _file(content: bytes) -> Generator[Path]:
    """A file for OpenSSL, which reads keys from nothing else: in memory where the system can, gone afterwards."""
    if hasattr(os, "memfd_create"):
        number = os.memfd_create("pair")
        try:
            os.write(number, content)
            yield Path(f"/proc/self/fd/{number}")
        finally:
            os.close(number)
    else:  # macOS; mkstemp makes it readable by its owner alone
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            yield Path(file.name)
