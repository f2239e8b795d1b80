"""The disks of machines want fast disks below."""

from collections.abc import Iterator

from policies.ceph import clusters, device_sets
from policies.objects import Object
from policies.policy import Policy, Severity, Violation
from policies.scene import Scene

ENDING = "-ephemeral"  # of one that no ControlPlane names yet
CLASS = "crushDeviceClass"


def subjects(scene: Scene) -> list[Object]:
    return [
        one
        for one in scene.ceph("CephBlockPool")
        if (one.name or "").endswith(ENDING) or "ephemeral" in scene.roles.get(one.name or "", ())
    ]


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    slow = one.at("spec", "deviceClass").text() or _class(one, scene)
    if slow == "hdd":
        yield Violation(
            object=one,
            says="spec.deviceClass is 'hdd', and ephemeral disks are the machines' own: use ssd or nvme "
            "(ephemeralPool.storageCluster), or disable ephemeralPool.",
        )


def _class(one: Object, scene: Scene) -> str | None:
    """That of all disks of the Ceph cluster, where the pool names none."""
    home = scene.cluster_of(one)
    found = {
        template.at("metadata", "annotations", CLASS).text()
        for ceph in (clusters(home, scene) if home else [])
        for disks in device_sets(ceph)
        for template in disks.at("volumeClaimTemplates").items()
    }
    return found.pop() if len(found) == 1 else None


POLICY = Policy(
    name="ephemeral-disks",
    title="Ephemeral disks are fast",
    description="No pool of ephemeral disks is on rotating disks.",
    severity=Severity.LOW,
    level="advisory",
    remedy="Put the ephemeral pool on a storage pool of ssd or nvme, or disable it.",
    subjects=subjects,
    judge=judge,
    tags=("sizing", "rule 21"),
)
