"""The tenants of a region that runs in a sandbox, held against what the recorder says of the same region."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from model import RegionSpec
from model.ceph_keys import CephKey, ceph_keys
from model.tenant import OpenStackCluster
from sandbox.client import Client, Manifest
from tests.recorder import Registered
from tests.sandboxes import NAMESPACE, SHOOT, Running
from tests.tenants import of_tenant, place, recorded

ESO, PUSH, ROOK, OWN = "external-secrets.io/v1", "external-secrets.io/v1alpha1", "ceph.rook.io/v1", "c5c3.io/v1alpha1"
KINDS: dict[str, list[tuple[str, str]]] = {
    "control-plane": [("v1", "Namespace"), (OWN, "ControlPlane"), (ESO, "ExternalSecret"), (PUSH, "PushSecret")],
    "hypervisor": [("v1", "Namespace"), (OWN, "HypervisorShare"), (ESO, "ExternalSecret")],
    "storage": [
        *((ROOK, f"Ceph{kind}") for kind in ("BlockPool", "Client", "Filesystem", "ObjectStore", "ObjectStoreUser")),
        (PUSH, "PushSecret"),
    ],
}
MARK = "c5c3.io/tenant"
OVN = "ovn-tls-certs"


@dataclass(frozen=True)
class LiveTenants:
    running: Running
    spec: RegionSpec

    @cached_property
    def shoots(self) -> dict[str, Manifest]:
        """By the name of the cluster."""
        found = self.running.garden.list(SHOOT, "Shoot", NAMESPACE)
        return {one["metadata"]["labels"]["c5c3.io/cluster"]: one for one in found}

    def client(self, cluster: str) -> Client:
        return self.running.client(self.shoots[cluster]["metadata"]["name"])

    def there(self) -> dict[str, Manifest]:
        """Every object of any tenant, by its place."""
        found: dict[str, Manifest] = {}
        for cluster, shoot in self.shoots.items():
            for api, kind in KINDS[shoot["metadata"]["labels"]["c5c3.io/cluster-kind"]]:
                for one in self.client(cluster).list(api, kind, labelSelector=MARK):
                    meta = one["metadata"]
                    found[f"{cluster} {meta.get('namespace', '-')} {kind} {meta['name']}"] = one
        return found

    @cached_property
    def expected(self) -> dict[str, Registered]:
        """What the program registers for the tenants, by place."""
        recording = recorded(self.spec)
        return {
            place(one, self.spec.region): one
            for claim in self.spec.open_stack_clusters
            for one in of_tenant(recording, claim.name)
        }

    def before(self, one: Registered) -> Iterator[str]:
        """The places of what an object waits for, as far as it is the tenant's."""
        names = {urn.rpartition("::")[2] for urn in one.depends_on}
        return (at for at, other in self.expected.items() if other.name in names)

    def secret(self, cluster: str, namespace: str, name: str) -> dict[str, str]:
        found = self.client(cluster).get("v1", "Secret", name, namespace)
        assert found is not None, f"{cluster} has no Secret {name} in {namespace}"
        return {key: base64.b64decode(value).decode() for key, value in found["data"].items()}

    def all_keys(self) -> Iterator[tuple[OpenStackCluster, CephKey]]:
        for claim in self.spec.open_stack_clusters:
            for key in ceph_keys(claim):
                yield claim, key


def is_ready(one: Manifest) -> bool:
    status = one.get("status", {})
    if one["apiVersion"] == ROOK:
        return status.get("phase") == "Ready"
    if one["kind"] == "Namespace":
        return status.get("phase") == "Active"
    return any(row["type"] == "Ready" and row["status"] == "True" for row in status.get("conditions", []))


def since(one: Manifest) -> datetime:
    """When it was ready, where it says so; when it was made else."""
    rows = one.get("status", {}).get("conditions", [])
    times = [row["lastTransitionTime"] for row in rows if row["type"] == "Ready" and row["status"] == "True"]
    return datetime.fromisoformat(times[0] if times else one["metadata"]["creationTimestamp"])


