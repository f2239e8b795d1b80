"""Optional systems that a region's claims ask for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

from model.pools import StoragePool
from model.problems import Finding, Path
from model.tenant import OpenStackCluster

if TYPE_CHECKING:  # a region knows the catalogue's overrides, so the catalogue cannot import it
    from model.region import Management, RegionSpec

# The field of a claim that asks for a system when it is anything but false, empty or left out. What such a system
# needs itself, as the Cortex operator needs its database, comes along with it.
TENANTS: dict[str, tuple[str, ...]] = {
    "cortex-operator": ("cortex", "enabled"),
    "tempest-operator": ("tempest", "enabled"),
    "horizon-operator": ("services", "horizon"),
    "valkey-operator": ("size",),  # every size has a Valkey
}
STORAGE_POOLS: dict[str, tuple[str, ...]] = {
    "external-arbiter-operator": ("arbiter_cluster",),
}


@dataclass(frozen=True)
class Wish:
    """A system that a claim asks for, and the claim's field that does."""

    system: str
    claim: str = "a claim"
    field: str = ""
    place: Path | None = None

    def refused(self, path: Path) -> Finding:
        """What to say where the region switches the system off."""
        asks = f"{self.claim} asks for it with {self.field} ({{other}})" if self.place else f"{self.claim} asks for it"
        reads = (self.place,) if self.place else ()
        return Finding(path, f"is false, and {asks}: remove the line as long as that is so", reads, self.place)


def wanted(region: "RegionSpec") -> frozenset[str]:
    """The optional systems that the claims of a region ask for."""
    tenants = [((), tenant) for tenant in region.open_stack_clusters]
    pools = [((), pool) for pool in region.storage_pools]
    return frozenset(wish.system for wish in (*wishes(tenants, pools), *wishes_of(region.management)))


def wishes_of(management: "Management | None") -> Iterator[Wish]:
    """What the management cluster's settings ask for."""
    if management and management.greenhouse:
        yield Wish("greenhouse", "cobaltcore:management", "greenhouse", ("management", "greenhouse"))


def wishes(
    tenants: Iterable[tuple[Path, OpenStackCluster]], pools: Iterable[tuple[Path, StoragePool]]
) -> Iterator[Wish]:
    """The first claim that asks for each system; claims come with their places."""
    yield from _first(TENANTS, list(tenants))
    yield from _first(STORAGE_POOLS, list(pools))


def _first(
    table: dict[str, tuple[str, ...]], claims: list[tuple[Path, OpenStackCluster]] | list[tuple[Path, StoragePool]]
) -> Iterator[Wish]:
    for system, field in table.items():
        keys = tuple(to_camel(name) for name in field)
        for path, claim in claims:
            if _value(claim, field):
                yield Wish(system, claim.name, ".".join(keys), (*path, *keys))
                break


def _value(claim: object, field: tuple[str, ...]) -> object:
    for name in field:
        claim = getattr(claim, name)
    return claim
