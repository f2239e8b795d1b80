"""The way into one cluster: the one provider of everything in it, with no credential anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from access.kubeconfig import AUTHORITY, ShootRef, address, text
from components.cluster_trouble import explain
from components.garden import GardenAccess
from components.options import child_opts
from components.unknown import unknown
from crds import gardener
from model.naming import shoot_name

INFO = "c5c3-cluster-info"
INFO_NAMESPACE = "kube-public"


@dataclass(frozen=True, kw_only=True)
class ClusterAccess:
    """Handed to whatever has objects in the cluster. `options` makes their resource options."""

    cluster: str
    shoot: gardener.Shoot
    provider: kubernetes.Provider
    server: pulumi.Output[str]
    authority: pulumi.Output[str]  # certificate of the cluster's API, in PEM
    kubeconfig: pulumi.Output[str]  # holds the command that gets a credential, and no credential
    ref: ShootRef
    command: str  # with which a person gets a kubeconfig
    on_error: pulumi.ErrorHook

    def options(self, parent: pulumi.Resource, **more: Any) -> pulumi.ResourceOptions:  # noqa: ANN401
        """Options of an object in the cluster, which goes with the cluster: nobody deletes it one by one then."""
        own: dict[str, Any] = {"provider": self.provider, "deleted_with": self.shoot, "on_error": self.on_error}
        return child_opts(parent, **{**own, **more})


def open_access(
    name: str, cluster: str, shoot: gardener.Shoot, *, garden: GardenAccess, parent: pulumi.Resource
) -> ClusterAccess:
    """What a kubeconfig needs comes from the garden, once the Shoot is ready: unknown in the plan that makes it."""
    ref = garden.shoot(shoot_name(cluster, garden.settings.namespace))
    server = shoot.status.apply(_server)
    config_map = f"{ref.namespace}/{ref.name}.{AUTHORITY}"
    published = kubernetes.core.v1.ConfigMap.get(
        f"{name}-ca", server.apply(lambda _: config_map), opts=child_opts(parent, provider=garden.provider)
    )
    authority = published.data.apply(lambda data: data["ca.crt"])
    kubeconfig = pulumi.Output.all(server, authority).apply(lambda given: text(ref, given[0], given[1]))
    provider = kubernetes.Provider(
        f"{name}-cluster",
        kubeconfig=kubeconfig,
        # Not the kubeconfig decides whether this is another cluster; if the Shoot is made anew, so is all behind it.
        cluster_identifier=f"{ref.namespace}/{ref.name}",
        opts=child_opts(parent, replace_with=[shoot], deleted_with=shoot),
    )
    return ClusterAccess(
        cluster=cluster,
        shoot=shoot,
        provider=provider,
        server=server,
        authority=authority,
        kubeconfig=kubeconfig,
        ref=ref,
        command=ref.command,
        on_error=explain(f"{name}-explains", cluster, ref),
    )


def _server(status: gardener.outputs.ShootStatus | None) -> pulumi.Output[str]:
    """A Shoot that is not ready has a status already, but no address in it."""
    rows = (status.advertised_addresses if status else None) or []
    found = address({one.name: one.url for one in rows})
    if found is None:
        if not pulumi.runtime.is_dry_run():
            raise pulumi.RunError("A Shoot that is ready has no advertised address: look at it in the garden.")
        return unknown()
    return pulumi.Output.from_input(found)


def prove(name: str, access: ClusterAccess, facts: Mapping[str, str], parent: pulumi.Resource) -> None:
    """One object by which a person finds out what a cluster is, and which proves that the access works."""
    kubernetes.core.v1.ConfigMap(
        name,
        metadata={
            "name": INFO,
            "namespace": INFO_NAMESPACE,
            "labels": {"app.kubernetes.io/managed-by": "pulumi", "c5c3.io/cluster": access.cluster},
        },
        data=dict(facts),
        opts=access.options(parent),
    )
