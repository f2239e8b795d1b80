"""What a tenant has on one hypervisor pool: its nodes, and the keys that are for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.in_cluster import InCluster
from components.tenant_keys import pull_key
from components.tenant_objects import TENANT_LABEL, labels, metadata, namespace_of, options
from crds import c5c3, external_secrets
from model.ceph_clients import KEY
from model.ceph_keys import CephKey
from model.hosts import HostShare
from model.keys import Key
from model.ovn_keys import OvnKey
from model.pools import HypervisorPool
from model.tenant import OpenStackCluster

ENCAPSULATION = "geneve"


@dataclass(frozen=True, kw_only=True)
class TenantHypervisors:
    """One hypervisor pool, as a tenant uses it."""

    claim: HypervisorPool
    cluster: InCluster
    after: Sequence[pulumi.Resource] = ()
    """What makes the kinds and the secret store there, which are there first then."""


@dataclass(frozen=True, kw_only=True)
class Links:
    """What the nodes need of the tenant's other clusters."""

    southbound: pulumi.Input[str]
    """Address of the database that tells the nodes of the tenant's networks; it stands on the control plane."""
    keys: Mapping[CephKey, pulumi.Resource]
    """Nova's, each with what brings it to OpenBao."""
    certificates: Mapping[OvnKey, pulumi.Resource]
    """The OVN's, with what brings them to OpenBao; none where its networks have no TLS."""
    monitors: Mapping[str, pulumi.Input[Sequence[str]]]
    """Addresses of the Ceph monitors (ip:port), by storage pool."""
    control_plane: pulumi.Resource


@dataclass(frozen=True, kw_only=True)
class MadeHypervisors:
    namespace: kubernetes.core.v1.Namespace
    secrets: list[external_secrets.ExternalSecret]
    share: c5c3.HypervisorShare


def tenant_hypervisors(  # noqa: PLR0913  (each says one thing about the tenant)
    name: str,
    share: HostShare,
    *,
    claim: OpenStackCluster,
    place: TenantHypervisors,
    links: Links,
    parent: pulumi.Resource,
) -> MadeHypervisors:
    """The nodes come last: what starts on them needs the keys and the control plane."""
    pool, cluster = share.pool, place.cluster
    namespace = kubernetes.core.v1.Namespace(
        f"{name}-namespace@{pool}",
        metadata={"name": namespace_of(claim.name), "labels": labels(claim)},
        opts=options(claim, cluster, parent, after=place.after),
    )
    wanted: list[tuple[str, Key, pulumi.Resource]] = [
        *((f"{name}-secret-{key.role}@{key.storage_cluster}@{pool}", key, one) for key, one in links.keys.items()),
        *((f"{name}-secret-ovn@{pool}", key, one) for key, one in links.certificates.items()),
    ]
    secrets = [
        pull_key(
            called,
            key,
            claim=claim,
            cluster=cluster,
            parent=parent,
            after=[*place.after, namespace, pushed],
        )
        for called, key, pushed in wanted
    ]
    made = c5c3.HypervisorShare(
        f"{name}-nodes@{pool}",
        metadata=metadata("HypervisorShare", claim.name, namespace_of(claim.name), labels(claim)),
        spec=_spec(share, links),
        opts=options(
            claim,
            cluster,
            parent,
            kind="HypervisorShare",
            after=[*place.after, namespace, *secrets, links.control_plane],
        ),
    )
    return MadeHypervisors(namespace=namespace, secrets=secrets, share=made)


def _spec(share: HostShare, links: Links) -> c5c3.HypervisorShareSpecArgs:
    """The label is what isolates: a node has one value of it, and each tenant's agents run where theirs is.

    The taint only keeps other pods away as long as there is another place for them, as the pool's own does.
    """
    return c5c3.HypervisorShareSpecArgs(
        open_stack_cluster=share.tenant,
        nodes=share.nodes,
        node_labels={TENANT_LABEL: share.tenant},
        node_taints=[
            c5c3.HypervisorShareSpecNodeTaintsArgs(key=TENANT_LABEL, value=share.tenant, effect="PreferNoSchedule")
        ],
        host_aggregate=c5c3.HypervisorShareSpecHostAggregateArgs(name=share.pool, availability_zone=share.zone),
        ovn=c5c3.HypervisorShareSpecOvnArgs(
            sb_connection=links.southbound, encapsulation=ENCAPSULATION, tls=_tls(links.certificates)
        ),
        ceph=[
            c5c3.HypervisorShareSpecCephArgs(
                storage_cluster=key.storage_cluster,
                user=key.owner,
                secret_ref=c5c3.HypervisorShareSpecCephSecretRefArgs(name=key.secret, key=KEY),
                monitors=links.monitors[key.storage_cluster],
            )
            for key in links.keys
        ]
        or None,
    )


def _tls(certificates: Iterable[OvnKey]) -> c5c3.HypervisorShareSpecOvnTlsArgs | None:
    """A tenant has one OVN, and so one Secret at most."""
    references = [c5c3.HypervisorShareSpecOvnTlsSecretRefArgs(name=key.secret) for key in certificates]
    return c5c3.HypervisorShareSpecOvnTlsArgs(secret_ref=references[0]) if references else None
