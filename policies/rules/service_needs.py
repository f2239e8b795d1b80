"""A service without what it needs does not start."""

from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene, Tenant

IDENTITY = "keystone"  # in which every other service checks who calls it
NEEDS = {
    "nova": ("placement", "glance", "neutron"),
    "octavia": ("nova", "neutron"),
}


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    services = tenant.plane.at("spec", "services")
    names = [one.path.rpartition(".")[2] for one in services.items()]
    enabled = {name: services.at(name, "enabled").flag() for name in names}
    for service in (name for name, on in enabled.items() if on):
        needs = (*NEEDS.get(service, ()), *((IDENTITY,) if service != IDENTITY else ()))
        missing = [one for one in needs if not enabled.get(one)]
        if missing:
            yield at(
                services.at(service, "enabled"),
                f"is True, and {' and '.join(missing)} {'are' if missing[1:] else 'is'} not enabled: enable "
                f"{'them' if missing[1:] else 'it'}, or disable {service}.",
            )
    if enabled.get("manila") and not _filesystem(tenant, scene):
        yield at(
            services.at("manila", "enabled"),
            f"is True, and {tenant.name} has no CephFilesystem: enable storage.ceph.filesystem, or disable manila.",
        )


def _filesystem(tenant: Tenant, scene: Scene) -> bool:
    return any(one.kind == "CephFilesystem" for one in scene.owned(tenant))


POLICY = Policy(
    name="service-needs",
    title="Services have what they need",
    description="Manila has a CephFS; Nova has Placement, Glance and Neutron; Octavia has Nova and Neutron; all have "
    "Keystone.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Enable the services that are missing, or disable the one that needs them.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("sizing", "rule 17"),
)
