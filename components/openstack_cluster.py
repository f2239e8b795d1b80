"""One tenant's OpenStack: its control plane, and what it has on every storage and hypervisor pool that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.ceph_tenant import NAMESPACE, CephTenant, ceph_tenant
from components.control_plane import control_plane_spec
from components.in_cluster import InCluster
from components.tenant_hypervisors import Links, MadeHypervisors, TenantHypervisors, tenant_hypervisors
from components.tenant_keys import pull_key, push_key
from components.tenant_objects import all_labels, metadata, namespace_of, options, protection
from components.tenant_outputs import ceph_resources, consumed_pools, endpoints, phase, secret_references, southbound
from components.told import TenantTold
from crds import c5c3, rook
from model import pools
from model.ceph_keys import CephKey, ceph_keys
from model.hosts import host_shares
from model.ovn_keys import OvnKey, ovn_key
from model.tenant import OpenStackCluster as Claim


@dataclass(frozen=True, kw_only=True)
class TenantStorage:
    """One storage pool, as a tenant uses it."""

    claim: pools.StoragePool
    cluster: InCluster
    monitors: pulumi.Input[Sequence[str]]
    """Addresses of the Ceph monitors, ip:port."""
    after: Sequence[pulumi.Resource] = ()
    """What makes the Ceph cluster and the secret store, which are there first then."""
    ceph: rook.CephCluster | None = None
    """The Ceph cluster, whose state and free space are told with the tenant."""


@dataclass(frozen=True, kw_only=True)
class OpenStackClusterArgs:
    claim: Claim
    control_plane: InCluster
    storage: Mapping[str, TenantStorage]
    """The storage pools that the claim names, by name; there may be more."""
    hypervisors: Mapping[str, TenantHypervisors]
    """The hypervisor pools that the claim names, by name; there may be more."""
    issuer: pools.Issuer
    """Issuer of the certificates of a tenant that names none: the control plane's."""
    after: Sequence[pulumi.Resource] = ()
    """What makes the operators and the secret store on the control plane, which are there first then."""


