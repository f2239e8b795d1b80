"""A cluster runs a Kubernetes that somebody still mends."""

import re
from collections.abc import Iterator

from model.words import OLDEST_KUBERNETES
from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import Cluster, Scene

VERSION = re.compile(r"v?1\.(?P<minor>[0-9]+)(\.[0-9]+)?")


def judge(cluster: Cluster, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    node = cluster.shoot.at("spec", "kubernetes", "version")
    found = VERSION.fullmatch(node.text() or "")
    if found is None:
        yield at(node, f"is {node.text()!r}: write a version such as 1.35, or Gardener chooses one.")
    elif int(found["minor"]) < OLDEST_KUBERNETES:
        yield at(node, f"is {node.text()!r}, which is out of support: use 1.{OLDEST_KUBERNETES} or newer.")


POLICY = Policy(
    name="kubernetes-versions",
    title="Kubernetes is in support",
    description=f"Each Shoot names a version of Kubernetes, 1.{OLDEST_KUBERNETES} or newer.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Raise kubernetesVersion, one minor version at a time.",
    subjects=lambda scene: scene.clusters,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("operations",),
)
