"""The cluster of all tenants' control planes survives the loss of a zone."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import Cluster, Scene

ZONES = 3


def judge(cluster: Cluster, scene: Scene) -> Iterator[Violation]:
    shoot = cluster.shoot
    tolerance = shoot.at("spec", "controlPlane", "highAvailability", "failureTolerance", "type")
    if tolerance.text() is None and not _production(cluster, scene):
        return
    if tolerance.text() != "zone":
        yield at(tolerance, f"is {tolerance.text()!r}: use zone, or all tenants stop with one zone (highAvailability).")
        return
    if cluster.nodes < ZONES:
        yield Violation(
            object=shoot,
            says=f"spec.provider.workers have {cluster.nodes} nodes at least: use {ZONES} or more, one a zone.",
        )
    if len(cluster.zones) < ZONES:
        named = ", ".join(sorted(cluster.zones)) or "none"
        yield Violation(
            object=shoot,
            says=f"spec.provider.workers have the zones {named}: name {ZONES} or more, or the loss of one is the loss "
            "of too much.",
        )


def _production(cluster: Cluster, scene: Scene) -> bool:
    """Whatever the cluster is called, tenants of production make it one of production."""
    tenants = [one for one in scene.tenants if one.plane.cluster == cluster.name]
    if any(one.environment == "production" for one in tenants):
        return True
    return cluster.shoot.at("spec", "purpose").text() in (None, "production")


POLICY = Policy(
    name="ha-control-planes",
    title="Control planes survive a zone",
    description="A control-plane cluster of production, or of a tenant of production, tolerates the loss of a zone, "
    "with three workers and zones or more.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Leave highAvailability at true, with workers and zones of 3 or more.",
    subjects=lambda scene: [one for one in scene.clusters if one.kind == "control-plane"],
    judge=judge,
    tags=("sizing", "rule 13"),
)
