"""Real servers for tests: one etcd and one kube-apiserver on the loopback, for as long as a `with` block lasts.

`with api_server() as server` gives a client: server.create(manifest), .get, .replace and .delete find the path of any
kind the server knows, and server.request takes a path. Nothing raises on a refusal; the Answer has status, message and
warnings.
"""

import contextlib
import http.client
import json
import os
import secrets
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from sandbox.processes import LAUNCHER
from tools import cache

Manifest = dict[str, Any]
Collection = tuple[str, bool]  # the plural, and whether it is in namespaces
Found = TypeVar("Found")

LOOPBACK = "127.0.0.1"
START_SECONDS = 60.0  # two are usual; a machine that builds something beside the tests needs more
KIND_SECONDS = 60.0  # how long after its definition a kind may be unknown to discovery


def until(found: Callable[[], Found | None], what: Callable[[], str], seconds: float) -> Found:
    """The first thing found, asked for every tenth of a second; `what` says what was missed when the time is over."""
    end = time.monotonic() + seconds
    while (result := found()) is None:
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds:.0f} s: {what()}")
        time.sleep(0.1)
    return result


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int
    text: str
    warnings: tuple[str, ...] = ()

    @property
    def body(self) -> Manifest:
        return json.loads(self.text)

    @property
    def message(self) -> str:
        """What a Status says; the whole text when the answer is none."""
        with contextlib.suppress(json.JSONDecodeError):
            return str(self.body.get("message", self.text))
        return self.text

    @property
    def fields(self) -> dict[str, list[str]]:
        """What a refusal objects to: its reasons by field."""
        causes: list[dict[str, str]] = self.body.get("details", {}).get("causes", [])
        reasons: dict[str, list[str]] = {}
        for cause in causes:
            reasons.setdefault(cause.get("field", ""), []).append(cause.get("message", ""))
        return reasons


