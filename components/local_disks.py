"""The disks of a storage server as volumes that Ceph can ask for.

Ceph gets its disks by claims of volumes, and not by taking all that it finds: so it has just as many as the claim says,
each as large as the capacity needs. The volumes themselves are made by the provisioner of local volumes
(catalog/local-static-provisioner.yaml), of the disks that a server's operating system links in one folder.
"""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as kubernetes

from components.in_cluster import InCluster

NAME = "local-block"


def local_disks(name: str, cluster: InCluster, parent: pulumi.Resource) -> kubernetes.storage.v1.StorageClass:
    """A disk stays in its server, so Kubernetes binds it when it knows where the claimant runs."""
    return kubernetes.storage.v1.StorageClass(
        f"{name}-disks",
        metadata={"name": NAME, "labels": {"app.kubernetes.io/managed-by": "pulumi"}},
        provisioner="kubernetes.io/no-provisioner",
        volume_binding_mode="WaitForFirstConsumer",
        reclaim_policy="Retain",  # what was on a disk is not wiped when a claim goes
        opts=cluster.options(parent),
    )
