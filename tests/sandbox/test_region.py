"""The whole of eu-de-1 by the real program: up, what it costs, and no change afterwards."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

import pytest

from model.catalog import load_catalog
from sandbox.client import Client, Manifest
from tests import live_releases, live_tenants, sandboxes
from tests.everything import everything
from tests.regions import loaded, stack
from tests.sandboxes import NAMESPACE, SHOOT, Running, command, own_name, until
from tools import cache

pytestmark = pytest.mark.servers

STACK = "eu-de-1"
CLUSTERS = 7
READY_SECONDS = 90
MEMORY_MB = 5000
CORES = 0.5
REST_SECONDS = 10
# Helm makes namespaces and kinds and never removes one; Flux is to take away what Flux brought, and stays.
NAMESPACES = ("cert-manager", "external-secrets", "logging", "monitoring", "openbao-system")
STAYS = {
    "FluxInstance flux-system/flux",
    "ConfigMap flux-system/flux-operator-chart",
    *(what for name in NAMESPACES for what in (f"Namespace /{name}", f"ServiceAccount {name}/default")),
}

STACK_FILE = cache.ROOT / f"Pulumi.{STACK}.yaml"


@pytest.fixture(scope="module")
def region() -> Generator[Running]:
    with sandboxes.running(own_name("region")) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def before(region: Running) -> dict[str, set[str]]:
    """What is in the garden and the management cluster before anything of the region is."""
    return {name: settled(region.client(name)) for name in ("garden", "management")}


def settled(client: Client) -> set[str]:
    """All that is there, once the controllers have made what they make in each namespace."""

    def so() -> set[str] | None:
        there = everything(client)
        spaces = [one.removeprefix("Namespace /") for one in there if one.startswith("Namespace /")]
        return there if all(f"ServiceAccount {space}/default" in there for space in spaces) else None

    return until(so, lambda: f"{client.url}: a namespace has no default service account")


@pytest.fixture(scope="module")
def up(region: Running, before: dict[str, set[str]]) -> str:
    """What the last steps of `make up` print."""
    assert before
    steps = _last_steps()
    assert [words[0] for words in steps] == ["up", "stack"], f"make up runs {steps}"
    return "".join(_pulumi(region, *words) for words in steps)


def _last_steps() -> list[list[str]]:
    """The words that `make up` gives to pulumi."""
    make = ["make", "-n", "up", f"STACK={STACK}"]
    said = subprocess.run(make, cwd=cache.ROOT, capture_output=True, text=True, check=True)
    target = f" -m sandbox pulumi --name {STACK} "
    return [line.partition(target)[2].split() for line in said.stdout.splitlines() if target in line]


def test_up_ends_with_the_regions_outputs(region: Running, up: str) -> None:
    """As a page; each of them alone is there for who asks."""
    assert "Outputs:" not in up, "the page says it better"
    page = up.partition("# Region eu-de-1")[2]
    assert page, f"no page: {up}"
    assert page.count("https://127.0.0.1") >= CLUSTERS, "where the clusters are reached"
    outputs = _pulumi(region, "stack", "output")
    assert re.search(r"^ *region +eu-de-1$", outputs, re.MULTILINE), f"no outputs: {outputs}"
    assert "https://127.0.0.1" in outputs, "where the clusters are reached"


def test_all_clusters_are_ready_in_time(region: Running, up: str) -> None:
    assert up
    shoots = region.garden.list(SHOOT, "Shoot", NAMESPACE)
    assert len(shoots) == CLUSTERS, f"eu-de-1 has {CLUSTERS} clusters, and there are {len(shoots)} Shoots"
    ready = [region.succeeded(shoot["metadata"]["name"]) for shoot in shoots]
    first = min(_time(shoot["metadata"]["creationTimestamp"]) for shoot in ready)
    last = max(_time(shoot["status"]["lastOperation"]["lastUpdateTime"]) for shoot in ready)
    assert last - first <= READY_SECONDS, f"the last cluster was ready {last - first:.0f} s after the first Shoot"
    for shoot in ready:
        name, worker = shoot["metadata"]["name"], shoot["spec"]["provider"]["workers"][0]
        count = len(region.client(name).list("v1", "Node"))
        assert count == worker["minimum"], f"{name} wants {worker['minimum']} nodes and has {count}"


def test_at_rest_it_is_small(region: Running, up: str) -> None:
    assert up
    for shoot in region.garden.list(SHOOT, "Shoot", NAMESPACE):
        region.succeeded(shoot["metadata"]["name"])
    time.sleep(REST_SECONDS)  # what a started server still does
    pids = [region.status.pid, *region.status.processes.values()]
    memory = sum(map(_memory, pids)) / 1024
    assert memory <= MEMORY_MB, f"the region uses {memory:.0f} MB of memory"
    used = [_cores(pids)]
    while used[-1] > CORES and len(used) < 6:  # once in five minutes the watches end, and who watches looks at all anew
        used.append(_cores(pids))
    assert used[-1] <= CORES, f"the region at rest keeps so many cores busy: {used}"


def test_the_documents_tenants_are_ready_in_order_each_with_its_keys_nodes_and_networks(
    region: Running, up: str
) -> None:
    assert up
    live = live_tenants.LiveTenants(region, loaded(stack(STACK)))
    live_tenants.check_all_are_there(live)
    live_tenants.check_order(live)
    live_tenants.check_nodes(live)
    live_tenants.check_networks(live)
    assert len(live_tenants.check_keys(live)) == 20 + 6 * 3, (
        "a key for each service of each tenant on each of its storage pools, and what each tenant's OVN has"
    )


def test_every_system_of_every_cluster_is_ready_where_it_belongs(region: Running, up: str) -> None:
    assert up
    spec = loaded({**stack(STACK), "chartMirror": "oci://127.0.0.1:5000", "management": {"kubeconfig": "m.yaml"}})
    assert len(live_releases.kinds(spec)) == 1 + CLUSTERS
    live_releases.check_all_are_ready(region, spec)
    live_releases.check_all_kinds_are_there(region, spec)


def test_a_preview_straight_after_reports_no_change(
    region: Running, up: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it leaves the committed stack file as it is, and nothing anywhere else."""
    assert up
    before = STACK_FILE.read_bytes()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("UV_CACHE_DIR", str(region.home.path / "uv"))  # the packages' own cache, as of every program
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    preview = _pulumi(region, "preview", "--expect-no-changes")
    assert re.search(r"\d+ unchanged", preview), f"the preview says: {preview}"
    assert STACK_FILE.read_bytes() == before, "a run against the sandbox changes the committed stack file"
    assert b".sandbox" not in before, "the committed stack file points to a sandbox"
    kept = {
        file.name
        for folder in ("helm-cache", "pulumi-home", "pulumi-tmp")
        for file in (region.home.path / folder).rglob("*")
    }
    assert kept >= {"flux-operator-0.59.0.tgz", "logs"}, f"Pulumi keeps nothing: {kept}"
    assert list(tmp_path.iterdir()) == [], "files are left that `down` does not know of"


