"""Which objects of a tenant a changed field of its claim changes, and where in the ControlPlane it stands."""

from collections.abc import Iterable

EVERYTHING = "everything"
CLIENTS = "client-cinder@st-a client-cinder@st-b client-nova@st-a client-nova@st-b"
CINDER, NOVA, MANILA, SWIFT, GLANCE = "cinder", "nova", "manila", "swift", "glance"


def key(role: str, pool: str, *, plane: bool = True) -> str:
    """The objects by which a key travels; Nova's goes to the hypervisors, and to the plane where it makes disks."""
    found = [f"key-{role}@{pool}", *([f"secret-{role}@{pool}"] if plane else [])]
    return " ".join([*found, f"secret-{role}@{pool}@hv-a"] if role == NOVA else found)


CEPH_POOL = "storage.ceph.{}Pool".format
MOVED = "client-nova@st-a client-nova@st-b ephemeral@st-a ephemeral@st-b"
STORE = "rgw@st-a rgw@st-b swift@st-a swift@st-b"
KEYS_OF_NOVA = f"{key(NOVA, 'st-a')} {key(NOVA, 'st-b', plane=False)}"
KEY_OF_OVN = "key-ovn secret-ovn@hv-a"
# The objects that a changed field of the tenant changes, makes or removes; what is not here changes the ControlPlane.
CHANGED: dict[str, str] = {
    "name": EVERYTHING,
    "namespace": EVERYTHING,
    "deletionProtection": EVERYTHING,
    "labels": "namespace control-plane",
    "size": "namespace control-plane",
    "nodeShares": "control-plane nodes@hv-a",
    "hypervisorClusters": "control-plane namespace@hv-b nodes@hv-b secret-nova@st-a@hv-b secret-nova@st-b@hv-b "
    "secret-ovn@hv-b",
    "tls.enabled": f"control-plane nodes@hv-a {KEY_OF_OVN}",
    # The second pool's keys are called after it, and the disks, filesystem and object store are on the first.
    "storageClusters": f"control-plane nodes@hv-a {MOVED} cephfs@st-a cephfs@st-b {STORE} "
    "secret-cinder@st-a secret-cinder@st-b secret-glance@st-b secret-nova@st-a secret-nova@st-b "
    f"secret-nova@st-a@hv-a secret-nova@st-b@hv-a {key(SWIFT, 'st-a')} {key(SWIFT, 'st-b')}",
    "services.cinder": f"control-plane nodes@hv-a volumes@st-a volumes@st-b {CLIENTS} "
    f"{key(CINDER, 'st-a')} {key(CINDER, 'st-b')} {key(NOVA, 'st-b', plane=False)}",
    "services.nova": "control-plane ephemeral@st-a client-nova@st-a client-nova@st-b namespace@hv-a nodes@hv-a "
    f"{KEYS_OF_NOVA} {KEY_OF_OVN}",
    "services.manila": f"control-plane client-manila@st-a {key(MANILA, 'st-a')}",
    CEPH_POOL("volume"): "volumes@st-a volumes@st-b",
    f"{CEPH_POOL('volume')}.backends.st-b": "volumes@st-b",
    CEPH_POOL("image"): "images@st-b",
    f"{CEPH_POOL('image')}.storageCluster": "control-plane images@st-a images@st-b "
    f"client-glance@st-a client-glance@st-b {CLIENTS} {key(GLANCE, 'st-a')} {key(GLANCE, 'st-b')}",
    f"{CEPH_POOL('ephemeral')}.enabled": "control-plane ephemeral@st-a client-nova@st-a secret-nova@st-a",
    f"{CEPH_POOL('ephemeral')}.replication": "ephemeral@st-a",
    f"{CEPH_POOL('ephemeral')}.storageCluster": f"control-plane {MOVED} secret-nova@st-a secret-nova@st-b",
    "storage.ceph.filesystem": "cephfs@st-a",
    "storage.ceph.filesystem.enabled": "control-plane cephfs@st-a",
    "storage.ceph.filesystem.storageCluster": "control-plane cephfs@st-a cephfs@st-b",
    "storage.ceph.objectStore": "rgw@st-a",
    "storage.ceph.objectStore.enabled": f"rgw@st-a swift@st-a {key(SWIFT, 'st-a')}",
    "storage.ceph.objectStore.storageCluster": f"{STORE} {key(SWIFT, 'st-a')} {key(SWIFT, 'st-b')}",
}


def changed_by(field: str, everything: Iterable[str]) -> set[str]:
    """What a changed field of the tenant should change: its own row, or that of what it is a part of."""
    while field not in CHANGED and "." in field:
        field = field.rpartition(".")[0]
    names = CHANGED.get(field, "control-plane")
    return set(everything) if names == EVERYTHING else set(names.split())


INFRASTRUCTURE = {"mariadb", "rabbitmq", "valkey", "memcached", "ovn"}
BESIDE_SERVICES = {"cortex", "tempest"}
# Sizes that stand in the ControlPlane under the claim's own name; the others are replicas of a part of a service.
SAME = {"replicas", "storageSize", "storageClass", "northbound", "southbound"}


def control_plane_path(field: str) -> str:
    """Where a field of the claim's sizing or images is in the ControlPlane's spec."""
    what, system, part = field.split(".")
    above = "infrastructure." if system in INFRASTRUCTURE else "" if system in BESIDE_SERVICES else "services."
    below = f"image.{part}" if what == "images" else part if part in SAME else f"{part}.replicas"
    return above + system + "." + ("sentinel.enabled" if part == "sentinel" else below)
