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


def small_tenant(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (as above)
    """A small tenant on the small region's pools, with some of its keys replaced."""
    base = {"region": "eu-de-1", "name": "a", "size": "small"}
    return {**base, "hypervisorClusters": ["hv-pool-a"], "storageClusters": ["st-pool-a"], **changes}


def namesakes(*more: str) -> dict[str, Any]:
    """The small region with tenants that are called like each other's pools and clients, and more of these names."""
    config = small()
    config["storagePools"].append({**config["storagePools"][0], "name": "volumes", "ironcore": {"machinePool": "more"}})
    for pool in config["storagePools"]:
        pool["ceph"] = {"targetCapacity": "100Ti"}
    ceph = {"volumePool": {"quotaGB": 10}, "filesystem": {"enabled": True}, "objectStore": {"enabled": True}}
    config["openStackClusters"] = [
        small_tenant(
            name=name,
            storageClusters=["volumes", "st-pool-a"],
            nodeShares={"hv-pool-a": 1},
            services={"manila": True},
            storage={"ceph": ceph},
        )
        for name in ("a", "a-volumes", "a-st-pool-a", "nova-a", "openstack-a", "a-rgw", *more)
    ]
    return config


def stack(name: str) -> dict[str, Any]:
    """The configuration of a stack file, as the program gets it."""
    text = (ROOT / f"Pulumi.{name}.yaml").read_text()
    return {key.removeprefix("cobaltcore:"): value for key, value in yaml.safe_load(text)["config"].items()}


def loaded(config: dict[str, Any], name: str = "Pulumi.test.yaml") -> RegionSpec:
    """The region of a configuration that stands in no file."""
    return load(config, StackFile(name), ROOT)
