"""A look at one object of a cluster, with a credential that the garden gives for it."""

import base64
from pathlib import Path

import yaml

from access.garden import Garden, Object, admin_kubeconfig
from access.kubeconfig import ShootRef
from access.login import of

LEAST_SECONDS = 600  # Gardener gives none for less
LOOK_SECONDS = 10.0


def look(ref: ShootRef, path: str) -> Object | None:
    """None if it is not there. Nothing of the credential is kept."""
    return enter(ref).get(path)


def enter(ref: ShootRef) -> Garden:
    """A cluster's API, which is asked in the same way as the garden's."""
    garden = Garden.of(ref.garden, LOOK_SECONDS)
    given = admin_kubeconfig(garden, ref.namespace, ref.name, LEAST_SECONDS)
    login = of(yaml.safe_load(base64.b64decode(given["kubeconfig"])), Path(), what="cluster")
    return Garden(path=ref.name, login=login, seconds=LOOK_SECONDS, what="cluster")
