"""Every system of the catalogue in its cluster, by the real program and the real Flux."""

import json
from collections.abc import Generator
from datetime import datetime

import pytest
import yaml

from components.flux import releases
from model import StackFile, load
from model.catalog import ClusterKind
from sandbox import pulumi
from sandbox.client import Manifest
from tests import sandboxes
from tests.regions import ROOT, stack
from tests.sandboxes import Running, command, own_name

pytestmark = pytest.mark.servers

STACK = "us-east-1"
CLUSTERS: dict[str, tuple[ClusterKind, str]] = {  # and the name of its Shoot
    "flux-system": ("management", "management"),
    "us-east-1-control-plane": ("control-plane", "us-east-1-cp"),
    "hv-pool-us": ("hypervisor", "hv-pool-us"),
    "st-pool-us": ("storage", "st-pool-us"),
}
HELM, KUSTOMIZE = "helm.toolkit.fluxcd.io/v2", "kustomize.toolkit.fluxcd.io/v1"


@pytest.fixture(scope="module")
def sandbox() -> Generator[Running]:
    with sandboxes.running(own_name("workloads")) as running:
        yield running


@pytest.fixture(scope="module")
def broken(sandbox: Running) -> str:
    """What the first update says, in which one release has a version that no chart has."""
    wrong = {"ovs-vswitchd": {"version": "0.1.99"}}
    management = {**yaml.safe_load(pulumi.stack_file(sandbox.home, STACK).read_text())["config"][pulumi.MANAGEMENT]}
    changes = {"management": {**management, "readyWithin": 1}, "releases": wrong}
    words = [word for key, one in changes.items() for word in ("--config", f"cobaltcore:{key}={json.dumps(one)}")]
    code, said = program(sandbox, "up", "--yes", "--skip-preview", "--continue-on-error", *words)
    assert code != 0, f"nothing fails: {said}"
    assert ("hv-pool-us", "ovn-controller") not in of_flux(sandbox), "what needs it is not to be made"
    return said


@pytest.fixture(scope="module")
def region(sandbox: Running, broken: str) -> Running:
    """All of it, after the next update without the mistake."""
    assert broken
    code, said = program(sandbox, "up", "--yes", "--skip-preview")
    assert code == 0, f"the region does not come up: {said}"
    return sandbox


def program(region: Running, *arguments: str) -> tuple[int, str]:
    done = command("pulumi", "--name", region.home.name, "--stack", STACK, *arguments, "--color", "never")
    return done.returncode, done.stdout + done.stderr


def of_flux(region: Running) -> dict[tuple[str, str], Manifest]:
    management = region.client("management")
    found = [*management.list(HELM, "HelmRelease"), *management.list(KUSTOMIZE, "Kustomization")]
    return {(one["metadata"]["namespace"], one["metadata"]["name"]): one for one in found}


def condition(one: Manifest) -> Manifest:
    return next(row for row in one["status"]["conditions"] if row["type"] == "Ready")


def test_a_wrong_version_fails_with_the_release_the_cluster_and_flux_s_own_words(broken: str) -> None:
    assert (
        "Release ovs-vswitchd in cluster hv-pool-us is not ready: it was waited for up to 1 min. Flux says: " in broken
    )
    assert "unpublished/ovs-vswitchd:0.1.99: not found" in broken


def test_every_row_of_the_catalogue_is_ready_in_its_cluster_and_namespace(region: Running) -> None:
    there = of_flux(region)
    rows = releases(load({**stack(STACK), "chartMirror": "oci://127.0.0.1:5000"}, StackFile("test"), ROOT))
    expected = {
        (namespace, release.name): (shoot, release)
        for namespace, (kind, shoot) in CLUSTERS.items()
        for release in rows[kind]
        if not release.entry.bootstrap
    }
    assert there.keys() == expected.keys()
    for (namespace, name), (shoot, release) in expected.items():
        said = condition(there[namespace, name])
        assert said["status"] == "True", f"{name} in {shoot}: {said['message']}"
        mark = f"{name}-chart" if there[namespace, name]["kind"] == "HelmRelease" else None
        names = [one["metadata"]["name"] for one in region.client(shoot).list("v1", "ConfigMap", release.namespace)]
        assert mark is None or mark in names, f"{name} is not in the namespace {release.namespace} of {shoot}"


def test_each_is_ready_after_what_it_needs(region: Running) -> None:
    there = of_flux(region)
    for (namespace, name), one in there.items():
        for need in one["spec"].get("dependsOn", []):
            first = condition(there[need["namespace"], need["name"]])
            assert when(first) <= when(condition(one)), f"{namespace}/{name} did not wait for {need}"
    k_orc, c5c3 = (there["us-east-1-control-plane", name] for name in ("k-orc", "c5c3-operator"))
    assert when(condition(k_orc)) <= when(condition(c5c3)), "a HelmRelease cannot name a Kustomization, so Pulumi waits"


def when(said: Manifest) -> datetime:
    return datetime.fromisoformat(said["lastTransitionTime"])


def test_a_second_preview_shows_no_change_and_no_credential_is_in_the_state(region: Running) -> None:
    code, said = program(region, "preview", "--expect-no-changes")
    assert code == 0, said
    code, state = program(region, "stack", "export")
    assert code == 0
    for secret in ("client-key-data", "BEGIN RSA PRIVATE KEY", "BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY"):
        assert secret not in state
    kept = [one for one in json.loads(state[: state.rindex("}") + 1])["deployment"]["resources"] if one.get("protect")]
    assert "us-east-1-management-openbao" in {one["urn"].rpartition("::")[2] for one in kept}
