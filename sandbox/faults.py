"""`python -m sandbox fault`: make something go wrong in a running sandbox, and take it back."""

import argparse
import contextlib
import time
from collections.abc import Callable

from model.catalog import load_catalog
from model.mirror import Mirror
from sandbox import registry, server_faults, wares
from sandbox.charts import Chart
from sandbox.client import Client, Manifest
from sandbox.operators import failures
from sandbox.server_faults import ServerFault
from sandbox.state import Folder, Status, status_of
from tools.problem import Problem

WEBHOOK = "sandbox-fault"
NOWHERE = "https://127.0.0.1:1/refuse"
ADMISSION = "admissionregistration.k8s.io/v1"
OURS = ("garden", "management")
WHERE = "garden, management, or the name of a cluster or its Shoot"
MORE = "docs/sandbox.md has an example of each, and what `pulumi up` says then. Several may hold at a time."
SECONDS = 60.0  # a server that comes back needs some of them


def parser(add: Callable[..., argparse.ArgumentParser], default: str) -> None:
    fault = add("fault", help="make something go wrong, or take it back", epilog=MORE)
    fault.add_argument("--name", default=default, help="the sandbox (default: %(default)s)")
    kinds = fault.add_subparsers(dest="fault", required=True)
    for name, text in (("fail", "objects of a kind fail"), ("hang", "objects of a kind are not worked on")):
        command = kinds.add_parser(name, help=f"{text}; a Shoot too")
        command.add_argument("kind", help="as in CephBlockPool or Shoot")
        command.add_argument("object", nargs="?", default="*", help="its name; a star is any (default: all)")
        command.add_argument("--cluster", default="*", help="one cluster, or the garden for a Shoot (default: all)")
        command.add_argument("--message", default="a fault of the sandbox", help="what the operator says")
    for name, text in (
        ("pause", "an API server, or the registry of charts, answers nothing"),
        ("down", "an API server, or the registry of charts, is killed"),
        ("slow", "an API server is slow"),
        ("throttle", "an API server answers 429"),
        ("expire", "the credentials that a cluster has given out are no longer good"),
    ):
        command = kinds.add_parser(name, help=text)
        command.add_argument("cluster", help=f"{WHERE}; registry" if name in ("pause", "down") else WHERE)
        if name == "slow":
            command.add_argument("--seconds", type=float, default=1.0, help="before each request (default: 1)")
        if name == "throttle":
            command.add_argument("--share", type=float, default=0.5, help="of the requests (default: 0.5)")
    command = kinds.add_parser("webhook", help="a webhook refuses what is written to a resource")
    command.add_argument("cluster", help=WHERE)
    command.add_argument("resource", help="as in cephblockpools")
    command = kinds.add_parser("chart", help="what the registry has of a chart is garbage")
    command.add_argument("chart", help="a system of the catalogue")
    kinds.add_parser("end", help="take every fault back")


def run(home: Folder, chosen: argparse.Namespace) -> None:
    status = status_of(home)
    match chosen.fault:
        case "fail" | "hang":
            new = failures.Failure(
                cluster=_name(status, chosen.cluster),
                kind=chosen.kind,
                name=chosen.object,
                how=chosen.fault,
                message=chosen.message,
            )
            failures.write(home.path / failures.FILE, [*failures.read(home.path / failures.FILE), new])
        case "webhook":
            _client(home, status, chosen.cluster).apply(_webhook(chosen.resource))
        case "chart":
            _break(status, chosen.chart)
        case "end":
            end(home, status)
        case how:
            cluster = registry.NAME if chosen.cluster == registry.NAME else _name(status, chosen.cluster)
            if cluster == registry.NAME and how not in ("pause", "down"):
                raise Problem("The registry of charts can be paused or down, and no more than that.")
            if how == "expire" and cluster in OURS:
                raise Problem(f"Nobody gives out credentials for {cluster}: name a Shoot's cluster.")
            seconds, share = getattr(chosen, "seconds", 0.0), getattr(chosen, "share", 0.0)
            fault = ServerFault(cluster=cluster, how=how, seconds=seconds, share=share)
            others = [one for one in server_faults.read(home.path) if one.cluster != cluster]
            _wish(home, [*others, fault])


def end(home: Folder, status: Status) -> None:
    failures.write(home.path / failures.FILE, [])
    _wish(home, [])
    for cluster in status.clusters:
        with contextlib.closing(_client(home, status, cluster)) as client:
            client.delete({"apiVersion": ADMISSION, "kind": KIND, "metadata": {"name": WEBHOOK}})
    registry.publish(Mirror(url=status.endpoints["chartMirror"], insecure=True), wares.of(load_catalog()))


def _wish(home: Folder, faults: list[ServerFault]) -> None:
    """The supervisor brings it about; this returns when it is so."""
    server_faults.write(home.path, faults)
    wanted = sorted(str(one) for one in faults)
    until = time.monotonic() + SECONDS
    while sorted((home.status() or Status(name="", pid=0, began="")).faults) != wanted:
        if time.monotonic() > until:
            raise Problem(f"The sandbox has not done it after {SECONDS:.0f} s: look into {home.log}.")
        time.sleep(server_faults.LOOK_SECONDS)


def _break(status: Status, name: str) -> None:
    entries = load_catalog().by_name
    if name not in entries:
        raise Problem(f"{name} is no system of the catalogue.")
    ware = wares.of_entry(entries[name])
    if not isinstance(ware, Chart):
        raise Problem(f"{name} is no chart but a folder of manifests.")
    registry.spoil(Mirror(url=status.endpoints["chartMirror"], insecure=True), ware)


KIND = "ValidatingWebhookConfiguration"


def _webhook(resource: str) -> Manifest:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE", "UPDATE"], "resources": [resource]}
    hook = {
        "name": "refuses.sandbox.c5c3.io",
        "clientConfig": {"url": NOWHERE},
        "rules": [rule],
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 2,
    }
    return {"apiVersion": ADMISSION, "kind": KIND, "metadata": {"name": WEBHOOK}, "webhooks": [hook]}


def _name(status: Status, cluster: str) -> str:
    """The name in the sandbox of a cluster that is called by its name in the region."""
    if cluster == "*" or cluster in status.clusters:
        return cluster
    for name, found in status.clusters.items():
        if cluster in found.aliases:
            return name
    raise Problem(f"The sandbox has no cluster {cluster}; it has {', '.join(sorted(status.clusters))}.")


def _client(home: Folder, status: Status, cluster: str) -> Client:
    name = _name(status, cluster)
    keys = home.path / "clusters" / name
    return Client(
        url=status.clusters[name].url,
        authority=keys / "ca.crt",
        certificate=keys / "admin.crt",
        key=keys / "admin.key",
    )