class OpenStackCluster(pulumi.ComponentResource):
    """In the order of the fields below; deleted the other way round."""

    namespace: pulumi.Output[str]
    phase: pulumi.Output[str]
    endpoints: pulumi.Output[dict[str, str]]
    consumed_pools: dict[str, Any]
    ceph_resources: dict[str, Any]
    secrets: list[dict[str, Any]]

    def __init__(self, name: str, args: OpenStackClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cobaltcore:index:OpenStackCluster", name, None, opts)
        self._name, self._args, claim = name, args, args.claim
        _require(claim, args)
        pools_of_region = {pool: place.claim for pool, place in args.hypervisors.items()}
        # Without Nova the tenant has no use for a hypervisor.
        self._shares = list(host_shares(claim, pools_of_region)) if claim.services.nova else []
        self._namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": namespace_of(claim.name), "labels": all_labels(claim)},
            opts=options(claim, args.control_plane, self, after=args.after, holds_data=True),
        )
        self._ceph = {pool: self._storage(args.storage[pool]) for pool in claim.storage_clusters}
        self._pushed = {key: self._push(key) for key in ceph_keys(claim)}
        self._secrets = [self._pull(key) for key in self._pushed if key.on_control_plane]
        self._control_plane = self._plane()
        self._hypervisors = self._hosts()
        self._tell()

    def _storage(self, place: TenantStorage) -> CephTenant:
        return ceph_tenant(
            self._name,
            claim=self._args.claim,
            pool=place.claim,
            cluster=place.cluster,
            parent=self,
            after=[*place.after, self._namespace],
        )

    def _push(self, key: CephKey) -> pulumi.Resource:
        place = self._args.storage[key.storage_cluster]
        return push_key(
            f"{self._name}-key-{key.role}@{key.storage_cluster}",
            key,
            claim=self._args.claim,
            cluster=place.cluster,
            namespace=NAMESPACE,
            parent=self,
            after=[*place.after, self._ceph[key.storage_cluster].owner(key.role)],
        )

    def _pull(self, key: CephKey) -> pulumi.Resource:
        return pull_key(
            f"{self._name}-secret-{key.role}@{key.storage_cluster}",
            key,
            claim=self._args.claim,
            cluster=self._args.control_plane,
            parent=self,
            after=[*self._args.after, self._namespace, self._pushed[key]],
        )

    def _plane(self) -> c5c3.ControlPlane:
        """Its services need all that is on Ceph, and the keys for it."""
        args, claim = self._args, self._args.claim
        ceph = [one for made in self._ceph.values() for one in made.resources]
        return c5c3.ControlPlane(
            f"{self._name}-control-plane",
            metadata=metadata(
                "ControlPlane", claim.name, namespace_of(claim.name), all_labels(claim), protection(claim)
            ),
            spec=control_plane_spec(claim, issuer=args.issuer, shares=self._shares, monitors=self._monitors()),
            opts=options(
                claim,
                args.control_plane,
                self,
                kind="ControlPlane",
                after=[*args.after, self._namespace, *ceph, *self._secrets],
                holds_data=True,
            ),
        )

    def _hosts(self) -> dict[str, MadeHypervisors]:
        claim = self._args.claim
        if not self._shares:
            return {}
        links = Links(
            southbound=self._control_plane.status.apply(lambda status: southbound(claim.name, status)),
            keys={key: pushed for key, pushed in self._pushed.items() if key.on_hypervisors},
            certificates=self._certificates(),
            monitors=self._monitors(),
            control_plane=self._control_plane,
        )
        return {
            share.pool: tenant_hypervisors(
                self._name, share, claim=claim, place=self._args.hypervisors[share.pool], links=links, parent=self
            )
            for share in self._shares
        }

    def _certificates(self) -> dict[OvnKey, pulumi.Resource]:
        """Of its OVN, whose operator makes them with what else the ControlPlane asks for."""
        args, claim = self._args, self._args.claim
        key = ovn_key(claim)
        if key is None:
            return {}
        pushed = push_key(
            f"{self._name}-key-ovn",
            key,
            claim=claim,
            cluster=args.control_plane,
            namespace=namespace_of(claim.name),
            parent=self,
            after=[*args.after, self._namespace, self._control_plane],
        )
        return {key: pushed}

    def _monitors(self) -> dict[str, pulumi.Input[Sequence[str]]]:
        return {pool: place.monitors for pool, place in self._args.storage.items()}

    def _tell(self) -> None:
        claim, status = self._args.claim, self._control_plane.status
        self.namespace = self._namespace.metadata.apply(lambda given: given.name or "")
        self.phase = status.apply(phase)
        self.endpoints = status.apply(endpoints)
        self.consumed_pools = consumed_pools(
            {pool: made.share for pool, made in self._hypervisors.items()},
            {pool: self._args.storage[pool].ceph for pool in claim.storage_clusters},
        )
        self.ceph_resources = {pool: ceph_resources(claim, pool, made) for pool, made in self._ceph.items()}
        self.secrets = secret_references(claim)
        self.register_outputs(
            {
                "namespace": self.namespace,
                "phase": self.phase,
                "endpoints": self.endpoints,
                "consumed_pools": self.consumed_pools,
                "ceph_resources": self.ceph_resources,
                "secrets": self.secrets,
            }
        )

    def exported(self) -> TenantTold:
        """What is told of the tenant in the stack's outputs: names and states, and never a key."""
        return {
            "namespace": self.namespace,
            "phase": self.phase,
            "endpoints": self.endpoints,
            "consumedPools": self.consumed_pools,
            "cephResources": self.ceph_resources,
            "secrets": self.secrets,
        }


def _require(claim: Claim, args: OpenStackClusterArgs) -> None:
    named: list[tuple[str, str, Sequence[str], Mapping[str, object]]] = [
        ("data", "storage", claim.storage_clusters, args.storage),
        ("machines", "hypervisors", claim.hypervisor_clusters, args.hypervisors),
    ]
    for what, field, wanted, given in named:
        missing = [pool for pool in wanted if pool not in given]
        if missing:
            raise pulumi.RunError(
                f"{claim.name} is to have {what} on {' and '.join(missing)}, and the program was handed no such pool: "
                f"add it to `{field}`, which has {', '.join(sorted(given)) or 'none'}."
            )
