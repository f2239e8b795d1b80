"""A large tenant does not stand or fall with one pool."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, WhenUnknown, at
from policies.scene import Scene, Tenant

LARGE = ("large", "xlarge")
ZONE = "availability-zone"


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    if tenant.size not in LARGE:
        return
    pools = scene.pools("hypervisor")
    named = sorted({name for node in tenant.pools("hypervisor") if (name := node.text())})
    if len(named) > 1:
        return
    zones = {zone for name in named if name in pools for zone in pools[name].zones | {pools[name].labels.get(ZONE, "")}}
    if named and len(zones - {""}) < 2:  # noqa: PLR2004  (of two, one may fail)
        yield at(
            tenant.plane.at("spec", "compute", "hypervisorClusters"),
            f"is {named}, one pool in one availability zone, and the tenant is {tenant.size}: name a second pool, or "
            "one with more zones.",
        )


POLICY = Policy(
    name="tenants-spread",
    title="Large tenants are spread",
    description="A tenant of size large or xlarge has two hypervisor pools or two availability zones.",
    severity=Severity.MEDIUM,
    level="advisory",
    remedy="Name a second hypervisor pool in another availability zone.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    when_unknown=WhenUnknown.WAIT,
    tags=("sizing", "rule 7"),
)
