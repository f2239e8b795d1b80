"""What the tenant that tests add has, as far as its operators' stand-ins are told to say so; and its end."""

import json
from contextlib import suppress

from sandbox.client import Manifest, Refused
from sandbox.operators.ceph import IMAGES
from sandbox.operators.control_plane import USAGE
from sandbox.operators.hypervisor_share import MACHINES
from tests.live_tenants import OWN
from tests.sandboxes import until
from tests.tenant_region import FULL, KEPT, NEW, PLANE, Region

VOLUMES: Manifest = {
    "apiVersion": "ceph.rook.io/v1",
    "kind": "CephBlockPool",
    "metadata": {"name": "new-volumes", "namespace": "rook-ceph"},
}


def own(kind: str, name: str) -> Manifest:
    return {"apiVersion": OWN, "kind": kind, "metadata": {"name": name, "namespace": f"openstack-{name}"}}


def counted(region: Region, *, volumes: int, machines: int) -> None:
    """Until the new tenant's operators say that it has so much."""
    live = region.live(NEW)
    plane, pool = live.client(PLANE), live.client("hv-pool-us")
    usage = json.dumps({"volumes": volumes})
    plane.patch(own("ControlPlane", "new"), {"metadata": {"annotations": {USAGE: usage}}})
    pool.patch(own("HypervisorShare", "new"), {"metadata": {"annotations": {MACHINES: str(machines)}}})

    def told() -> bool | None:
        said = plane.get(OWN, "ControlPlane", "new", "openstack-new") or {}
        share = pool.get(OWN, "HypervisorShare", "new", "openstack-new") or {}
        found = (said["status"].get("usage", {}).get("volumes"), share["status"].get("machines"))
        return True if found == (volumes, machines) else None

    until(told, lambda: "the operators do not count what there is", 120)


def images(region: Region, number: int) -> None:
    """In the new tenant's pool of volumes, which Rook knows of and nobody has counted."""
    region.running.client("st-pool-us").patch(VOLUMES, {"metadata": {"annotations": {IMAGES: str(number)}}})


def away(region: Region) -> None:
    """The new tenant goes, however little of it is left."""
    with suppress(Refused, AssertionError):
        counted(region, volumes=0, machines=0)
    with suppress(Refused):
        images(region, 0)
    region.up(KEPT, FULL)
