"""The sandbox's OCI registry: the one of crane, in memory, on the loopback."""

import contextlib
import functools
import hashlib
import http.client
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from model.catalog import load_catalog
from model.mirror import Mirror
from sandbox import wares
from sandbox.charts import Artifact, Chart, pack, pack_manifests
from sandbox.processes import LOOPBACK, Port, Process, Processes, program
from sandbox.sandbox import Sandbox
from sandbox.wares import Ware
from tools.problem import Problem

NAME = "registry"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
TIMEOUT = 20.0


@dataclass(kw_only=True)
class Registry:
    """It forgets what it holds when it stops."""

    processes: Processes
    port: Port = field(default_factory=Port.reserve)
    running: list[Process] = field(default_factory=list[Process])

    def start(self) -> None:
        """It answers afterwards."""
        self.port.release()
        command = [program("crane"), "registry", "serve", f"--address={LOOPBACK}:{self.port.number}"]
        ready = functools.partial(_answers, self.port.number)
        self.running = [self.processes.start(NAME, command, env={"GOGC": "50"}, ready=ready)]

    def stop(self) -> None:
        for process in self.running:
            process.stop()
            self.processes.forget(process)
        self.running = []

    @property
    def mirror(self) -> Mirror:
        return Mirror(url=f"oci://{LOOPBACK}:{self.port.number}", insecure=True, digests=False)


def publish(mirror: Mirror, goods: Iterable[Ware]) -> int:
    """Put each where the mirror's rule says; how many there were."""
    count = 0
    with contextlib.closing(_connection(_port(mirror))) as connection:
        for ware in goods:
            _push(connection, mirror, *_packed(ware, mirror))
            count += 1
    return count


def spoil(mirror: Mirror, chart: Chart) -> None:
    """What is there under the chart's name and version is no archive any more."""
    url, artifact = _packed(chart, mirror)
    with contextlib.closing(_connection(_port(mirror))) as connection:
        _push(connection, mirror, url, replace(artifact, layer=b"this is no archive"))


def _push(connection: http.client.HTTPConnection, mirror: Mirror, url: str, artifact: Artifact) -> None:
    repository = url.removeprefix(f"{mirror.url}/")
    parts = [(artifact.config_type, artifact.config), (artifact.layer_type, artifact.layer)]
    for _, content in parts:
        _send(connection, "POST", f"/v2/{repository}/blobs/uploads/?digest={_digest(content)}", content)
    described = [{"mediaType": kind, "digest": _digest(content), "size": len(content)} for kind, content in parts]
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": described[0], "layers": described[1:]}
    _send(connection, "PUT", f"/v2/{repository}/manifests/{artifact.tag}", json.dumps(manifest).encode(), MANIFEST)


def _port(mirror: Mirror) -> int:
    return int(mirror.url.rpartition(":")[2])


def begin(sandbox: Sandbox) -> None:
    """The phase of the start: the registry holds a chart for every system of the catalogue."""
    registry = Registry(processes=sandbox.processes)
    registry.start()
    sandbox.stoppable[NAME] = registry
    count = publish(registry.mirror, wares.of(load_catalog()))
    sandbox.reach("chartMirror", registry.mirror.url)
    sandbox.detail(f"{count} charts")


def _packed(ware: Ware, mirror: Mirror) -> tuple[str, Artifact]:
    if isinstance(ware, Chart):
        return mirror.chart(ware.source, ware.name), pack(ware)
    return mirror.artifact(ware.source), pack_manifests(ware)


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(LOOPBACK, port, timeout=TIMEOUT)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(_connection(port)) as connection:
        connection.request("GET", "/v2/")
        return connection.getresponse().status == HTTPStatus.OK
    return False


def _send(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    content: bytes,
    kind: str = "application/octet-stream",
) -> None:
    connection.request(method, path, content, {"Content-Type": kind})
    response = connection.getresponse()
    said = response.read().decode(errors="replace")
    if response.status >= HTTPStatus.BAD_REQUEST:
        raise Problem(f"The registry refused {method} {path}: {response.status} {said[:300]}")
