"""An arbiter decides between two sites, so it stands at a third one."""

from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Severity, Violation, WhenUnknown, at
from policies.scene import Scene

GROUPS = ("ceph.cobaltcore.sap.com", "ceph.c5c3.io")


def subjects(scene: Scene) -> list[Object]:
    return [one for group in GROUPS for one in scene.of_kind(group, "RemoteArbiter", "RemoteCluster")]


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    node = one.at("spec", "remoteCluster", "name") if one.kind == "RemoteArbiter" else one.at("metadata", "name")
    third = node.text()
    clusters = {cluster.name: cluster for cluster in scene.clusters}
    home = scene.cluster_of(one)
    if third is None or home is None:
        return
    if third == home.name:
        yield at(node, f"is {third!r}, the storage pool itself: name a cluster at a third site.")
    elif third in clusters and clusters[third].zones & home.zones:
        shared = ", ".join(sorted(clusters[third].zones & home.zones))
        yield at(node, f"is {third!r}, which stands in {shared} as {home.name} does: name a cluster at a third site.")


POLICY = Policy(
    name="arbiters-elsewhere",
    title="Arbiters are at a third site",
    description="The arbiter of a storage pool is in another cluster, and in no zone of the pool.",
    severity=Severity.MEDIUM,
    level="advisory",
    remedy="Name a cluster at a third site in arbiterCluster.",
    subjects=subjects,
    judge=judge,
    when_unknown=WhenUnknown.WAIT,
    tags=("data", "rule 22"),
)
