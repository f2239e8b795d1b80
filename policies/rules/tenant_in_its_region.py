"""A tenant stands in one region: its ControlPlane and every pool that it names."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import REGION, Scene, Tenant


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    plane = tenant.plane
    said = plane.at("spec", "global", "region")
    label = plane.at("metadata", "labels", REGION)
    region = said.text() or label.text()
    if region is None:
        yield at(said, "is missing: write the region that the tenant belongs to.")
        return
    if label.text() not in (None, region):
        yield at(
            label, f"is {label.text()!r}, and spec.global.region is {region!r}: use one of the two in both places."
        )
    home = scene.cluster_of(plane)
    if home is None or home.kind != "control-plane":
        yield at(
            plane.at("metadata", "name"),
            f"is {tenant.name!r} in the cluster {plane.cluster!r}, which is no control plane of this stack: put it "
            f"into the control plane of {region}.",
        )
    elif home.region != region:
        yield at(
            said, f"is {region!r}, and it stands in {home.name}, a cluster of {home.region}: use the one or the other."
        )
    pools = scene.pools()
    for node, name in tenant.references:
        pool = pools.get(name)
        if pool is not None and pool.region != region:
            yield at(
                node,
                f"is {name!r}, a pool of {pool.region}, and the tenant belongs to {region}: name a pool of {region}.",
            )


POLICY = Policy(
    name="tenant-in-its-region",
    title="Tenants stay in their region",
    description="A tenant's control plane and pools are all in the region that it belongs to.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Name pools of the tenant's own region, and put its ControlPlane into that region's control-plane cluster.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "rule 1"),
)
