"""The nodes of a Shoot's cluster: no machine stands behind them, but they say what real ones would."""

import hashlib
import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.api_server import ApiServer
from sandbox.client import Manifest

DIGEST = "sandbox.c5c3.io/digest"
POOL = "worker.gardener.cloud/pool"
PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
PODS = "110"
GROUPS = 8  # into which the nodes' network is divided
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Machines = Mapping[str, Manifest]  # machine types of the cloud profile, by name


@dataclass(frozen=True, kw_only=True)
class Place:
    """What tells a node from the others of its group."""

    name: str
    address: str
    zone: str | None


def follow(cluster: ApiServer, shoot: Manifest, machines: Machines) -> int:
    """Make the nodes what the Shoot wants: as many as each group's minimum; how many there are then."""
    there = {node["metadata"]["name"]: node for node in cluster.client.list("v1", "Node")}
    wanted = {node["metadata"]["name"]: node for node in nodes(shoot, machines)}
    for name, node in wanted.items():
        if name in there and _digest(there[name]) == _digest(node):
            continue
        cluster.client.apply(node)
        if name in there:  # a new one is made with its status, as a kubelet does it
            cluster.client.apply(node, subresource="status")
    for name, node in there.items():
        if name not in wanted and POOL in node["metadata"].get("labels", {}):
            cluster.client.delete(node)
    return len(wanted)


def nodes(shoot: Manifest, machines: Machines) -> list[Manifest]:
    workers: list[Manifest] = shoot["spec"]["provider"].get("workers", [])
    return [
        _node(shoot, worker, place, machines.get(worker["machine"]["type"], {}))
        for group, worker in enumerate(workers)
        for place in places(shoot["status"]["technicalID"], group, worker, _network(shoot))
    ]


def places(prefix: str, group: int, worker: Manifest, network: Network) -> list[Place]:
    """One after the other over the zones, so that growing and shrinking keeps them even and moves no node."""
    zones: list[str] = worker.get("zones") or []
    found: list[Place] = []
    for number in range(worker["minimum"]):
        at = number % len(zones) if zones else 0
        count = number // len(zones) if zones else number
        name = f"{prefix}-{worker['name']}-z{at + 1}-{count:03}"
        address = network[(group * (network.num_addresses // GROUPS) + number + 1) % network.num_addresses]
        found.append(Place(name=name, address=str(address), zone=zones[at] if zones else None))
    return found


def _network(shoot: Manifest) -> Network:
    networking: Manifest = shoot["spec"].get("networking") or {}
    return ipaddress.ip_network(networking.get("nodes") or "10.250.0.0/16")


def _node(shoot: Manifest, worker: Manifest, place: Place, machine: Manifest) -> Manifest:
    spec = shoot["spec"]
    version = worker.get("kubernetes", {}).get("version") or spec["kubernetes"]["version"]
    image: Manifest = worker["machine"].get("image") or {}
    labels: dict[str, str] = {
        "kubernetes.io/arch": machine.get("architecture", "amd64"),
        "kubernetes.io/hostname": place.name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": worker["machine"]["type"],
        "node.kubernetes.io/role": "node",
        "topology.kubernetes.io/region": spec["region"],
        POOL: worker["name"],
        "worker.gardener.cloud/kubernetes-version": version,
        "worker.gardener.cloud/image-name": image.get("name", ""),
        "worker.gardener.cloud/image-version": image.get("version", ""),
        **({"topology.kubernetes.io/zone": place.zone} if place.zone else {}),
        **worker.get("labels", {}),
    }
    annotations: dict[str, str] = dict(worker.get("annotations", {}))
    node: Manifest = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": place.name, "labels": labels, "annotations": annotations},
        "spec": {"providerID": f"{spec['provider']['type']}:///{place.name}", "taints": worker.get("taints", [])},
        "status": _status(machine, place, version, image),
    }
    annotations[DIGEST] = hashlib.sha256(json.dumps(node, sort_keys=True).encode()).hexdigest()[:16]
    return node


def _status(machine: Manifest, place: Place, version: str, image: Manifest) -> Manifest:
    resources = {"cpu": machine.get("cpu", "8"), "memory": machine.get("memory", "32Gi"), "pods": PODS}
    healthy = [_condition(name, "False", "KubeletHasNo" + name) for name in PRESSURES]
    return {
        "capacity": resources,
        "allocatable": resources,
        "phase": "Running",
        "conditions": [*healthy, _condition("Ready", "True", "KubeletReady")],
        "addresses": [
            {"type": "InternalIP", "address": place.address},
            {"type": "Hostname", "address": place.name},
        ],
        "nodeInfo": {
            "architecture": machine.get("architecture", "amd64"),
            "bootID": "",
            "containerRuntimeVersion": "containerd://sandbox",
            "kernelVersion": "sandbox",
            "kubeProxyVersion": "",
            "kubeletVersion": f"v{version}",
            "machineID": "",
            "operatingSystem": "linux",
            "osImage": f"{image.get('name', 'linux')} {image.get('version', '')}".strip(),
            "systemUUID": "",
        },
    }


def _condition(name: str, status: str, reason: str) -> dict[str, Any]:
    return {"type": name, "status": status, "reason": reason, "message": "the sandbox has no kubelets"}


def _digest(node: Manifest) -> str | None:
    return node["metadata"].get("annotations", {}).get(DIGEST)