def test_destroy_leaves_no_object_once_it_is_allowed(region: Running, up: str, before: dict[str, set[str]]) -> None:
    """Protected resources and Gardener both want to be told; then deletes finish, foreground ones too."""
    assert up
    made = everything(region.garden) - before["garden"]
    assert len(made) >= 2 * CLUSTERS, f"a cluster has a Shoot, and a ConfigMap that says whose tokens it takes: {made}"
    for shoot in region.garden.list(SHOOT, "Shoot", NAMESPACE):
        region.garden.patch(shoot, {"metadata": {"annotations": {"confirmation.gardener.cloud/deletion": "true"}}})
    _pulumi(region, "state", "unprotect", "--all", "--yes")
    _pulumi(region, "destroy", "--yes", "--skip-preview")
    assert set(region.status.clusters) == {"garden", "management"}, f"clusters are left: {region.status.clusters}"
    assert everything(region.garden) <= before["garden"]
    left = everything(region.client("management")) - before["management"]
    kinds = {f"CustomResourceDefinition /{name}" for entry in load_catalog().entries for name in entry.crds}
    assert left - kinds == STAYS, "docs/running.md says what stays"
    state = _pulumi(region, "stack", "export")
    kept: Manifest = json.loads(state[: state.rindex("}") + 1])["deployment"]
    assert not kept.get("resources"), f"Pulumi's state holds {kept['resources']}"


def test_pulumi_without_a_sandbox_says_what_to_do() -> None:
    name = own_name("none")
    unknown = command("pulumi", "--name", name, "preview")
    assert f"there is no Pulumi.{name}.yaml" in unknown.stderr, f"no sentence: {unknown.stderr}"
    assert "Traceback" not in unknown.stderr, f"a traceback: {unknown.stderr}"


def _pulumi(region: Running, *arguments: str) -> str:
    done = command("pulumi", "--name", region.home.name, "--stack", STACK, *arguments, "--color", "never")
    assert done.returncode == 0, f"pulumi {' '.join(arguments)} failed: {done.stdout}{done.stderr}"
    return done.stdout


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _ps(pid: int, what: str) -> str:
    words = ["ps", "-o", f"{what}=", "-p", str(pid)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def _memory(pid: int) -> int:
    """In kB; where the system tells, what several processes share is counted once: most are the same program."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        return int(_ps(pid, "rss"))
    return next(int(line.split()[1]) for line in rollup.read_text().splitlines() if line.startswith("Pss:"))


def _cores(pids: list[int]) -> float:
    before = sum(map(_cpu, pids))
    time.sleep(REST_SECONDS)
    return (sum(map(_cpu, pids)) - before) / REST_SECONDS


def _cpu(pid: int) -> float:
    """Seconds of processor time, to a hundredth on Linux; elsewhere ps tells whole seconds."""
    if sys.platform.startswith("linux"):
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    minutes, seconds = _ps(pid, "cputime").split(":")[-2:]
    return int(minutes) * 60 + float(seconds)
