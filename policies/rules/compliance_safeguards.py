"""Data under a compliance regime is encrypted on its disks and on its way, and there at least three times."""

from collections.abc import Iterator

from policies.ceph import clusters, copies, device_sets, persistent
from policies.objects import Object
from policies.policy import Policy, Severity, Violation, at
from policies.rules.compliance_pools import LABEL, regime
from policies.scene import Cluster, Scene, Tenant

LEAST = 3


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    found = regime(tenant, scene)
    if found is None:
        return
    wanted, source = found
    why = f"and {source} is labelled {LABEL}={wanted}"
    tls = tenant.plane.at("spec", "global", "tls", "enabled")
    if not tls.flag():
        yield at(tls, f"is {tls.value!r}, {why}: set it to true.")
    for one in scene.owned(tenant):
        if persistent(one, scene):
            yield from _copied(one, why)
    pools = scene.pools("storage")
    for _, name in tenant.references:
        if name in pools and pools[name].labels.get(LABEL) == wanted:  # of others, compliance-pools says enough
            yield from _encrypted(pools[name], scene, why)


def _copied(one: Object, why: str) -> Iterator[Violation]:
    for pool in copies(one):
        if (pool.number or 0) < LEAST:
            yield at(pool.node, f"is {pool.node.value!r}, {why}: keep {LEAST} copies or more.")


def _encrypted(pool: Cluster, scene: Scene, why: str) -> Iterator[Violation]:
    for ceph in clusters(pool, scene):
        if ceph.at("spec", "storage", "config", "encryptedDevice").flag():
            continue
        sets = device_sets(ceph)
        for disks in sets:
            node = disks.at("encrypted")
            if not node.flag():
                yield at(node, f"is {node.value!r}, {why}: set it to true (ceph.encrypted), which takes new disks.")
        if not sets:
            node = ceph.at("spec", "storage", "config", "encryptedDevice")
            yield at(node, f'is {node.value!r}, {why}: set it to "true".')


POLICY = Policy(
    name="compliance-safeguards",
    title="Compliance is encrypted and copied",
    description="A tenant under a compliance regime has TLS, encrypted disks and at least three copies of its data.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Enable tls, set ceph.encrypted of the storage pool, and replication to 3 or more.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "compliance", "rule 6"),
)
