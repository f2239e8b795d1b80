"""Where a Ceph cluster is reached: the addresses of its monitors, which only Rook knows."""

from __future__ import annotations

import asyncio
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from access.reach import answers
from components.ceph_cluster import NAMESPACE, CephCluster
from components.cluster_access import ClusterAccess
from components.options import child_opts
from components.unknown import unknown

CONFIG_MAP = "rook-ceph-mon-endpoints"
KEY = "data"


def monitors(name: str, ceph: CephCluster, access: ClusterAccess, parent: pulumi.Resource) -> pulumi.Output[list[str]]:
    """Read once Ceph is ready, and again at every run: a monitor that fails is replaced at another address.

    Unknown in the plan that makes Ceph, and in one that cannot reach the cluster: that is no mistake of the plan's.
    """

    async def reached(given: list[Any]) -> bool:
        server: str = given[1]
        if not pulumi.runtime.is_dry_run() or await asyncio.to_thread(answers, server):
            return True
        pulumi.log.warn(
            f"Cluster {access.cluster} gives no answer: planning without the addresses of its Ceph monitors. They are "
            "looked at when it answers, and nothing changes by this.",
            parent,
        )
        return False

    def where(there: bool) -> pulumi.Input[str]:  # noqa: FBT001  (called by Pulumi)
        return f"{NAMESPACE}/{CONFIG_MAP}" if there else unknown()

    place = pulumi.Output.all(ceph.cluster.status, access.server).apply(reached).apply(where)
    found = kubernetes.core.v1.ConfigMap.get(
        f"{name}-monitors", place, opts=child_opts(parent, provider=access.provider)
    )
    return found.data.apply(lambda data: _told((data or {}).get(KEY, ""), access.cluster))


def _told(text: str, cluster: str) -> pulumi.Input[list[str]]:
    found = addresses(text)
    if found:
        return found
    if pulumi.runtime.is_dry_run():
        return unknown()
    raise pulumi.RunError(
        f"Cluster {cluster}: Ceph is ready, and the ConfigMap {CONFIG_MAP} in {NAMESPACE} names no monitor: look at "
        "Rook's operator there, and run the update again."
    )


def addresses(text: str) -> list[str]:
    """Of `b=10.1.2.4:6789,a=10.1.2.3:6789`; always in the same order, so that nothing changes without need."""
    found = dict(one.split("=", 1) for one in text.split(",") if "=" in one)
    return [found[name] for name in sorted(found)]