@dataclass(frozen=True, kw_only=True)
class ApiServer:
    """A client with all rights. Unknown fields are refused, not dropped."""

    port: int
    token: str  # of a member of system:masters
    authority: Path  # certificate that signs the server's
    _collections: dict[tuple[str, str], Collection] = field(default_factory=dict[tuple[str, str], Collection])

    @property
    def url(self) -> str:
        return f"https://{LOOPBACK}:{self.port}"

    def request(self, method: str, path: str, body: Manifest | None = None, **query: str) -> Answer:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.authority)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        target = f"{path}?{urlencode(query)}" if query else path
        connection = http.client.HTTPSConnection(LOOPBACK, self.port, context=context, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, target, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            warnings = tuple(response.headers.get_all("Warning", []))
            return Answer(status=response.status, text=response.read().decode(), warnings=warnings)

    def collection(self, manifest: Manifest) -> str:
        """The path of the objects of a manifest's kind and namespace; a kind defined just now is waited for."""
        kind = (manifest["apiVersion"], manifest["kind"])
        if kind not in self._collections:
            what = f"{kind[1]} is not among the kinds of {kind[0]}"
            self._collections[kind] = until(lambda: self._discover(*kind), lambda: what, KIND_SECONDS)
        plural, namespaced = self._collections[kind]
        namespace = f"/namespaces/{manifest['metadata'].get('namespace', 'default')}" if namespaced else ""
        return f"{_version_path(kind[0])}{namespace}/{plural}"

    def get(self, manifest: Manifest) -> Answer:
        return self.request("GET", self._path(manifest))

    def create(self, manifest: Manifest, *, dry_run: bool = False) -> Answer:
        return self.request("POST", self.collection(manifest), manifest, **_checked(dry_run=dry_run))

    def replace(self, manifest: Manifest, *, dry_run: bool = False) -> Answer:
        return self.request("PUT", self._path(manifest), manifest, **_checked(dry_run=dry_run))

    def delete(self, manifest: Manifest) -> Answer:
        return self.request("DELETE", self._path(manifest))

    def namespace(self, name: str) -> None:
        """The namespace exists afterwards."""
        answer = self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        assert answer.status in (http.HTTPStatus.CREATED, http.HTTPStatus.CONFLICT), answer.message

    def _path(self, manifest: Manifest) -> str:
        return f"{self.collection(manifest)}/{manifest['metadata']['name']}"

    def _discover(self, api_version: str, kind: str) -> Collection | None:
        answer = self.request("GET", _version_path(api_version))
        rows: list[dict[str, Any]] = answer.body["resources"] if answer.status == http.HTTPStatus.OK else []
        kinds = [row for row in rows if row["kind"] == kind and "/" not in row["name"]]
        return (kinds[0]["name"], kinds[0]["namespaced"]) if kinds else None


@contextlib.contextmanager
def api_server() -> Generator[ApiServer]:
    """A fresh kube-apiserver that is ready; it and its data are gone when the block ends."""
    with (
        tempfile.TemporaryDirectory(prefix="api-server-") as name,
        _etcd(Path(name)) as (store, key),
        _reserved_port() as port,
    ):
        folder = Path(name)
        token = secrets.token_hex(16)
        (folder / "tokens.csv").write_text(f'{token},tests,tests,"system:masters"\n')
        server = ApiServer(port=port, token=token, authority=folder / "certificates" / "apiserver.crt")
        flags = {
            "secure-port": str(port),
            "permit-port-sharing": "true",
            "bind-address": LOOPBACK,
            "advertise-address": LOOPBACK,
            "cert-dir": "certificates",
            "token-auth-file": "tokens.csv",
            "authorization-mode": "RBAC",
            "service-account-issuer": server.url,
            "service-account-key-file": str(key),
            "service-account-signing-key-file": str(key),
            "service-cluster-ip-range": "10.96.0.0/16",
            "disable-admission-plugins": "ServiceAccount",
            "endpoint-reconciler-type": "none",
            "etcd-servers": store,
            "etcd-prefix": "/registry",
        }
        with _running("kube-apiserver", flags, folder, lambda: _ready(server)):
            yield server


@contextlib.contextmanager
def _etcd(folder: Path) -> Generator[tuple[str, Path]]:
    """A store behind a socket in `folder`, and a private key for the API server's service accounts.

    The key is the one etcd makes for --auto-tls, which a socket does not use: Python itself cannot make any.
    """
    flags = {
        "data-dir": "etcd",
        "listen-client-urls": "unix://client:1",
        "advertise-client-urls": "unix://client:1",
        "listen-peer-urls": "unix://peer:1",
        "auto-tls": "true",
        "unsafe-no-fsync": "true",
    }
    key = folder / "etcd" / "fixtures" / "client" / "key.pem"
    with _running("etcd", flags, folder, lambda: (folder / "client:1").exists() and key.exists()):
        yield "unix://client:1", key


@contextlib.contextmanager
def _running(name: str, flags: dict[str, str], folder: Path, ready: Callable[[], bool]) -> Generator[None]:
    """A server with `folder` as its working directory, once it is ready; killed in the end, as nothing is kept."""
    program = cache.LINKS / "bin" / name
    assert program.exists(), f"{program} is missing: `python3 -m tools setup sandbox` builds it"
    log = folder / f"{name}.log"
    command = [sys.executable, "-c", LAUNCHER, str(os.getpid()), str(program)]
    command += [f"--{flag}={value}" for flag, value in flags.items()]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )

    def started() -> bool | None:
        assert process.poll() is None, f"{name} ended with {process.returncode}; {_tail(log)}"
        return ready() or None

    try:
        until(started, lambda: f"{name} is not ready; {_tail(log)}", START_SECONDS)
        yield
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def _reserved_port() -> Generator[int]:
    """A free port that no other program is given meanwhile; a server that permits sharing can listen on it."""
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((LOOPBACK, 0))
        yield reserved.getsockname()[1]


def _ready(server: ApiServer) -> bool:
    # Without its certificate, a listener or its handlers it is not ready yet.
    with contextlib.suppress(OSError, http.client.HTTPException):
        return server.request("GET", "/readyz").status == http.HTTPStatus.OK
    return False


def _tail(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()[-15:]
    return "its log ends with\n  " + "\n  ".join(line[:300] for line in lines)


def _version_path(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _checked(*, dry_run: bool) -> dict[str, str]:
    return {"fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
