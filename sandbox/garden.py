"""The garden: a kube-apiserver, and the real gardener-apiserver behind it with its own admission."""

import base64
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path

import yaml

from sandbox import ironcore, pki
from sandbox.client import BROKEN, Manifest, Refused
from sandbox.processes import LOOPBACK, READY_SECONDS, flags, program
from sandbox.sandbox import Sandbox
from sandbox.store import URL
from tools.problem import Problem

LANDSCAPE = Path(__file__).parent / "landscape"
SERVICE, NAMESPACE = "gardener-apiserver", "kube-system"
VERSIONS = (
    ("core.gardener.cloud", "v1beta1"),
    ("core.gardener.cloud", "v1"),
    ("security.gardener.cloud", "v1alpha1"),
    ("seedmanagement.gardener.cloud", "v1alpha1"),
    ("operations.gardener.cloud", "v1alpha1"),
)
WAIT_SECONDS = READY_SECONDS
AGAIN_SECONDS = 0.1
WRONG = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)
UNREADABLE = ("failed to convert", "failed to create typed patch object")  # which an apply says as 500
DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def start_server(sandbox: Sandbox) -> None:
    sandbox.garden.start(controllers=False)


def start_gardener(sandbox: Sandbox) -> None:
    """Every API of Gardener is served by the garden afterwards."""
    garden, port = sandbox.garden, sandbox.port()
    folder = garden.folder
    authority = pki.Authority.new("gardener-apiserver-ca")
    host = f"{SERVICE}.{NAMESPACE}.svc"  # the name by which the kube-apiserver checks it
    server = authority.server(SERVICE, [host, "localhost", LOOPBACK]).write(folder, SERVICE)
    pki.write_secret(folder / "workload-identity.key", pki.signing_key())
    arguments = {
        "secure-port": str(port.number),
        "permit-port-sharing": "true",
        "bind-address": LOOPBACK,
        "tls-cert-file": str(server.certificate),
        "tls-private-key-file": str(server.key),
        **{f"{use}kubeconfig": str(garden.kubeconfig) for use in ("", "authentication-", "authorization-")},
        "etcd-servers": URL,
        "etcd-prefix": f"{garden.prefix}gardener",
        "cluster-identity": f"sandbox-{sandbox.name}",
        "workload-identity-token-issuer": f"{garden.url}/workload-identity",
        "workload-identity-signing-key-file": str(folder / "workload-identity.key"),
        "enable-priority-and-fairness": "false",
        "etcd-count-metric-poll-period": "0",
        "etcd-db-metric-poll-interval": "0",
        "profiling": "false",
        "log-format": "text",
    }
    process = sandbox.processes.start(SERVICE, [program(SERVICE), *flags(arguments)], env={"GOGC": "40"})
    service = {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port.number}]}
    garden.client.apply(_manifest("v1", "Service", SERVICE, {"spec": service}, namespace=NAMESPACE))
    for group, version in VERSIONS:
        garden.client.apply(_api_service(group, version, port.number, authority.pair.certificate))
    for group, version in VERSIONS:
        process.await_ready(lambda name=f"{version}.{group}": _available(sandbox, name), WAIT_SECONDS)
    garden.start_controllers()


def await_gardener(sandbox: Sandbox) -> None:
    """A server that was started anew answers at once, and knows the APIs behind it a moment later."""
    groups = {group for group, _ in VERSIONS}
    until(lambda: groups <= set(_served(sandbox)), "the garden does not serve Gardener's APIs")


def _served(sandbox: Sandbox) -> Iterator[str]:
    """The groups whose resources a client finds."""
    try:
        found = sandbox.garden.client.request("GET", "/apis", accept=DISCOVERY)
    except (Refused, *BROKEN):
        return
    for group in found["items"]:
        if all(one.get("freshness") == "Current" for one in group["versions"]):
            yield group["metadata"]["name"]


def make_landscape(sandbox: Sandbox) -> None:
    """What an operator of Gardener and IronCore provides before the first Shoot."""
    client = sandbox.garden.client
    for file in ("extensions", "cloud-profiles", "project"):
        for manifest in yaml.safe_load_all((LANDSCAPE / f"{file}.yaml").read_text()):
            _make(sandbox, manifest)
    project = {"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": "c5c3"}}
    client.patch_status(project, {"phase": "Ready", "observedGeneration": 1})
    sandbox.detail("IronCore")
    ironcore.install(sandbox)


def until(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not done():
        if time.monotonic() > end:
            raise Problem(f"After {WAIT_SECONDS:.0f} s {what}.")
        time.sleep(AGAIN_SECONDS)


def _available(sandbox: Sandbox, name: str) -> bool:
    found = sandbox.garden.client.get("apiregistration.k8s.io/v1", "APIService", name)
    conditions = (found or {}).get("status", {}).get("conditions", [])
    return any(one["type"] == "Available" and one["status"] == "True" for one in conditions)


def _make(sandbox: Sandbox, manifest: Manifest) -> None:
    """Gardener's admission looks things up in caches: what was made a moment ago may be unknown to it still.

    What is wrong in itself stays so.
    """
    what, end = f"{manifest['kind']} {manifest['metadata']['name']}", time.monotonic() + WAIT_SECONDS
    while True:
        try:
            sandbox.garden.client.apply(manifest)
        except Refused as refused:
            print(f"{what}: {refused}", flush=True)
            if _stays(refused) or time.monotonic() > end:
                raise Problem(f"The garden refuses {what} of sandbox/landscape: {refused}") from None
            time.sleep(AGAIN_SECONDS)
        else:
            return


def _stays(refused: Refused) -> bool:
    return refused.status in WRONG or refused.message.startswith(UNREADABLE)


def _api_service(group: str, version: str, port: int, authority: bytes) -> Manifest:
    spec = {
        "group": group,
        "version": version,
        "groupPriorityMinimum": 9000,
        "versionPriority": 15 if version == "v1beta1" else 10,
        "caBundle": base64.b64encode(authority).decode(),
        "service": {"name": SERVICE, "namespace": NAMESPACE, "port": port},
    }
    return _manifest("apiregistration.k8s.io/v1", "APIService", f"{version}.{group}", {"spec": spec})


def _manifest(api_version: str, kind: str, name: str, content: Manifest, namespace: str | None = None) -> Manifest:
    place = {"namespace": namespace} if namespace else {}
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **place}, **content}
