"""What a ControlPlane has to say of its tenant for others to be able to judge it."""

from collections.abc import Iterator

from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import ENVIRONMENT, SIZE, Scene, Tenant

VALUES = {
    SIZE: ("small", "medium", "large", "xlarge"),
    ENVIRONMENT: ("production", "staging", "development"),
}


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    for key, values in VALUES.items():
        node = tenant.plane.at("metadata", "labels", key)
        if node.text() not in values:
            yield at(node, f"is {node.text()!r}: use one of {', '.join(values)}, by which the tenant is judged.")


POLICY = Policy(
    name="tenant-facts",
    title="Tenants say what they are",
    description="A ControlPlane has the labels c5c3.io/size and c5c3.io/environment, by which other policies judge it.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Set both labels; the component OpenStackCluster does so from the claim.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("gate",),
)
