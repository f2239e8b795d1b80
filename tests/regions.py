"""A small good region to break one thing in, and the two real ones."""

import copy
from pathlib import Path
from typing import Any

import yaml

from model import RegionSpec, StackFile, load

ROOT = Path(__file__).resolve().parent.parent
STACKS = ("eu-de-1", "us-east-1")

_SMALL: dict[str, Any] = {
    "region": "eu-de-1",
    "garden": {"kubeconfig": "there-is-none.yaml"},
    "controlPlane": {"region": "eu-de-1", "workers": 5, "zones": ["eu-de-1a", "eu-de-1b", "eu-de-1c"]},
    "hypervisorPools": [
        {
            "region": "eu-de-1",
            "name": "hv-pool-a",
            "workers": 50,
            "ironcore": {"machinePool": "ironcore-baremetal-kvm"},
            "labels": {"tier": "standard"},
        }
    ],
    "storagePools": [
        {"region": "eu-de-1", "name": "st-pool-a", "ironcore": {"machinePool": "ironcore-baremetal-storage"}}
    ],
}


def small(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (a test may put anything into a stack file)
    """The small region with some of its top keys replaced."""
    return {**copy.deepcopy(_SMALL), **changes}


def stack(name: str) -> dict[str, Any]:
    """The configuration of a stack file, as the program gets it."""
    text = (ROOT / f"Pulumi.{name}.yaml").read_text()
    return {key.removeprefix("cobaltcore:"): value for key, value in yaml.safe_load(text)["config"].items()}


def loaded(config: dict[str, Any], name: str = "Pulumi.test.yaml") -> RegionSpec:
    """The region of a configuration that stands in no file."""
    return load(config, StackFile(name), ROOT)
