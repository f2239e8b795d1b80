"""Webhooks that refuse, or that nobody reaches: one is in the supervisor, and any cluster may be told to ask it."""

import base64
import http.server
import json
import re
import ssl
import threading
from http import HTTPStatus
from pathlib import Path

from sandbox import pki
from sandbox.client import Client, Manifest
from sandbox.processes import LOOPBACK
from sandbox.sandbox import Sandbox

ENDPOINT = "webhook"  # also its folder
ADMISSION, KIND = "admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"
MARK = "sandbox.c5c3.io/fault"
NOWHERE = "https://127.0.0.1:1/refuse"
WORDS = "a fault of the sandbox"


def start(sandbox: Sandbox) -> None:
    """Part of a phase of the start: a webhook that refuses whatever it is asked for."""
    folder = sandbox.folder / ENDPOINT
    authority = pki.Authority.new("webhook-ca")
    authority.pair.write(folder, "ca")
    authority.server("webhook", ["localhost", LOOPBACK]).write(folder, "server")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    server = http.server.ThreadingHTTPServer((LOOPBACK, 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True, name="webhook").start()
    sandbox.reach(ENDPOINT, f"https://{LOOPBACK}:{server.server_port}/refuse")


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class calls it so)
        """Nothing."""

    def do_POST(self) -> None:
        review: Manifest = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = {"code": HTTPStatus.FORBIDDEN, "message": WORDS}
        answer = {"uid": review["request"]["uid"], "allowed": False, "status": status}
        kind = {"apiVersion": review["apiVersion"], "kind": review["kind"]}
        content = json.dumps({**kind, "response": answer}).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def manifest(resource: str, url: str, authority: Path | None) -> Manifest:
    """What writes to a resource is asked for at an address; without an authority it is one that nobody reaches."""
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE", "UPDATE"], "resources": [resource]}
    trust = {"caBundle": base64.b64encode(authority.read_bytes()).decode()} if authority else {}
    hook = {
        "name": "refuses.sandbox.c5c3.io",
        "clientConfig": {"url": url, **trust},
        "rules": [rule],
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 10,
    }
    metadata = {"name": f"sandbox-{re.sub('[^a-z0-9]+', '-', resource.lower())}", "labels": {MARK: "webhook"}}
    return {"apiVersion": ADMISSION, "kind": KIND, "metadata": metadata, "webhooks": [hook]}


def remove(client: Client) -> None:
    """All of a cluster that were wished for."""
    for one in client.list(ADMISSION, KIND, labelSelector=MARK):
        client.delete(one)
