"""A region has one cluster for control planes, a namespace one control plane."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from policies.objects import Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene


@dataclass(frozen=True, eq=False)
class Place:
    where: str
    what: str
    there: list[Object]


def subjects(scene: Scene) -> list[Place]:
    regions: dict[Hashable, list[Object]] = {}
    for cluster in scene.clusters:
        if cluster.kind == "control-plane":
            regions.setdefault(cluster.region, []).append(cluster.shoot)
    namespaces: dict[tuple[str, str], list[Object]] = {}
    for tenant in scene.tenants:
        namespaces.setdefault((tenant.plane.cluster, tenant.plane.namespace or "-"), []).append(tenant.plane)
    return [
        *(Place(f"the region {region}", "control-plane cluster", there) for region, there in regions.items()),
        *(Place(f"the namespace {name}", "ControlPlane", there) for (_, name), there in namespaces.items()),
    ]


def judge(place: Place, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    first, *more = place.there
    for one in more:
        yield at(
            one.at("metadata", "name"),
            f"is {one.name!r}, and {first.name!r} is the {place.what} of {place.where} already: remove one of them.",
        )


POLICY = Policy(
    name="one-control-plane",
    title="One control plane",
    description="A region has one control-plane cluster, and a namespace has one ControlPlane.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Remove the second one, or give it a region or a namespace of its own.",
    subjects=subjects,
    judge=judge,
    tags=("isolation", "rule 14"),
)
