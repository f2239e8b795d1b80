"""One more Ceph monitor at a third site, which decides when two sites no longer see each other.

The arbiter's cluster is somebody else's, and so is its kubeconfig: it lies in OpenBao, goes from there straight into
the storage cluster, and never comes by here.
"""

from __future__ import annotations

from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.meta import v1 as meta

from components.ceph_cluster import NAME as CEPH, NAMESPACE as CEPH_NAMESPACE, CephCluster
from components.in_cluster import InCluster
from components.readiness import patience, waiting
from components.secret_store import NAME as STORE
from crds import arbiter, external_secrets
from model.pools import StoragePool

SYSTEM, NAMESPACE = "external-arbiter-operator", "external-arbiter-system"
FILE = "kubeconfig.yaml"  # where the operator looks
PROPERTY = "value"  # as in every Secret with a kubeconfig


@dataclass(frozen=True, kw_only=True)
class Arbiter:
    kubeconfig: external_secrets.ExternalSecret
    cluster: arbiter.RemoteCluster
    monitor: arbiter.RemoteArbiter


def external_arbiter(  # noqa: PLR0913  (each says one thing about the arbiter)
    name: str,
    *,
    claim: StoragePool,
    ceph: CephCluster,
    cluster: InCluster,
    operator: pulumi.Resource,
    store: pulumi.Resource,
    parent: pulumi.Resource,
) -> Arbiter | None:
    """The arbiter of a storage pool whose claim names one. In its cluster there is a namespace of the pool's name."""
    third = claim.arbiter_cluster
    if third is None:
        return None
    secret = f"kubeconfig-{third}"

    def options(kind: str, *after: pulumi.Resource) -> pulumi.ResourceOptions:
        return cluster.options(parent, depends_on=after, custom_timeouts=patience(kind))

    def metadata(kind: str, called: str) -> meta.ObjectMetaArgs:
        labels = {"c5c3.io/cluster": claim.name, "c5c3.io/region": claim.region}
        return meta.ObjectMetaArgs(name=called, namespace=NAMESPACE, labels=labels, annotations=waiting(kind))

    kubeconfig = external_secrets.ExternalSecret(
        f"{name}-arbiter-kubeconfig",
        metadata=metadata("ExternalSecret", secret),
        spec=external_secrets.ExternalSecretSpecArgs(
            refresh_interval="1h",
            secret_store_ref=external_secrets.ExternalSecretSpecSecretStoreRefArgs(
                kind="ClusterSecretStore", name=STORE
            ),
            target=external_secrets.ExternalSecretSpecTargetArgs(name=secret),
            data=[
                external_secrets.ExternalSecretSpecDataArgs(
                    secret_key=FILE,
                    remote_ref=external_secrets.ExternalSecretSpecDataRemoteRefArgs(
                        key=vault_path(third), property=PROPERTY
                    ),
                )
            ],
        ),
        opts=options("ExternalSecret", store, operator),
    )
    remote = arbiter.RemoteCluster(
        f"{name}-arbiter-cluster",
        metadata=metadata("RemoteCluster", third),
        spec=arbiter.RemoteClusterSpecArgs(
            accesskey_ref=arbiter.RemoteClusterSpecAccesskeyRefArgs(name=secret, key=FILE), namespace=claim.name
        ),
        opts=options("RemoteCluster", kubeconfig, operator),
    )
    monitor = arbiter.RemoteArbiter(
        f"{name}-arbiter",
        metadata=metadata("RemoteArbiter", third),
        spec=arbiter.RemoteArbiterSpecArgs(
            ceph_cluster=arbiter.RemoteArbiterSpecCephClusterArgs(name=CEPH, namespace=CEPH_NAMESPACE),
            remote_cluster=arbiter.RemoteArbiterSpecRemoteClusterArgs(name=third),
        ),
        opts=options("RemoteArbiter", remote, *ceph.resources),
    )
    return Arbiter(kubeconfig=kubeconfig, cluster=remote, monitor=monitor)


def vault_path(third: str) -> str:
    return f"infrastructure/kubeconfig-{third}"
