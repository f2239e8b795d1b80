"""The real Flux controllers, at work on the management cluster and, through its HelmReleases, on all others."""

import contextlib
import http.client

from sandbox import definitions
from sandbox.api_server import ApiServer
from sandbox.processes import LOOPBACK, Port, Process, Processes, flags, program
from sandbox.sandbox import Sandbox

NAMESPACE = "flux-system"
GROUPS = ("fluxcd.controlplane.io", "helm.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io", "source.toolkit.fluxcd.io")
GIVEN = ("cert-manager.io", "external-secrets.io", "greenhouse.sap")  # kinds of a management cluster
CONTROLLERS = ("source-controller", "kustomize-controller", "helm-controller")
GO = {"GOGC": "40", "GOMAXPROCS": "2"}

COMMON = {
    "enable-leader-election": "false",
    "metrics-addr": "0",  # no port at all
    "health-addr": "0",
    "log-level": "info",
    # In production half a minute and a quarter of an hour, which is how long people would wait here for nothing.
    "requeue-dependency": "1s",
    "max-retry-delay": "5s",
}
# Releases reach their cluster with a token of a service account, so that no kubeconfig is kept anywhere.
REMOTE = {"feature-gates": "ObjectLevelWorkloadIdentity=true", "concurrent": "8"}


def start(processes: Processes, management: ApiServer) -> list[Process]:
    """Flux's kinds are served and its controllers run; a HelmRelease made now is reconciled."""
    definitions.install(management.client, definitions.groups(*GROUPS))
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    management.client.apply(namespace)
    return [_start(processes, management, name) for name in CONTROLLERS]


def begin(sandbox: Sandbox) -> None:
    """The phase of the start: Flux works, and the management cluster knows the kinds that it is given with."""
    start(sandbox.processes, sandbox.management)
    definitions.install(sandbox.management.client, definitions.groups(*GIVEN))


def _start(processes: Processes, management: ApiServer, name: str) -> Process:
    env = {**GO, "KUBECONFIG": str(management.kubeconfig), "RUNTIME_NAMESPACE": NAMESPACE}
    if name != "source-controller":
        return processes.start(name, [program(name), *flags({**COMMON, **REMOTE})], env=env)
    port = Port.reserve()
    storage = {
        "storage-path": str(processes.folder / "flux"),
        "storage-addr": f"{LOOPBACK}:{port.number}",
        "storage-adv-addr": f"{LOOPBACK}:{port.number}",
        "concurrent": "8",
    }
    (processes.folder / "flux").mkdir()
    port.release()
    command = [program(name), *flags({**COMMON, **storage})]
    return processes.start(name, command, env=env, ready=lambda: _serves(port.number))


def _serves(port: int) -> bool:
    with (
        contextlib.suppress(OSError, http.client.HTTPException),
        contextlib.closing(http.client.HTTPConnection(LOOPBACK, port, timeout=2)) as connection,
    ):
        connection.request("GET", "/")
        return connection.getresponse().status > 0
    return False
