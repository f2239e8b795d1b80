"""Names that are made from other names."""

import hashlib

SHOOT_AND_PROJECT = 21  # Gardener: the names of a Shoot and its project together, for the host names made of them
PROJECT_PREFIX = "garden-"


def project(namespace: str) -> str:
    """The Gardener project of a namespace."""
    return namespace.removeprefix(PROJECT_PREFIX)


def shoot_name(cluster: str, namespace: str) -> str:
    """The cluster's own name if Gardener takes it; otherwise its beginning and a hash, always the same.

    The documents' names are longer than today's Gardener allows (eu-de-1-control-plane, hv-pool-compliance); the
    cluster keeps its name everywhere else, and the Shoot carries it as a label.
    """
    room = SHOOT_AND_PROJECT - len(project(namespace))
    name = cluster.removesuffix("control-plane") + "cp" if cluster.endswith("-control-plane") else cluster
    if len(name) <= room:
        return name
    mark = hashlib.sha256(cluster.encode()).hexdigest()[:4]
    return f"{name[: room - len(mark) - 1].rstrip('-')}-{mark}"
