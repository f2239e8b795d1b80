"""The dear servers are for those who need them."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene, Tenant

LABEL = "tier"


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    if tenant.size != "small":
        return
    pools = scene.pools()
    for node, name in tenant.references:
        if name in pools and pools[name].labels.get(LABEL) == "premium":
            yield at(node, f"is {name!r}, a pool of {LABEL}=premium, and the tenant is small: name a standard pool.")


POLICY = Policy(
    name="premium-pools",
    title="Small tenants use standard pools",
    description="A tenant of size small is on no pool of tier=premium.",
    severity=Severity.LOW,
    level="advisory",
    remedy="Name a pool of tier=standard.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("sizing", "rule 8"),
)
