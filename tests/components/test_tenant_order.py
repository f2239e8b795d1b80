"""In which order the objects of a tenant come and go, and which of them stay."""

import pytest

from tests.recorder import Recording, Registered
from tests.regions import loaded, stack
from tests.tenants import of_tenant, recorded

HOLD_DATA = {"ControlPlane", "CephBlockPool", "CephFilesystem", "CephObjectStore", "CephObjectStoreUser"}


def test_all_of_a_protected_tenant_is_protected_and_what_holds_data_stays() -> None:
    """All: Pulumi would delete nodes and keys, which nothing else depends on, before it met what it must not delete."""
    config = stack("us-east-1")
    tenant = config["openStackClusters"][0]
    tenant["services"] = {"manila": True}
    tenant["storage"] = {"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True}}}
    for protection in (True, False):
        tenant["deletionProtection"] = protection
        kept: set[str] = set()
        made = of_tenant(recorded(loaded(config)), tenant["name"])
        assert {one.inputs["kind"] for one in made} >= {"HypervisorShare", "PushSecret", "ExternalSecret", "CephClient"}
        for one in made:
            assert one.protect == protection, f"{one.name} must go with no other, and stay with all"
            kept |= {one.inputs["kind"]} if one.retain else set()
        assert kept == ({*HOLD_DATA, "Namespace"} if protection else set())
        noted = {
            one.name: one.inputs["metadata"]["annotations"] for one in made if one.inputs["kind"] == "ControlPlane"
        }
        (annotations,) = noted.values()
        assert annotations.get("c5c3.io/deletion-protection") == ("true" if protection else None), "for the next plan"


def before(one: Registered) -> set[str]:
    """What an object waits for, by name without the tenant's."""
    return {urn.rpartition("::")[2].removeprefix("internal-prod-") for urn in one.depends_on}


ORDER = [
    ("volumes@st-pool-b", "namespace eu-de-1-st-pool-b-ceph"),
    ("client-nova@st-pool-b", "volumes@st-pool-b"),
    ("key-nova@st-pool-b", "client-nova@st-pool-b"),
    ("secret-cinder@st-pool-b", "key-cinder@st-pool-b namespace"),
    ("secret-nova@st-pool-b@hv-pool-b", "key-nova@st-pool-b namespace@hv-pool-b"),
    (
        "control-plane",
        "namespace volumes@st-pool-b secret-cinder@st-pool-a secret-cinder@st-pool-b secret-nova@st-pool-a",
    ),
    (
        "nodes@hv-pool-b",
        "control-plane secret-nova@st-pool-a@hv-pool-b secret-nova@st-pool-b@hv-pool-b secret-ovn@hv-pool-b",
    ),
    ("key-ovn", "namespace control-plane"),
    ("secret-ovn@hv-pool-b", "key-ovn namespace@hv-pool-b"),
]


@pytest.mark.parametrize(("what", "first"), ORDER, ids=[one[0] for one in ORDER])
def test_the_order_is_namespace_pools_clients_keys_control_plane_nodes(
    regions: dict[str, Recording], what: str, first: str
) -> None:
    """And so the other way round when a tenant goes."""
    assert set(first.split()) <= before(regions["eu-de-1"].named(f"internal-prod-{what}"))
