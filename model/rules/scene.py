"""What the rules look at: the claims that could be read, each with its place."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeVar

from model.pools import Cluster, ControlPlane, HypervisorPool, Pool, StoragePool
from model.problems import Path
from model.tenant import OpenStackCluster

T = TypeVar("T")
Placed = list[tuple[Path, T]]


@dataclass(frozen=True, kw_only=True)
class Scene:
    region: str | None = None
    namespace: str
    control_planes: Placed[ControlPlane] = field(default_factory=list[tuple[Path, ControlPlane]])
    hypervisor_pools: Placed[HypervisorPool] = field(default_factory=list[tuple[Path, HypervisorPool]])
    storage_pools: Placed[StoragePool] = field(default_factory=list[tuple[Path, StoragePool]])
    tenants: Placed[OpenStackCluster] = field(default_factory=list[tuple[Path, OpenStackCluster]])
    unread: AbstractSet[str] = frozenset()
    """Names of claims with too many mistakes to be read; referring to them is no further mistake."""
    nameless: AbstractSet[str] = frozenset()
    """Keys below which there is a claim of unknown name; any reference may mean that one."""

    @property
    def pools(self) -> dict[str, tuple[Path, Pool]]:
        """The pools by name, without those of which two have the same."""
        placed: Placed[Pool] = [*self.hypervisor_pools, *self.storage_pools]
        times = Counter(pool.name for _, pool in placed)
        return {pool.name: (path, pool) for path, pool in placed if times[pool.name] == 1}

    @property
    def clusters(self) -> Placed[Cluster]:
        return [*self.control_planes, *self.hypervisor_pools, *self.storage_pools]
