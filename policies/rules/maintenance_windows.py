"""Gardener updates a cluster when people expect it."""

import re
from collections.abc import Iterator

from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import Cluster, Scene

TIME = re.compile(r"([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9][+-][0-9]{4}")


def judge(cluster: Cluster, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    window = cluster.shoot.at("spec", "maintenance", "timeWindow")
    begin, end = window.at("begin"), window.at("end")
    for node in (begin, end):
        if not TIME.fullmatch(node.text() or ""):
            yield at(node, f"is {node.text()!r}, so Gardener chooses some hour: write a time such as 220000+0000.")
            return
    if begin.text() == end.text():
        yield at(end, f"is {end.text()!r}, as begin is: leave an hour or so between them.")


POLICY = Policy(
    name="maintenance-windows",
    title="Clusters have a maintenance window",
    description="Each Shoot says when Gardener may update it.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Set maintenance.begin and maintenance.end of the cluster.",
    subjects=lambda scene: scene.clusters,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("operations",),
)
