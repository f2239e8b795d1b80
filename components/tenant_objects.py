"""What all objects of a tenant have in common: their labels, their options, and the tenant's namespace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_kubernetes.meta import v1 as meta

from components.in_cluster import InCluster
from components.readiness import patience, waiting
from components.shoot import REGION_LABEL
from model.tenant import OpenStackCluster

TENANT_LABEL = "c5c3.io/tenant"
CLAIM_NAMESPACE_LABEL = "c5c3.io/claim-namespace"
ENVIRONMENT_LABEL = "c5c3.io/environment"
SIZE_LABEL = "c5c3.io/size"
CLUSTER_LABEL = "c5c3.io/openstack-cluster"
PROTECTION = "c5c3.io/deletion-protection"  # on a ControlPlane, where the next run looks before it plans


def namespace_of(tenant: str) -> str:
    return f"openstack-{tenant}"


def labels(claim: OpenStackCluster) -> dict[str, str]:
    """Of every object of the tenant, by which a person finds them all."""
    owner = {CLAIM_NAMESPACE_LABEL: claim.namespace} if claim.namespace else {}
    return {TENANT_LABEL: claim.name, REGION_LABEL: claim.region, **owner}


def all_labels(claim: OpenStackCluster) -> dict[str, str]:
    """Of its namespace and ControlPlane, which have the claim's own too."""
    own = {CLUSTER_LABEL: "true", ENVIRONMENT_LABEL: claim.environment, SIZE_LABEL: claim.size}
    return {**claim.labels, **labels(claim), **own}


def metadata(
    kind: str, name: str, namespace: str, given: Mapping[str, str], annotations: Mapping[str, str] | None = None
) -> meta.ObjectMetaArgs:
    """With the annotation by which the object is waited for, and others."""
    noted = {**waiting(kind), **(annotations or {})}
    return meta.ObjectMetaArgs(name=name, namespace=namespace, labels=given, annotations=noted)


def protection(claim: OpenStackCluster) -> dict[str, str]:
    """The annotation of a protected tenant's ControlPlane."""
    return {PROTECTION: "true"} if claim.deletion_protection else {}


def options(  # noqa: PLR0913  (each says one thing about the object)
    claim: OpenStackCluster,
    cluster: InCluster,
    parent: pulumi.Resource,
    *,
    kind: str | None = None,
    after: Sequence[pulumi.Resource] = (),
    holds_data: bool = False,
) -> pulumi.ResourceOptions:
    """Nothing of a protected tenant is deleted, and data that leaves the program by mistake stays in its cluster.

    Everything, for Pulumi deletes what depends on others first and does not look ahead: it would take the nodes and
    the keys of a tenant before it came to the first object that it must not delete.
    """
    protected = {"protect": True} if claim.deletion_protection else {}
    retained = {"retain_on_delete": True} if holds_data and claim.deletion_protection else {}
    patient = {"custom_timeouts": patience(kind)} if kind else {}
    return cluster.options(parent, depends_on=after, **protected, **retained, **patient)
