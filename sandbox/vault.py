"""A stand-in for OpenBao: key-value engine, version 2, in memory, under OpenBao's paths on the loopback.

    GET, POST, PUT, DELETE  /v1/MOUNT/data/PATH        a secret; POST writes {"data": {...}}
    LIST, DELETE            /v1/MOUNT/metadata/PATH    the names below a path; a secret with all its versions
    POST                    /v1/auth/MOUNT/login       {"role": ..., "jwt": ...}, as the kubernetes method takes it
    GET                     /v1/sys/health

There are no policies: whoever has a token may do everything. A login is good when the token's issuer is a cluster of
the sandbox, which says so itself (TokenReview).
"""

import http.server
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from sandbox.operators.stages import now
from sandbox.processes import LOOPBACK

Value = dict[str, Any]
Login = Callable[[str], bool]  # whether a cluster of the sandbox issued this token
Answer = tuple[HTTPStatus, Value]


@dataclass(kw_only=True)
class Vault:
    """Its contents; every method may be called from any thread."""

    root: str = field(default_factory=lambda: secrets.token_hex(16))
    _versions: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])  # by mount/path
    _listeners: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    _tokens: set[str] = field(default_factory=set[str])
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def read(self, mount: str, path: str) -> Value | None:
        with self._lock:
            versions = self._versions.get(f"{mount}/{path}")
            return dict(versions[-1]) if versions else None

    def write(self, mount: str, path: str, data: Mapping[str, Any]) -> int:
        """The number of the new version; the same contents again make none."""
        with self._lock:
            versions = self._versions.setdefault(f"{mount}/{path}", [])
            if versions and versions[-1] == data:
                return len(versions)
            versions.append(dict(data))
        self._tell()
        return len(versions)

    def delete(self, mount: str, path: str) -> None:
        with self._lock:
            gone = self._versions.pop(f"{mount}/{path}", None)
        if gone:
            self._tell()

    def version(self, mount: str, path: str) -> int:
        with self._lock:
            return len(self._versions.get(f"{mount}/{path}", []))

    def names(self, mount: str, path: str) -> list[str]:
        """What is below a path, as OpenBao lists it: folders end with a slash."""
        prefix = f"{mount}/{path}".rstrip("/") + "/"
        with self._lock:
            below = [key.removeprefix(prefix) for key in self._versions if key.startswith(prefix)]
        return sorted({f"{one.split('/')[0]}/" if "/" in one else one for one in below})

    def on_change(self, call: Callable[[], None]) -> None:
        self._listeners.append(call)

    def issue(self) -> str:
        token = f"s.{secrets.token_hex(12)}"
        with self._lock:
            self._tokens.add(token)
        return token

    def knows(self, token: str) -> bool:
        return token == self.root or token in self._tokens

    def _tell(self) -> None:
        for call in self._listeners:
            call()


def serve(vault: Vault, login: Login) -> str:
    """Its address; the server ends with the process."""
    server = _Server((LOOPBACK, 0), _Handler)
    server.vault, server.login = vault, login
    threading.Thread(target=server.serve_forever, daemon=True, name="vault").start()
    return f"http://{LOOPBACK}:{server.server_address[1]}"


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    vault: Vault
    login: Login


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def vault(self) -> Vault:
        return cast("_Server", self.server).vault

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class calls it so)
        """Nothing: a line for every request would be all that the supervisor's log holds."""

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        try:
            body: Value = json.loads(self.rfile.read(length) or b"{}")
            status, value = self._answer(self.path.split("?")[0].strip("/").split("/"), body)
        except (ValueError, KeyError) as error:
            status, value = HTTPStatus.BAD_REQUEST, _errors(f"the request cannot be read: {error}")
        content = json.dumps(value).encode() if value else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_LIST = answer  # noqa: N815  (the base class calls them so)

    def _answer(self, parts: list[str], body: Value) -> Answer:
        match parts:
            case ["v1", "sys", "health" | "seal-status"]:
                return HTTPStatus.OK, {"initialized": True, "sealed": False, "standby": False, "version": "sandbox"}
            case ["v1", "auth", *_, "login"]:
                return self._login(body)
            case ["v1", *_] if not self.vault.knows(self.headers.get("X-Vault-Token", "")):
                return HTTPStatus.FORBIDDEN, _errors("permission denied")
            case ["v1", mount, "data", *path] if path:
                return self._data(mount, "/".join(path), body)
            case ["v1", mount, "metadata", *path]:
                return self._metadata(mount, "/".join(path))
            case _:
                return HTTPStatus.NOT_FOUND, _errors("no handler for route: the stand-in has kv-v2 and kubernetes")

    def _login(self, body: Value) -> Answer:
        if not cast("_Server", self.server).login(body["jwt"]):
            return HTTPStatus.FORBIDDEN, _errors("permission denied")
        token = self.vault.issue()
        return HTTPStatus.OK, {"auth": {"client_token": token, "policies": ["default"], "lease_duration": 3600}}

    def _data(self, mount: str, path: str, body: Value) -> Answer:
        if self.command in ("POST", "PUT"):
            return HTTPStatus.OK, {"data": _metadata(self.vault.write(mount, path, body["data"]))}
        if self.command == "DELETE":
            self.vault.delete(mount, path)
            return HTTPStatus.NO_CONTENT, {}
        data = self.vault.read(mount, path)
        if data is None:
            return HTTPStatus.NOT_FOUND, _errors()
        return HTTPStatus.OK, {"data": {"data": data, "metadata": _metadata(self.vault.version(mount, path))}}

    def _metadata(self, mount: str, path: str) -> Answer:
        if self.command == "DELETE":
            self.vault.delete(mount, path)
            return HTTPStatus.NO_CONTENT, {}
        if self.command == "LIST" or "list=true" in self.path:
            names = self.vault.names(mount, path)
            return (HTTPStatus.OK, {"data": {"keys": names}}) if names else (HTTPStatus.NOT_FOUND, _errors())
        version = self.vault.version(mount, path)
        return (HTTPStatus.OK, {"data": {"current_version": version}}) if version else (HTTPStatus.NOT_FOUND, _errors())


def _metadata(version: int) -> Value:
    return {"version": version, "created_time": now(), "deletion_time": "", "destroyed": False}


def _errors(*sentences: str) -> Value:
    return {"errors": list(sentences)}
