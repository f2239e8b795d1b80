"""A tenant's name becomes part of other names, which have to be names, too."""

import re
from collections.abc import Iterator

from policies.policy import Policy, Severity, Violation, at
from policies.scene import TENANT, Scene, Tenant

NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
LONGEST, WITH_GATEWAY = 53, 45  # openstack-<tenant>, and Rook's Service rook-ceph-rgw-<tenant>-rgw


def judge(tenant: Tenant, scene: Scene) -> Iterator[Violation]:
    node = tenant.plane.at("metadata", "name")
    name = node.text()
    if name is None:
        yield at(node, "is missing, so it would be made up: write the tenant's name.")
        return
    if not NAME.fullmatch(name):
        yield at(node, f"is {name!r}: use lower-case letters, digits and hyphens, but no hyphen at the ends.")
    with_gateway = any(one.kind == "CephObjectStore" for one in scene.owned(tenant))
    longest = WITH_GATEWAY if with_gateway else LONGEST
    if len(name) > longest:
        why = " with an object store" if with_gateway else ""
        yield at(node, f"is {name!r}, which has {len(name)} characters: use at most {longest}{why}.")
    namespace = tenant.plane.at("metadata", "namespace")
    if namespace.text() != f"openstack-{name}":
        yield at(namespace, f"is {namespace.text()!r}: use openstack-{name}, which is this tenant's and nobody else's.")
    label = tenant.plane.at("metadata", "labels", TENANT)
    if label.text() not in (None, name):
        yield at(label, f"is {label.text()!r}, and the tenant is {name!r}: use one of the two in both places.")


POLICY = Policy(
    name="tenant-names",
    title="Tenants have names that fit",
    description="A tenant's name is a DNS label of at most 53 characters, 45 with an object store, and its namespace "
    "is openstack-<name>.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Choose a shorter name of lower-case letters, digits and hyphens; a tenant cannot be renamed later.",
    subjects=lambda scene: scene.tenants,
    judge=judge,
    tags=("isolation", "rule 15"),
)
