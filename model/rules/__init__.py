"""The rules between fields and between claims, checked before anything is planned."""

from collections.abc import Iterator

from model.problems import Finding
from model.rules import clusters, membership, sharing, storage, tenants
from model.rules.scene import Scene

__all__ = ["Scene", "broken"]


def broken(scene: Scene) -> Iterator[Finding]:
    """What the claims break, in the order of the claims' kinds."""
    for room in (membership, clusters, tenants, sharing, storage):
        yield from room.check(scene)
