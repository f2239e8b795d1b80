"""What is told of a region in the outputs of its stack, field by field, as the outputs have them."""

from typing import Any, NotRequired, TypedDict

import pulumi


class Nodes(TypedDict):
    """Between which Gardener keeps the nodes of a cluster. How many there are now is in the cluster alone."""

    minimum: int
    maximum: int


class ClusterTold(TypedDict):
    kind: str
    shoot: str
    apiAddress: pulumi.Output[str]
    kubernetesVersion: pulumi.Output[str]
    phase: pulumi.Output[str]
    workers: Nodes
    accessCommand: str


class ComputeCapacity(TypedDict):
    """Of the nodes that there are at least, by their machine type in the cloud profile; 0 where nobody knows it."""

    vcpus: pulumi.Output[int]
    memoryGB: pulumi.Output[int]


class StorageCapacity(TypedDict):
    """What the claim promises, and in bytes on the disks, before copies, what Ceph says; nothing before it has."""

    promised: NotRequired[str]  # usable, at the replication factor
    osds: int
    replicationFactor: int
    total: pulumi.Output[int | None]
    used: pulumi.Output[int | None]
    available: pulumi.Output[int | None]


class HypervisorPoolTold(TypedDict):
    nodes: Nodes
    capacity: ComputeCapacity


class StoragePoolTold(TypedDict):
    nodes: Nodes
    capacity: StorageCapacity
    health: pulumi.Output[str]


class TenantTold(TypedDict):
    """Names and states, and never a key."""

    namespace: pulumi.Output[str]
    phase: pulumi.Output[str]
    endpoints: pulumi.Output[dict[str, str]]
    consumedPools: dict[str, Any]
    cephResources: dict[str, Any]  # by storage pool
    secrets: list[dict[str, Any]]  # where the keys are
