"""A tenant on one pool of a compliance regime is under it with everything it has."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene, Tenant

LABEL = "compliance"


def regime(tenant: Tenant, scene: Scene) -> tuple[str, str] | None:
    """The regime, and the pool or object that says it."""
    own = tenant.plane.label(LABEL)
    if own:
        return own, "the tenant"
    pools = scene.pools()
    for _, name in tenant.references:
        found = pools[name].labels.get(LABEL) if name in pools else None
        if found:
            return found, name
    return None


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    found = regime(tenant, scene)
    if found is None:
        return
    wanted, source = found
    pools = scene.pools()
    for node, name in tenant.references:
        if name in pools and pools[name].labels.get(LABEL) != wanted:
            yield at(
                node,
                f"is {name!r}, which is not labelled {LABEL}={wanted} as {source} is: name only pools of that label.",
            )


POLICY = Policy(
    name="compliance-pools",
    title="Compliance holds for all pools",
    description="A tenant under a compliance regime uses only pools of that regime, storage included.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Name only pools with the same label compliance, or move the tenant off the pool that has it.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "compliance", "rule 4"),
)
