"""What holds data is deleted by a deliberate step, never by a mistake in a plan."""

from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import CEPH, GARDENER, Cluster, Scene

STATEFUL = {
    (CEPH, "CephCluster"),
    (CEPH, "CephBlockPool"),
    (CEPH, "CephFilesystem"),
    (CEPH, "CephObjectStore"),
    (GARDENER, "Shoot"),
    ("k8s.mariadb.com", "MariaDB"),
    ("rabbitmq.com", "RabbitmqCluster"),
    ("c5c3.io", "ControlPlane"),
    ("", "PersistentVolumeClaim"),
}
DELETION = "confirmation.gardener.cloud/deletion"


def subjects(scene: Scene) -> Iterator[Object]:
    for one in scene.objects:
        if stateful(one):
            yield one


def stateful(one: Object) -> bool:
    return (one.group, one.kind) in STATEFUL and _holds_data(one)


def _holds_data(one: Object) -> bool:
    """A hypervisor pool holds machines, which are restarted elsewhere; a staging tenant may be thrown away."""
    return one.kind != "Shoot" or Cluster(one).kind != "hypervisor"


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    if not one.protect:
        yield Violation(
            object=one,
            says=f"the {one.kind} is not protected, so a plan that drops it deletes what it holds: set the option "
            "protect (deletionProtection in the stack file).",
        )
    consent = one.at("metadata", "annotations", DELETION)
    if one.kind == "Shoot" and consent.flag():
        yield at(consent, 'is "true", so Gardener deletes the cluster at the first request: leave the annotation out.')


POLICY = Policy(
    name="stateful-is-protected",
    title="What holds data is protected",
    description="Ceph clusters, pools, filesystems and object stores, databases, queues, control planes and their "
    "Shoots are protected from deletion.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Leave deletionProtection at true, or set protect on the resource; unprotect it in a change of its own.",
    subjects=subjects,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("data", "rule 20"),
)
