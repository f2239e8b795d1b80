"""The one etcd of a sandbox: every server keeps its data in it, under a prefix of its own."""

import base64
import contextlib
import http.client
import json
import socket
from dataclasses import dataclass
from http import HTTPStatus

from sandbox.processes import Process, Processes, flags, program
from tools.problem import Problem

SOCKET = "client:1"  # a socket, not a port: its path is relative, since the system limits its length
URL = f"unix://{SOCKET}"
FLAGS = {
    "data-dir": "etcd",
    "listen-client-urls": URL,
    "advertise-client-urls": URL,
    "listen-peer-urls": "unix://peer:1",
    "unsafe-no-fsync": "true",  # what a crash would lose is not wanted afterwards
    "auto-compaction-mode": "revision",
    "auto-compaction-retention": "10000",
    "snapshot-count": "5000",
    "log-level": "warn",
}


class _SocketConnection(http.client.HTTPConnection):
    """The store speaks HTTP on its socket, beside gRPC. The supervisor works in the sandbox's folder, as etcd does."""

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


@dataclass(frozen=True, kw_only=True)
class Store:
    process: Process

    @classmethod
    def start(cls, processes: Processes) -> "Store":
        def ready() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException, json.JSONDecodeError):
                status, body = _exchange("GET", "/health")
                return status == HTTPStatus.OK and json.loads(body)["health"] == "true"
            return False

        env = {"GOGC": "50", "ETCD_ENABLE_PPROF": "false"}
        process = processes.start("etcd", [program("etcd"), *flags(FLAGS)], env=env, ready=ready)
        return cls(process=process)

    def forget(self, prefix: str) -> int:
        """Remove everything under a prefix; how many keys there were."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        query = {"key": _encoded(prefix), "range_end": _encoded(end)}
        status, body = _exchange("POST", "/v3/kv/deleterange", json.dumps(query))
        if status != HTTPStatus.OK:
            raise Problem(f"etcd did not remove {prefix}: {body}")
        return int(json.loads(body).get("deleted", 0))


def _exchange(method: str, path: str, body: str | None = None) -> tuple[int, str]:
    with contextlib.closing(_SocketConnection("localhost", timeout=30)) as connection:
        connection.request(method, path, body)
        response = connection.getresponse()
        return response.status, response.read().decode()


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
