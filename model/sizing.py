"""What a tenant's size means: the table in sizes.yaml, and a tenant's own entries in place of the table's."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_args

import yaml
from pydantic import model_validator

from model.claim import Claim
from model.partial import partial
from model.words import Capacity, Flag, Name, Quorum, Replicas, Size

TABLE = Path(__file__).with_name("sizes.yaml")
MAJORITY = 3  # members that survive the loss of one


class Database(Claim):
    replicas: Quorum
    """Members of the Galera cluster; cannot be changed later."""
    storage_size: Capacity
    """Volume of each member; cannot be changed later."""
    storage_class: Name | None = None
    """Storage class of the volumes; the cluster's default when left out."""


class Queue(Claim):
    replicas: Quorum
    """Members of the cluster."""
    storage_class: Name | None = None
    """Storage class of the volumes; the cluster's default when left out."""


class Valkey(Claim):
    replicas: Replicas
    """Members; an odd number of at least three with sentinel."""
    sentinel: Flag
    """Whether sentinels elect a new leader; cannot be changed later."""

    @model_validator(mode="after")
    def _electable(self) -> Self:
        if self.sentinel and (self.replicas < MAJORITY or self.replicas % 2 == 0):
            raise ValueError(
                f"has {self.replicas} replicas with sentinel: use an odd number of at least {MAJORITY}, "
                "or set sentinel to false"
            )
        return self


class Replicated(Claim):
    replicas: Replicas
    """Copies of the service."""


class Ovn(Claim):
    northbound: Quorum
    """Members of the northbound database."""
    southbound: Quorum
    """Members of the southbound database."""


class Nova(Claim):
    api: Replicas
    """Copies of nova-api."""
    scheduler: Replicas
    """Copies of nova-scheduler."""
    conductor: Replicas
    """Copies of nova-conductor."""


class Neutron(Claim):
    api: Replicas
    """Copies of the API."""
    server: Replicas
    """Copies of neutron-server."""


class Cinder(Claim):
    api: Replicas
    """Copies of cinder-api."""
    scheduler: Replicas
    """Copies of cinder-scheduler."""
    volume: Replicas
    """Copies of cinder-volume."""


class Sizing(Claim):
    """Replicas of every component of a tenant's control plane."""

    mariadb: Database
    """Database of all services."""
    rabbitmq: Queue
    """Message queue of the services."""
    valkey: Valkey
    """Valkey, a store of keys and values."""
    memcached: Replicated
    """Cache of the services."""
    ovn: Ovn
    """Databases of the virtual networks."""
    keystone: Replicated
    """Identity service."""
    placement: Replicated
    """Service that counts what hypervisors have free."""
    glance: Replicated
    """Image service."""
    nova: Nova
    """Compute service."""
    neutron: Neutron
    """Network service."""
    cinder: Cinder
    """Volume service."""
    horizon: Replicated
    """Dashboard."""
    octavia: Replicated
    """Load balancer service."""
    manila: Replicated
    """Shared filesystem service."""
    cortex: Replicated
    """Scheduler that learns from metrics."""


if TYPE_CHECKING:

    class PartialSizing(Claim):
        """A tenant's own entries: the fields of Sizing, each optional."""
else:
    PartialSizing = partial(Sizing)


@cache
def table() -> dict[Size, Sizing]:
    """The sizes, complete for every component: an entry that is missing is refused here."""
    rows = yaml.load(TABLE.read_text(), yaml.CSafeLoader)
    return {size: Sizing.model_validate(rows[size]) for size in get_args(Size)}


def sizing(size: Size, own: PartialSizing | None) -> Sizing:
    """The row of a size with a tenant's own entries."""
    row = table()[size]
    if own is None:
        return row
    return Sizing.model_validate(
        _merged(row.model_dump(by_alias=True), own.model_dump(by_alias=True, exclude_none=True))
    )


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """The rows of both, one level deep: that is all a size has."""
    return {key: {**row, **over.get(key, {})} for key, row in base.items()}
