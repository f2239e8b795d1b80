"""What objects of Ceph say: copies, quotas, disks, rights."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from policies.objects import Node, Object
from policies.scene import CEPH, Cluster, Scene

LEAST_DISK = 8 * 1024**3  # Rook takes no smaller disk; a claim without a capacity asks for less, and so says none


@dataclass(frozen=True, eq=False)
class Copies:
    """How often the objects of one pool of RADOS are there."""

    node: Node
    number: int | None
    """Copies, or with erasure coding as many as lose nothing more easily: one more than may be lost."""
    hosts: int
    """On which it is spread, each part on one."""
    overhead: Fraction
    """What a byte takes of the disks."""
    domain: str


def copies(one: Object) -> Iterator[Copies]:
    """Of a block pool, of the pools of a filesystem, of those of an object store."""
    spec = one.at("spec")
    if one.kind == "CephBlockPool":
        yield _copies(spec)
        return
    yield _copies(spec.at("metadataPool"))
    if one.kind == "CephObjectStore":
        yield _copies(spec.at("dataPool"))
    for pool in spec.at("dataPools").items():
        yield _copies(pool)


def _copies(pool: Node) -> Copies:
    """Erasure coding of k chunks of data and m of coding survives the loss of m, on k + m hosts, in (k + m) / k."""
    domain = pool.at("failureDomain").text() or "host"
    coding = pool.at("erasureCoded", "codingChunks")
    coded, data = coding.number(), pool.at("erasureCoded", "dataChunks").number()
    if coded and data:
        return Copies(coding, coded + 1, coded + data, Fraction(coded + data, data), domain)
    node = pool.at("replicated", "size")
    number = node.number()
    return Copies(node, number, number or 1, Fraction(number or 1), domain)


def persistent(one: Object, scene: Scene) -> bool:
    """Ephemeral disks end with their machine. What a pool is for, its tenant's ControlPlane says, and not its name."""
    return not scene.only(one, "ephemeral")


def clusters(pool: Cluster, scene: Scene) -> list[Object]:
    """The Ceph clusters in the cluster of a storage pool: one, or none in this stack."""
    return [one for one in scene.of_kind(CEPH, "CephCluster") if one.cluster == pool.name]


def device_sets(ceph: Object) -> list[Node]:
    return list(ceph.at("spec", "storage", "storageClassDeviceSets").items())


def raw_bytes(ceph: Object) -> int | None:
    """What the disks hold together, as far as the cluster says so."""
    total = 0
    for disks in device_sets(ceph):
        for template in disks.at("volumeClaimTemplates").items():
            size = template.at("spec", "resources", "requests", "storage").bytes()
            if size is None or size < LEAST_DISK:
                return None
            total += size * (disks.at("count").number() or 0)
    return total or None


def quota(pool: Object) -> int:
    """0 is none."""
    given = pool.at("spec", "quotas")
    return given.at("maxSize").bytes() or given.at("maxBytes").bytes() or 0


_BLOCK = re.compile(r"profile (?:rbd|rbd-read-only) pool=(?P<pool>[^\s,]+)")
_FILES = {
    "mon": re.compile(r"allow r fsname=(?P<pool>[^\s,]+)"),
    # A right to the manager's module volumes is none to one filesystem: Ceph looks at no command's filesystem then.
    "mgr": re.compile(r"allow command \"fs [a-z_ -]+\" with vol_name=(?P<pool>[^\s,]+)"),
    "mds": re.compile(r"allow rw fsname=(?P<pool>[^\s,]+)"),
    "osd": re.compile(r"allow rw tag cephfs data=(?P<pool>[^\s,]+)"),
}
BLOCK_MONITOR = ("mon", "profile rbd")  # reads the map of the cluster, and blocklists a client's own dead sessions


def rights(client: Object) -> Iterator[tuple[Node, str, str | None]]:
    """Each right of a client, and the one pool or filesystem that it is for; none where it is for more."""
    for node in client.at("spec", "caps").items():
        daemon = node.path.rpartition(".")[2]
        for right in filter(None, (part.strip() for part in (node.text() or "").split(","))):
            if (daemon, right) == BLOCK_MONITOR:
                continue
            found = _BLOCK.fullmatch(right) or (_FILES[daemon].fullmatch(right) if daemon in _FILES else None)
            yield node, right, found["pool"] if found else None
