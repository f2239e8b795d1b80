"""A small client for Kubernetes APIs: manifests are plain dicts, and a refusal is an exception."""

import contextlib
import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

Manifest = dict[str, Any]
Collection = tuple[str, bool]  # the plural, and whether it is in namespaces

MANAGER = "sandbox"
TIMEOUT = 60.0
WATCH_SECONDS = 300  # after which the server ends a watch and the client begins another
KIND_SECONDS = 20.0  # how long after its definition a kind may be unknown to discovery
AGAIN_SECONDS = 0.5
BROKEN = (OSError, http.client.HTTPException)
JSON = "application/json"
PARTIAL = f"{JSON};as=PartialObjectMetadata{{}};g=meta.k8s.io;v=v1"  # of objects that are large, as definitions are
BUSY_SECONDS = 0.2
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


class Refused(Exception):  # noqa: N818  (the server's answer)
    """The server said no; `status` is the HTTP status, `message` its own sentence."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.message = _message(text)
        super().__init__(f"{status}: {self.message}")


@dataclass(frozen=True, kw_only=True)
class Event:
    type: str  # ADDED, MODIFIED, DELETED
    object: Manifest


@dataclass(frozen=True, kw_only=True)
class Client:
    """One user of one server, known by a certificate or a token. Safe to use from several threads."""

    url: str
    authority: Path
    certificate: Path | None = None
    key: Path | None = None
    token: str = ""
    tries: int = 1  # of a request that a server refuses because it has too much to do
    heard: list[str] | None = None  # the servers' warnings, where somebody wants them
    closed: threading.Event = field(default_factory=threading.Event)
    _collections: dict[tuple[str, str], Collection] = field(default_factory=dict[tuple[str, str], Collection])
    _local: threading.local = field(default_factory=threading.local)
    _open: "list[http.client.HTTPSConnection]" = field(default_factory=list["http.client.HTTPSConnection"])
    _watching: "list[http.client.HTTPSConnection]" = field(default_factory=list["http.client.HTTPSConnection"])

    def request(
        self,
        method: str,
        path: str,
        body: Manifest | None = None,
        *,
        content: str = JSON,
        accept: str = JSON,
        **query: str,
    ) -> Manifest:
        """Any request; the answer's body. Raises Refused, or OSError and HTTPException when the server is not there."""
        target = f"{path}?{urlencode(query)}" if query else path
        data = None if body is None else json.dumps(body)
        headers = {"Content-Type": content, **self._headers(accept)}
        status, text = self._exchange(method, target, data, headers)
        for _ in range(self.tries - 1):
            if status != HTTPStatus.TOO_MANY_REQUESTS or self.closed.wait(BUSY_SECONDS):
                break
            status, text = self._exchange(method, target, data, headers)
        if status >= HTTPStatus.BAD_REQUEST:
            raise Refused(status, text)
        return json.loads(text) if text.startswith("{") else {"text": text}

    def healthy(self) -> bool:
        with contextlib.suppress(Refused, *BROKEN):
            return self.request("GET", "/readyz")["text"] == "ok"
        return False

    def close(self) -> None:
        """End the watches and every connection."""
        self.closed.set()
        while self._open:
            connection = self._open.pop()
            if connection.sock:  # a thread that reads from it would hold up the closing
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
            if connection not in self._watching:  # a watch reads on to the end, and closes its own
                connection.close()

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Manifest | None:
        try:
            return self.request("GET", f"{self.path(api_version, kind, namespace)}/{name}")
        except Refused as refused:
            if refused.status == HTTPStatus.NOT_FOUND:
                return None
            raise

    def list(self, api_version: str, kind: str, namespace: str | None = None, **query: str) -> list[Manifest]:
        """Everything of a kind, in one namespace or in all."""
        path = self.path(api_version, kind, namespace)
        body = self.request("GET", path, None, content=JSON, **query)
        return [{"apiVersion": api_version, "kind": kind, **item} for item in body["items"]]

    def create(self, manifest: Manifest) -> Manifest:
        return self.request("POST", self._collection(manifest), manifest, fieldValidation="Strict")

    def apply(self, manifest: Manifest, *, subresource: str = "") -> Manifest:
        """Server-side apply, as the owner of what the manifest says."""
        path = f"{self._object(manifest)}/{subresource}" if subresource else self._object(manifest)
        return self.request("PATCH", path, manifest, content=APPLY, fieldManager=MANAGER, force="true")

    def patch(self, manifest: Manifest, change: Manifest, *, subresource: str = "") -> Manifest:
        """Merge a change into the object that the manifest names."""
        path = f"{self._object(manifest)}/{subresource}" if subresource else self._object(manifest)
        return self.request("PATCH", path, change, content=MERGE, fieldManager=MANAGER)

    def patch_status(self, manifest: Manifest, status: Manifest) -> Manifest:
        return self.patch(manifest, {"status": status}, subresource="status")

    def delete(self, manifest: Manifest) -> None:
        """Ask for the deletion; an object that is gone already is no error."""
        try:
            self.request("DELETE", self._object(manifest))
        except Refused as refused:
            if refused.status != HTTPStatus.NOT_FOUND:
                raise

    def watch(
        self, api_version: str, kind: str, namespace: str | None = None, *, partial: bool = False
    ) -> Generator[Event]:
        """All objects that are there, as ADDED, then every change, until `closed` is set; `partial` for metadata alone.

        It survives the server's absence; whoever listens must bear to be told of an object again.
        """
        known: dict[tuple[str, str], Manifest] = {}
        while not self.closed.is_set():
            try:
                path = self.path(api_version, kind, namespace)
                body = self.request("GET", path, accept=PARTIAL.format("List") if partial else JSON)
                items: list[Manifest] = body["items"] or []  # metadata of nothing is null
                now = {_key(item): {"apiVersion": api_version, "kind": kind, **item} for item in items}
                yield from (Event(type="DELETED", object=item) for key, item in known.items() if key not in now)
                yield from (Event(type="ADDED", object=item) for item in now.values())
                known = now
                for event in self._follow(path, body["metadata"]["resourceVersion"], partial=partial):
                    if event.type == "DELETED":
                        known.pop(_key(event.object), None)
                    else:
                        known[_key(event.object)] = event.object
                    yield event
            except (Refused, json.JSONDecodeError, *BROKEN):
                self.closed.wait(AGAIN_SECONDS)

    def path(self, api_version: str, kind: str, namespace: str | None = None) -> str:
        """Where the objects of a kind are; a kind that was defined just now is waited for."""
        plural, namespaced = self._find(api_version, kind)
        middle = f"/namespaces/{namespace}" if namespaced and namespace else ""
        return f"{_version_path(api_version)}{middle}/{plural}"

    def _collection(self, manifest: Manifest) -> str:
        namespace: str = manifest["metadata"].get("namespace", "default")
        return self.path(manifest["apiVersion"], manifest["kind"], namespace)

    def _object(self, manifest: Manifest) -> str:
        return f"{self._collection(manifest)}/{manifest['metadata']['name']}"

    def _find(self, api_version: str, kind: str) -> Collection:
        end = time.monotonic() + KIND_SECONDS
        while (found := self._collections.get((api_version, kind))) is None:
            with contextlib.suppress(Refused):
                for row in self.request("GET", _version_path(api_version))["resources"]:
                    if "/" not in row["name"]:
                        self._collections[api_version, row["kind"]] = (row["name"], row["namespaced"])
            if (api_version, kind) not in self._collections:
                if time.monotonic() > end:
                    raise Refused(HTTPStatus.NOT_FOUND, f"{self.url} serves no {kind} of {api_version}")
                self.closed.wait(AGAIN_SECONDS)
        return found

    def _exchange(self, method: str, target: str, data: str | None, headers: Mapping[str, str]) -> tuple[int, str]:
        """One request on this thread's connection; a kept one that the server closed meanwhile is opened again."""
        kept: http.client.HTTPSConnection | None = getattr(self._local, "connection", None)
        for connection in [kept, self._connect(TIMEOUT)] if kept else [self._connect(TIMEOUT)]:
            try:
                connection.request(method, target, data, dict(headers))
                response = connection.getresponse()
                text = response.read().decode()
            except BROKEN as error:
                self._end(connection)
                self._local.connection = None
                if connection is not kept or isinstance(error, TimeoutError):
                    raise
            else:
                self._local.connection = connection
                if self.heard is not None:
                    self.heard.extend(response.headers.get_all("Warning") or [])
                return response.status, text
        raise http.client.HTTPException("no connection")

    def _follow(self, path: str, version: str, *, partial: bool) -> Generator[Event]:
        query = {"watch": "true", "resourceVersion": version, "timeoutSeconds": str(WATCH_SECONDS)}
        connection = self._connect(WATCH_SECONDS + TIMEOUT)
        self._watching.append(connection)
        try:
            headers = self._headers(PARTIAL.format("") if partial else JSON)
            connection.request("GET", f"{path}?{urlencode(query)}", headers=headers)
            response = connection.getresponse()
            if response.status != HTTPStatus.OK:
                raise Refused(response.status, response.read().decode())
            while line := response.readline():
                if self.closed.is_set():
                    return
                raw = json.loads(line)
                if raw["type"] == "ERROR":
                    return  # the version is too old: begin with a list again
                yield Event(type=raw["type"], object=raw["object"])
        finally:
            self._watching.remove(connection)
            self._end(connection)

    def _headers(self, accept: str) -> dict[str, str]:
        return {"Accept": accept, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}

    def _connect(self, timeout: float) -> http.client.HTTPSConnection:
        host, _, port = urlsplit(self.url).netloc.partition(":")
        connection = http.client.HTTPSConnection(host, int(port), context=self._context(), timeout=timeout)
        self._open.append(connection)
        return connection

    def _end(self, connection: http.client.HTTPSConnection) -> None:
        connection.close()
        with contextlib.suppress(ValueError):
            self._open.remove(connection)

    def _context(self) -> ssl.SSLContext:
        if not hasattr(self._local, "context"):
            context = ssl.create_default_context(cafile=str(self.authority))
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key)
            self._local.context = context
        return self._local.context


def _key(item: Manifest) -> tuple[str, str]:
    return item["metadata"].get("namespace", ""), item["metadata"]["name"]


def _message(text: str) -> str:
    with contextlib.suppress(json.JSONDecodeError, AttributeError):
        return str(json.loads(text).get("message", text))
    return text


def _version_path(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
