"""IronCore's compute API in the garden: CRDs of the real types, machine classes, and pools with servers to spare."""

from pathlib import Path

import yaml

from sandbox import definitions
from sandbox.client import Manifest
from sandbox.sandbox import Sandbox

API = "compute.ironcore.dev/v1alpha1"
POOLS = Path(__file__).parent / "landscape" / "machine-pools.yaml"
PROFILES = Path(__file__).parent / "landscape" / "cloud-profiles.yaml"


def install(sandbox: Sandbox) -> None:
    client = sandbox.garden.client
    definitions.install(client, definitions.groups("compute.ironcore.dev"))
    pools: dict[str, dict[str, int]] = yaml.safe_load(POOLS.read_text())
    for manifest in classes():
        client.apply(manifest)
    for name, servers in pools.items():
        spec = {"providerID": f"ironcore://{name}"}
        pool = client.apply({"apiVersion": API, "kind": "MachinePool", "metadata": {"name": name}, "spec": spec})
        client.patch_status(pool, _capacity(servers))


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
    counts = {f"class/machine.{name}": str(count) for name, count in servers.items()}
    return {
        "state": "Ready",
        "availableMachineClasses": [{"name": name} for name in servers],
        "capacity": counts,
        "allocatable": counts,
        "conditions": [],
    }