def check_all_are_there(live: LiveTenants) -> None:
    """Each where it belongs, and Ready; and no other."""
    there = live.there()
    assert sorted(there) == sorted(live.expected)
    not_ready = {at: one.get("status") for at, one in there.items() if not is_ready(one)}
    assert not not_ready, f"these are not ready: {not_ready}"


def check_order(live: LiveTenants) -> None:
    there = live.there()
    for at, one in live.expected.items():
        made = datetime.fromisoformat(there[at]["metadata"]["creationTimestamp"])
        for first in live.before(one):
            assert since(there[first]) <= made, f"{at} did not wait for {first}"


def check_keys(live: LiveTenants) -> set[str]:
    """Each key is the same from Ceph to where it is used; all of them, for who looks for them elsewhere."""
    found: set[str] = set()
    plane = live.spec.control_plane.name
    for claim, key in live.all_keys():
        made = live.secret(key.storage_cluster, "rook-ceph", key.source)
        namespace = f"openstack-{claim.name}"
        used_by = [plane] if key.on_control_plane else []
        used_by += list(claim.hypervisor_clusters) if key.on_hypervisors and claim.services.nova else []
        for cluster in used_by:
            secret = live.secret(cluster, namespace, key.secret)
            assert secret == {field: made[field] for field in key.properties}, f"{key.secret} in {cluster}"
        found |= {value for field, value in made.items() if field in ("userKey", *key.properties) and field != "userID"}
    return found | _certificates(live)


def _certificates(live: LiveTenants) -> set[str]:
    """Of every tenant's OVN: the same on its nodes as on the control plane, and none of them another tenant's."""
    found: set[str] = set()
    for claim in live.spec.open_stack_clusters:
        if not (claim.tls.enabled and claim.services.nova):
            continue
        namespace = f"openstack-{claim.name}"
        made = live.secret(live.spec.control_plane.name, namespace, OVN)
        assert set(made) == {"ca.crt", "tls.crt", "tls.key"}
        for cluster in claim.hypervisor_clusters:
            assert live.secret(cluster, namespace, OVN) == made, f"{OVN} of {claim.name} in {cluster}"
        assert not found & set(made.values()), f"{claim.name} has certificates of another tenant"
        found |= set(made.values())
    return found


def check_nodes(live: LiveTenants) -> None:
    """Nodes say whose they are, as many as are promised, and the share names the same ones."""
    for pool in live.spec.hypervisor_pools:
        nodes = live.client(pool.name).list("v1", "Node", labelSelector=MARK)
        marked: dict[str, set[str]] = {}
        for node in nodes:
            owner = node["metadata"]["labels"][MARK]
            marked.setdefault(owner, set()).add(node["metadata"]["name"])
            (taint,) = (one for one in node["spec"]["taints"] if one["key"] == MARK)
            assert taint == {"key": MARK, "value": owner, "effect": "PreferNoSchedule"}
        shares = live.client(pool.name).list(OWN, "HypervisorShare")
        assert marked == {one["metadata"]["name"]: set(one["status"]["nodes"]) for one in shares}
        for share in shares:
            wanted = share["spec"].get("nodes")
            assert wanted is None or wanted == len(share["status"]["nodes"]), f"{share['metadata']['name']} has others"


def check_networks(live: LiveTenants) -> None:
    """Each tenant has an OVN of its own, whose address its nodes have and no other tenant's."""
    addresses: dict[str, str] = {}
    plane = live.client(live.spec.control_plane.name)
    for claim in live.spec.open_stack_clusters:
        made = plane.get(OWN, "ControlPlane", claim.name, f"openstack-{claim.name}")
        assert made is not None
        address = made["status"]["endpoints"]["ovn-southbound"]
        assert address.startswith("ssl:" if claim.tls.enabled else "tcp:")
        assert address not in addresses.values(), f"{claim.name} shares the networks of {addresses}"
        addresses[claim.name] = address
    for pool in live.spec.hypervisor_pools:
        for share in live.client(pool.name).list(OWN, "HypervisorShare"):
            assert share["spec"]["ovn"]["sbConnection"] == addresses[share["metadata"]["name"]]
