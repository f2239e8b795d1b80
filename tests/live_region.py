"""A region with everything that it can ask for, on a management cluster that has nothing yet. It is us-east-1."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import yaml

from model import RegionSpec, StackFile, load
from model.catalog import ClusterKind, load_catalog
from sandbox import definitions, flux, pulumi
from sandbox.client import BROKEN, Client, Manifest, Refused
from tests.regions import ROOT, stack
from tests.sandboxes import Running, command
from tools.problem import Problem

STACK = "us-east-1"
PLANE = "cobaltcore:controlPlane"
LISTED = ("cobaltcore:hypervisorPools", "cobaltcore:storagePools", "cobaltcore:openStackClusters")
CLUSTERS: dict[str, tuple[ClusterKind, str]] = {  # and the name of its Shoot
    "flux-system": ("management", "management"),
    "us-east-1-control-plane": ("control-plane", "us-east-1-cp"),
    "hv-pool-us": ("hypervisor", "hv-pool-us"),
    "st-pool-us": ("storage", "st-pool-us"),
}
THIRD = "third-site"  # where the storage pool has its arbiter
KUBECONFIG = "canary-kubeconfig-of-the-third-site"
ORGANIZATION = "c5c3"
MANAGEMENT = {"kubeconfig": "m.yaml", "issuer": "https://issuer", "greenhouse": {"organization": ORGANIZATION}}
EVERYTHING: dict[str, Any] = {one.name: {"enabled": True} for one in load_catalog().entries if one.optional}


def flux_operator(management: Client, come: Callable[[], None]) -> None:
    """When somebody asks for a Flux its kinds come, and then its controllers."""
    while not management.closed.wait(0.2):
        try:
            if management.list("fluxcd.controlplane.io/v1", "FluxInstance"):
                definitions.install(management, definitions.groups(*flux.GROUPS))
                come()
                return
        except (Problem, Refused, *BROKEN):
            continue  # the kind is not there yet


def remember(running: Running, path: str, data: dict[str, str]) -> None:
    """Put a secret into the sandbox's OpenBao."""
    status = running.home.status()
    assert status
    request = urllib.request.Request(  # noqa: S310  (the sandbox's own address)
        f"{status.endpoints['vault']}/v1/kv-v2/data/{path}",
        json.dumps({"data": data}).encode(),
        {"X-Vault-Token": (running.home.path / "vault-token").read_text().strip()},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        assert answer.status == 200


def asked(
    running: Running, name: str, releases: Manifest | None = None, *, protected: bool = True, **changes: object
) -> list[str]:
    """A stack file with more than it asks for: an arbiter, Greenhouse, every optional system.

    And other `releases`, and `changes` of the management cluster.
    """
    given = yaml.safe_load(pulumi.stack_file(running.home, name).read_text())["config"]
    for claim in (given[PLANE], *(one for key in LISTED for one in given[key])):
        claim["deletionProtection"] = protected
    pool, *more = given["cobaltcore:storagePools"]
    config = {
        **{key: given[key] for key in (PLANE, *LISTED)},
        "cobaltcore:releases": {**EVERYTHING, **(releases or {})},
        "cobaltcore:storagePools": [{**pool, "arbiterCluster": THIRD}, *more],
        pulumi.MANAGEMENT: {**given[pulumi.MANAGEMENT], "greenhouse": {"organization": ORGANIZATION}, **changes},
    }
    return [word for key, one in config.items() for word in ("--config", f"{key}={json.dumps(one)}")]


def asked_for() -> RegionSpec:
    """What the stack file and `asked` say together."""
    given = {**stack(STACK), "storagePools": [{**stack(STACK)["storagePools"][0], "arbiterCluster": THIRD}]}
    settings = {"chartMirror": "oci://127.0.0.1:5000", "management": MANAGEMENT, "releases": EVERYTHING}
    return load({**given, **settings}, StackFile("test"), ROOT)


def program(region: Running, *arguments: str) -> tuple[int, str]:
    done = command("pulumi", "--name", region.home.name, "--stack", STACK, *arguments, "--color", "never")
    return done.returncode, done.stdout + done.stderr
