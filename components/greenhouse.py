"""The region's clusters in Greenhouse, where operators see all of them and manage what runs for operations.

Greenhouse logs in as Flux does: with short-lived tokens of a service account, which a cluster trusts by its structured
authentication. It wants a Secret for each cluster, with the address and no credential, and writes the credential of the
hour into it. So Flux's operator applies that Secret: were it ours, its live contents would come into Pulumi's state.
"""

from __future__ import annotations

import base64
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.authentication import user
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.options import child_opts
from components.readiness import patience, waiting
from components.shoot import CLUSTER_LABEL
from crds import flux_operator, greenhouse

SYSTEM, ORGANIZATION = "greenhouse", "greenhouse-organization"
NAME = "greenhouse"  # of our objects for a cluster
SECRET_TYPE = "greenhouse.sap/oidc"  # noqa: S105  (a type, and no secret)
ADDRESS = "oidc.greenhouse.sap/api-server-url"
RBAC = "rbac.authorization.k8s.io"


def organization(name: str, flux: Flux, parent: pulumi.Resource) -> greenhouse.Organization | None:
    """To which the clusters belong; Greenhouse makes a namespace of its name."""
    settings, system = flux.settings.greenhouse, flux.hub.get(SYSTEM)
    if settings is None or system is None:
        return None
    return greenhouse.Organization(
        f"{name}-organization",
        metadata={"name": settings.organization, "annotations": {"pulumi.com/patchForce": "true"}},
        spec=greenhouse.OrganizationSpecArgs(description="Regions of CobaltCore"),
        opts=child_opts(parent, provider=flux.provider, depends_on=[system], retain_on_delete=True),
    )


def register(
    name: str, access: ClusterAccess, flux: Flux, home: pulumi.Resource | None, *, parent: pulumi.Resource
) -> flux_operator.ResourceSet | None:
    """One of the region's clusters; its `home`, the namespace where its releases are, has what registers it."""
    settings = flux.settings.greenhouse
    if settings is None:
        return None
    rights = kubernetes.rbac.v1.ClusterRoleBinding(
        f"{name}-greenhouse-rights",
        metadata={"name": "c5c3-greenhouse", "labels": {"app.kubernetes.io/managed-by": "pulumi"}},
        role_ref={"api_group": RBAC, "kind": "ClusterRole", "name": "cluster-admin"},
        subjects=[{"api_group": RBAC, "kind": "User", "name": user(settings.organization, access.cluster)}],
        opts=access.options(parent),
    )
    resource = pulumi.Output.all(access.server, access.authority).apply(
        lambda given: secret(access.cluster, settings.organization, server=given[0], authority=given[1])
    )
    first = [one for one in (flux.hub.get(SYSTEM), flux.hub.get(ORGANIZATION), home) if one]
    return flux_operator.ResourceSet(
        f"{name}-greenhouse",
        metadata={
            "name": NAME,
            "namespace": access.cluster,
            "labels": {CLUSTER_LABEL: access.cluster},
            "annotations": waiting("ResourceSet"),
        },
        spec=flux_operator.ResourceSetSpecArgs(resources=[resource]),
        opts=child_opts(
            parent,
            provider=flux.provider,
            depends_on=[*first, rights],
            custom_timeouts=patience("ResourceSet", flux.settings.ready_within),
            on_error=flux.on_error,
        ),
    )


def secret(cluster: str, organization: str, *, server: str, authority: str) -> dict[str, Any]:
    """What Greenhouse makes a Cluster of: it wants the authority as a kubeconfig has it, which is encoded once."""
    encoded = base64.b64encode(base64.b64encode(authority.encode())).decode()
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": SECRET_TYPE,
        "metadata": {"name": cluster, "namespace": organization, "annotations": {ADDRESS: server}},
        "data": {"ca.crt": encoded},
    }
