"""IronCore's compute API in the garden: CRDs of the real types, machine classes, and pools with servers to spare."""

import json
from pathlib import Path

import yaml

from crds.generator.collect import collect
from crds.generator.lock import TypesSource, load
from crds.generator.prepare import Crd
from sandbox.client import Manifest
from sandbox.sandbox import Sandbox
from tools import cache, sdk

API = "compute.ironcore.dev/v1alpha1"
TYPES = "github.com/ironcore-dev/ironcore"
POOLS = Path(__file__).parent / "landscape" / "machine-pools.yaml"
PROFILES = Path(__file__).parent / "landscape" / "cloud-profiles.yaml"


def install(sandbox: Sandbox) -> None:
    client = sandbox.garden.client
    for crd in crds():
        client.apply(crd)
    pools: dict[str, dict[str, int]] = yaml.safe_load(POOLS.read_text())
    for manifest in classes():
        client.apply(manifest)
    for name, servers in pools.items():
        spec = {"providerID": f"ironcore://{name}"}
        pool = client.apply({"apiVersion": API, "kind": "MachinePool", "metadata": {"name": name}, "spec": spec})
        client.patch_status(pool, _capacity(servers))


def crds() -> list[Crd]:
    """The kinds of crds/lock.toml as a server takes them, made once per user: that needs Go."""
    kept = cache.folder() / "sdk" / f"ironcore-{sdk.key()}.json"
    if not kept.exists():
        made = collect([row for row in load() if isinstance(row, TypesSource) and row.module == TYPES])
        for crd in made:
            for version in crd["spec"]["versions"]:
                version["subresources"] = {"status": {}}
        with cache.scratch_folder() as scratch:
            (scratch / "crds").write_text(json.dumps(made))
            (scratch / "crds").replace(kept)
    return json.loads(kept.read_text())


def classes() -> list[Manifest]:
    """A machine class for every bare-metal machine type of the cloud profile: there they have the same names."""
    profiles = yaml.safe_load_all(PROFILES.read_text())
    types = next(one["spec"]["machineTypes"] for one in profiles if one["metadata"]["name"] == "ironcore")
    return [
        {
            "apiVersion": API,
            "kind": "MachineClass",
            "metadata": {"name": one["name"]},
            "capabilities": {"cpu": one["cpu"], "memory": one["memory"]},
        }
        for one in types
    ]


def _capacity(servers: dict[str, int]) -> Manifest:
    counts = {f"class.compute.ironcore.dev/{name}": str(count) for name, count in servers.items()}
    return {
        "state": "Ready",
        "availableMachineClasses": [{"name": name} for name in servers],
        "capacity": counts,
        "allocatable": counts,
        "conditions": [],
    }
