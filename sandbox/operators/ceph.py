"""What Rook makes beside a status: keys, the monitors' addresses; and what it refuses to delete."""

import base64
import hashlib

from sandbox.client import Manifest
from sandbox.operators.operator import DONE, Next, Operator, Place, condition, owned, part, provide

API = "ceph.rook.io/v1"
ROOKS = "kubernetes.io/rook"  # the type of its Secrets
IMAGES = "sandbox.c5c3.io/images"  # on a pool: how many images it holds
SHARES = "sandbox.c5c3.io/shares"  # on a filesystem: how many groups of shares it holds
MONITORS = ("a", "b", "c")
LOOK_SECONDS = 1.0
GIB = 1024**3


def client_secret(place: Place, manifest: Manifest) -> Next:
    name = manifest["metadata"]["name"]
    key = _key(manifest)
    keys = {"userID": name, "userKey": key, name: key}
    provide(place, manifest, f"rook-ceph-client-{name}", keys, kind=ROOKS)
    return DONE


def user_secret(place: Place, manifest: Manifest) -> Next:
    name, store = manifest["metadata"]["name"], manifest["spec"]["store"]
    endpoint = f"http://rook-ceph-rgw-{store}.{manifest['metadata']['namespace']}.svc:80"
    keys = {"AccessKey": _key(manifest)[:20].upper(), "SecretKey": _key(manifest), "Endpoint": endpoint}
    provide(place, manifest, f"rook-ceph-object-user-{store}-{name}", keys, kind=ROOKS)
    return DONE


def cluster(place: Place, manifest: Manifest) -> Next:
    """Its monitors, where the pool's network would have them: three addresses that differ from cluster to cluster.

    And the room on its disks, of which nobody uses any.
    """
    config_map = owned(manifest, "v1", "ConfigMap", "rook-ceph-mon-endpoints")
    if place.client.get("v1", "ConfigMap", config_map["metadata"]["name"], config_map["metadata"]["namespace"]) is None:
        network = hashlib.sha256(place.cluster.encode()).digest()[0]
        addresses = [f"{name}=10.{network}.0.{10 + at}:6789" for at, name in enumerate(MONITORS)]
        data = {"data": ",".join(addresses), "maxMonId": str(len(MONITORS) - 1), "mapping": '{"node":{}}'}
        place.client.apply({**config_map, "data": data})
    room = sum(
        _bytes(one) * one["count"] for one in part(manifest, "spec", "storage").get("storageClassDeviceSets", [])
    )
    capacity = {"bytesTotal": room, "bytesUsed": 0, "bytesAvailable": room}
    return Next(status={"ceph": {**part(manifest, "status", "ceph"), "capacity": capacity}})


def _bytes(disks: Manifest) -> int:
    """Of one disk; sizes are whole gibibytes here."""
    claim: Manifest = disks["volumeClaimTemplates"][0]
    size: str = claim["spec"]["resources"]["requests"]["storage"]
    return int(size.removesuffix("Gi")) * GIB if size.endswith("Gi") else 0


def pool_empty(_place: Place, manifest: Manifest) -> Next:
    """A pool goes when its images are gone; Rook asks Ceph, the stand-in the pool's annotation."""
    name = manifest["metadata"]["name"]
    count = manifest["metadata"].get("annotations", {}).get(IMAGES, "0")
    if count == "0":
        return DONE
    message = f'pool "{name}" contains images or snapshots: {count} images'
    blocked = condition(manifest, "PoolDeletionIsBlocked", status=True, reason="PoolNotEmpty", message=message)
    return Next(status={"phase": "Deleting", "conditions": [blocked]}, go_on=False, again=LOOK_SECONDS)


def filesystem_empty(_place: Place, manifest: Manifest) -> Next:
    """So does a filesystem, in other words and with another condition."""
    name, namespace = manifest["metadata"]["name"], manifest["metadata"]["namespace"]
    count = manifest["metadata"].get("annotations", {}).get(SHARES, "0")
    if count == "0":
        return DONE
    message = (
        f'CephFilesystem "{namespace}/{name}" will not be deleted until all dependents are removed: '
        f"filesystem subvolume groups that contain subvolumes (could be from CephFilesystem PVCs or CephNFS exports): "
        f"{count}"
    )
    blocked = condition(manifest, "DeletionIsBlocked", status=True, reason="ObjectHasDependents", message=message)
    return Next(status={"phase": "Deleting", "conditions": [blocked]}, go_on=False, again=LOOK_SECONDS)


OPERATORS = [
    Operator(api_version=API, kind="CephClient", work=client_secret),
    Operator(api_version=API, kind="CephObjectStoreUser", work=user_secret),
    Operator(api_version=API, kind="CephCluster", work=cluster),
    Operator(api_version=API, kind="CephBlockPool", delete=pool_empty),
    Operator(api_version=API, kind="CephFilesystem", delete=filesystem_empty),
]


def _key(manifest: Manifest) -> str:
    """As long and as opaque as a key of Ceph, and of no use: it is made of the object's uid."""
    return base64.b64encode(hashlib.sha256(manifest["metadata"]["uid"].encode()).digest()[:28]).decode()
