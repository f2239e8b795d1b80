"""The small region, planned without a garden and made with one."""

from pathlib import Path
from typing import Any

import pytest

from components import Landscape, Region, RegionArgs
from components.landscape import Profile
from tests.recorder import Recording, record
from tests.regions import loaded

SHOOT = "kubernetes:core.gardener.cloud/v1beta1:Shoot"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
PROVIDER = "pulumi:providers:kubernetes"
CANARY = "canary-4711"
SEEN = Landscape(
    profiles={
        name: Profile(
            name=name,
            zones={"eu-de-1": ("eu-de-1a", "eu-de-1b", "eu-de-1c", "eu-de-1d")},
            machine_types={
                "baremetal-kvm": {"cpu": "128", "memory": "1Ti"},
                "baremetal-storage": {"cpu": "64", "memory": "512Gi"},
            },
        )
        for name in ("converged-cloud", "ironcore")
    },
    machine_pools={
        "ironcore-baremetal-kvm": {"baremetal-kvm": 100},
        "ironcore-baremetal-storage": {"baremetal-storage": 40},
    },
)
# What Gardener adds to a Shoot that is ready, and to the garden for it; and where Rook says that Ceph is.
READY = {
    SHOOT: {
        "status": {
            "advertisedAddresses": [
                {"name": "internal", "url": "https://internal.example.com"},
                {"name": "external", "url": "https://api.example.com"},
            ],
            "lastOperation": {"type": "Create", "state": "Succeeded"},
        },
    },
    CONFIG_MAP: {"data": {"ca.crt": "the authority", "data": "b=10.0.1.11:6789,a=10.0.1.10:6789,c=10.0.1.12:6789"}},
}


def plan(config: dict[str, Any]) -> Recording:
    """As a gate without a garden plans it."""
    spec = loaded(config)
    return record(lambda: Region(spec.region, RegionArgs(spec=spec)), preview=True)


def made(config: dict[str, Any], file: Path, landscape: Landscape = SEEN) -> Recording:
    """As an update makes it, with a garden whose kubeconfig is the file."""
    file.write_text(f"token: {CANARY}")
    spec = loaded({**config, "garden": {"kubeconfig": str(file)}})
    return record(lambda: Region(spec.region, RegionArgs(spec=spec, landscape=landscape)), adds=READY)


def heard(monkeypatch: pytest.MonkeyPatch, level: str) -> list[str]:
    """What a person is told from now on."""
    said: list[str] = []

    def say(text: str, *_: object) -> None:
        said.append(text)

    monkeypatch.setattr(f"pulumi.log.{level}", say)
    return said
