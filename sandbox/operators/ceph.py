"""What Rook makes beside a status: keys, the monitors' addresses; and what it refuses to delete."""

import base64
import hashlib

from sandbox.client import Manifest
from sandbox.operators.operator import DONE, Next, Operator, Place, condition, owned

API = "ceph.rook.io/v1"
IMAGES = "sandbox.c5c3.io/images"  # on a pool: how many images it holds
MONITORS = ("a", "b", "c")
LOOK_SECONDS = 1.0


def client_secret(place: Place, manifest: Manifest) -> Next:
    name = manifest["metadata"]["name"]
    key = _key(manifest)
    _provide(place, manifest, f"rook-ceph-client-{name}", {"userID": name, "userKey": key, name: key})
    return DONE


def user_secret(place: Place, manifest: Manifest) -> Next:
    name, store = manifest["metadata"]["name"], manifest["spec"]["store"]
    endpoint = f"http://rook-ceph-rgw-{store}.{manifest['metadata']['namespace']}.svc:80"
    keys = {"AccessKey": _key(manifest)[:20].upper(), "SecretKey": _key(manifest), "Endpoint": endpoint}
    _provide(place, manifest, f"rook-ceph-object-user-{store}-{name}", keys)
    return DONE


def monitors(place: Place, manifest: Manifest) -> Next:
    """Where the pool's network would have them: three addresses that differ from cluster to cluster."""
    config_map = owned(manifest, "v1", "ConfigMap", "rook-ceph-mon-endpoints")
    if place.client.get("v1", "ConfigMap", config_map["metadata"]["name"], config_map["metadata"]["namespace"]) is None:
        network = hashlib.sha256(place.cluster.encode()).digest()[0]
        addresses = [f"{name}=10.{network}.0.{10 + at}:6789" for at, name in enumerate(MONITORS)]
        data = {"data": ",".join(addresses), "maxMonId": str(len(MONITORS) - 1), "mapping": '{"node":{}}'}
        place.client.apply({**config_map, "data": data})
    return DONE


def pool_empty(_place: Place, manifest: Manifest) -> Next:
    """A pool goes when its images are gone; Rook asks Ceph, the stand-in the pool's annotation."""
    name = manifest["metadata"]["name"]
    count = manifest["metadata"].get("annotations", {}).get(IMAGES, "0")
    if count == "0":
        return DONE
    message = f'pool "{name}" contains images or snapshots: {count} images'
    blocked = condition(manifest, "PoolDeletionIsBlocked", status=True, reason="PoolNotEmpty", message=message)
    return Next(status={"phase": "Deleting", "conditions": [blocked]}, go_on=False, again=LOOK_SECONDS)


OPERATORS = [
    Operator(api_version=API, kind="CephClient", work=client_secret),
    Operator(api_version=API, kind="CephObjectStoreUser", work=user_secret),
    Operator(api_version=API, kind="CephCluster", work=monitors),
    Operator(api_version=API, kind="CephBlockPool", delete=pool_empty),
]


def _provide(place: Place, manifest: Manifest, name: str, data: dict[str, str]) -> None:
    secret = owned(manifest, "v1", "Secret", name)
    if place.client.get("v1", "Secret", name, secret["metadata"]["namespace"]) is None:
        place.client.apply({**secret, "type": "kubernetes.io/rook", "stringData": data})


def _key(manifest: Manifest) -> str:
    """As long and as opaque as a key of Ceph, and of no use: it is made of the object's uid."""
    return base64.b64encode(hashlib.sha256(manifest["metadata"]["uid"].encode()).digest()[:28]).decode()
