"""Which services need which."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE
from tests.policies.judging import Plan

# service-needs


def service(plan: Plan, name: str, *, enabled: bool) -> None:
    plan.find(PLANE, FINANCE).put(enabled, "spec", "services", name, "enabled")


@broken("service-needs", "ControlPlane/finance-prod", "nova.enabled is True, and glance is not", "disable nova")
def nova_without_glance(plan: Plan) -> None:
    """The example of the documents."""
    service(plan, "glance", enabled=False)


@broken("service-needs", "ControlPlane/finance-prod", "placement is not enabled", "enable it, or disable nova")
def nova_without_placement(plan: Plan) -> None:
    del plan.find(PLANE, FINANCE).at("spec", "services")["placement"]


@broken("service-needs", "ControlPlane/finance-prod", "has no CephFilesystem", "disable manila")
def manila_without_a_filesystem(plan: Plan) -> None:
    service(plan, "manila", enabled=True)


@broken("service-needs", "ControlPlane/finance-prod", "nova.enabled is True, and keystone is not", "disable nova")
def nova_without_keystone(plan: Plan) -> None:
    service(plan, "keystone", enabled=False)
    for name in ("cinder", "manila", "octavia", "horizon"):
        service(plan, name, enabled=False)


@broken("service-needs", "ControlPlane/finance-prod", "keystone is not enabled", "enable it")
def everything_without_keystone(plan: Plan) -> None:
    service(plan, "keystone", enabled=False)


@fine("service-needs")
def nothing_but_cinder(plan: Plan) -> None:
    for name in ("nova", "neutron", "glance"):
        service(plan, name, enabled=False)
