"""How Flux reaches one cluster: by a short-lived token of a service account, and with that one's rights only there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.authentication import audience, user
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.flux_sources import NAMESPACE
from components.options import child_opts
from components.shoot import CLUSTER_LABEL, REGION_LABEL
from model.catalog import ClusterKind
from model.naming import shoot_name

ACCOUNT = "flux"
CONFIG_MAP, SECRET = "flux-access", "kubeconfig"
MANAGED = {"app.kubernetes.io/managed-by": "pulumi"}
RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True, kw_only=True)
class Target:
    """A cluster as its releases need it."""

    cluster: str
    kind: ClusterKind
    namespace: str  # of Flux's objects for this cluster, in the management cluster
    home: pulumi.Resource | None = None  # that namespace, where it is one of the region's own
    config_map: str | None = None
    secret: str | None = None
    access: ClusterAccess | None = None  # none for the management cluster itself
    ready: Sequence[pulumi.Resource] = ()


def management_target() -> Target:
    """Flux's own cluster, which it reaches without further ado."""
    return Target(cluster="management", kind="management", namespace=NAMESPACE)


def open_target(  # noqa: PLR0913  (each says one thing about the cluster)
    name: str, kind: ClusterKind, access: ClusterAccess, *, flux: Flux, project: str, parent: pulumi.Resource
) -> Target:
    """Every cluster has a namespace of its own name in the management cluster, and in it one identity."""
    cluster = access.cluster
    here = child_opts(parent, provider=flux.provider)
    namespace = kubernetes.core.v1.Namespace(
        f"{name}-namespace",
        metadata={"name": cluster, "labels": {**MANAGED, CLUSTER_LABEL: cluster, REGION_LABEL: flux.region}},
        opts=here,
    )
    if flux.settings.issuer is None:
        return Target(
            cluster=cluster,
            kind=kind,
            namespace=cluster,
            home=namespace,
            secret=SECRET,
            access=access,
            ready=[namespace],
        )
    inside = child_opts(parent, provider=flux.provider, depends_on=[namespace])
    account = kubernetes.core.v1.ServiceAccount(
        f"{name}-flux-account", metadata={"name": ACCOUNT, "namespace": cluster, "labels": MANAGED}, opts=inside
    )
    way = kubernetes.core.v1.ConfigMap(
        f"{name}-flux-access",
        metadata={"name": CONFIG_MAP, "namespace": cluster, "labels": MANAGED},
        data={
            "provider": "generic",
            "address": access.server,
            "ca.crt": access.authority,
            "audiences": audience(shoot_name(cluster, project)),
            "serviceAccountName": ACCOUNT,
        },
        opts=inside,
    )
    binding = _rights(f"{name}-flux-rights", access, parent)
    return Target(
        cluster=cluster,
        kind=kind,
        namespace=cluster,
        home=namespace,
        config_map=CONFIG_MAP,
        access=access,
        ready=[namespace, account, way, binding],
    )


def _rights(name: str, access: ClusterAccess, parent: pulumi.Resource) -> kubernetes.rbac.v1.ClusterRoleBinding:
    """All rights, for charts bring definitions and roles of their own; for this cluster's identity and no other."""
    return kubernetes.rbac.v1.ClusterRoleBinding(
        name,
        metadata={"name": "c5c3-flux", "labels": MANAGED},
        role_ref={"api_group": RBAC, "kind": "ClusterRole", "name": "cluster-admin"},
        subjects=[{"api_group": RBAC, "kind": "User", "name": user(access.cluster, ACCOUNT)}],
        opts=access.options(parent),
    )
