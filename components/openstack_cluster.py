"""One tenant's OpenStack: its namespace and ControlPlane, and what it has on every storage pool that it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.ceph_tenant import CephTenant, ceph_tenant
from components.control_plane import control_plane_spec
from components.in_cluster import InCluster
from components.tenant_objects import all_labels, metadata, namespace_of, options
from components.tenant_outputs import ceph_resources, endpoints, phase
from crds import c5c3
from model import pools
from model.ceph_clients import ceph_clients
from model.tenant import OpenStackCluster as Claim


@dataclass(frozen=True, kw_only=True)
class TenantStorage:
    """One storage pool, as a tenant uses it."""

    claim: pools.StoragePool
    cluster: InCluster
    monitors: pulumi.Input[Sequence[str]]
    """Addresses of the Ceph monitors, ip:port."""
    after: Sequence[pulumi.Resource] = ()
    """What makes the Ceph cluster, which is there first then."""


@dataclass(frozen=True, kw_only=True)
class OpenStackClusterArgs:
    claim: Claim
    control_plane: InCluster
    storage: Mapping[str, TenantStorage]
    """The storage pools that the claim names, by name; there may be more."""
    issuer: pools.Issuer
    """Issuer of the certificates of a tenant that names none: the control plane's."""
    after: Sequence[pulumi.Resource] = ()
    """What makes the operators on the control plane, which are there first then."""


class OpenStackCluster(pulumi.ComponentResource):
    namespace: pulumi.Output[str]
    phase: pulumi.Output[str]
    endpoints: pulumi.Output[dict[str, str]]
    ceph_resources: dict[str, Any]
    secret_names: list[str]

    def __init__(self, name: str, args: OpenStackClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:OpenStackCluster", name, None, opts)
        claim = args.claim
        _require(claim, args.storage)
        self._namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": namespace_of(claim.name), "labels": all_labels(claim)},
            opts=options(claim, args.control_plane, self, after=args.after),
        )
        self._ceph = {pool: self._storage(name, claim, args.storage[pool]) for pool in claim.storage_clusters}
        self._control_plane = self._plane(name, args)
        self.namespace = self._namespace.metadata.apply(lambda given: given.name or "")
        self.phase = self._control_plane.status.apply(phase)
        self.endpoints = self._control_plane.status.apply(endpoints)
        self.ceph_resources = {pool: ceph_resources(claim, pool, made) for pool, made in self._ceph.items()}
        self.secret_names = sorted(one.secret for one in ceph_clients(claim))
        self.register_outputs(
            {
                "namespace": self.namespace,
                "phase": self.phase,
                "endpoints": self.endpoints,
                "ceph_resources": self.ceph_resources,
                "secret_names": self.secret_names,
            }
        )

    def _storage(self, name: str, claim: Claim, place: TenantStorage) -> CephTenant:
        return ceph_tenant(
            name, claim=claim, pool=place.claim, cluster=place.cluster, parent=self, after=list(place.after)
        )

    def _plane(self, name: str, args: OpenStackClusterArgs) -> c5c3.ControlPlane:
        """Last, as its services need all that is on Ceph."""
        claim = args.claim
        ceph = [one for made in self._ceph.values() for one in made.resources]
        return c5c3.ControlPlane(
            f"{name}-control-plane",
            metadata=metadata("ControlPlane", claim.name, namespace_of(claim.name), all_labels(claim)),
            spec=control_plane_spec(
                claim, issuer=args.issuer, monitors={pool: place.monitors for pool, place in args.storage.items()}
            ),
            opts=options(
                claim,
                args.control_plane,
                self,
                kind="ControlPlane",
                after=[*args.after, self._namespace, *ceph],
            ),
        )


def _require(claim: Claim, storage: Mapping[str, TenantStorage]) -> None:
    missing = [pool for pool in claim.storage_clusters if pool not in storage]
    if missing:
        raise pulumi.RunError(
            f"{claim.name} is to have data on {' and '.join(missing)}, and the program was handed no such storage "
            f"pool: add it to `storage`, which has {', '.join(sorted(storage)) or 'none'}."
        )
