"""What the ceph fields of claims become: a tenant's pools, filesystem and object store, and the CephCluster below."""

from typing import Any

import pytest

from tests.recorder import Recording
from tests.regions import loaded, small, small_tenant
from tests.tenants import objects, recorded

CERTIFICATE = "certificate"


def made(pool: dict[str, Any] | None = None, **ceph: Any) -> Recording:  # noqa: ANN401
    """The small region with one tenant."""
    config = small()
    config["storagePools"][0].update(pool or {})
    tenant = small_tenant(environment="staging", storage={"ceph": ceph})
    return recorded(loaded({**config, "openStackClusters": [tenant]}))


def spec(recording: Recording, name: str) -> dict[str, Any]:
    found: dict[str, Any] = recording.named(name).inputs["spec"]
    return found


def kinds(recording: Recording) -> list[str]:
    return [one.inputs["kind"] for one in objects(recording)]


def test_what_is_optional_is_there_just_when_asked() -> None:
    plain = kinds(made(ephemeralPool={"enabled": False}))
    assert plain.count("CephBlockPool") == 2 + 1, "volumes and images, and Ceph's own"
    assert not {"CephFilesystem", "CephObjectStore", "CephObjectStoreUser", "CephRBDMirror"} & set(plain)
    full = made(filesystem={"enabled": True}, objectStore={"enabled": True, "instances": 3})
    filesystem = spec(full, "a-cephfs@st-pool-a")
    assert filesystem["metadataServer"] == {"activeCount": 1, "activeStandby": True}
    assert [pool["name"] for pool in filesystem["dataPools"]] == ["data0"]
    assert spec(full, "a-rgw@st-pool-a")["gateway"]["instances"] == 3
    assert spec(full, "a-swift@st-pool-a") == {
        "store": "a-rgw",
        "displayName": "OpenStack Swift User - a",
        "capabilities": {"user": "read", "bucket": "*"},
    }
    waits = {one.rpartition("::")[2] for one in full.named("a-swift@st-pool-a").depends_on}
    assert "a-rgw@st-pool-a" in waits, "a user is made in its store"


@pytest.mark.parametrize(("copies", "safe"), [(1, False), (2, True)])
def test_one_copy_is_said_to_be_unsafe(copies: int, *, safe: bool) -> None:
    recording = made(imagePool={"replication": copies})
    assert spec(recording, "a-images@st-pool-a")["replicated"] == {"size": copies, "requireSafeReplicaSize": safe}


def test_a_gateway_has_a_secure_port_just_with_a_certificate() -> None:
    without = made(objectStore={"enabled": True})
    assert spec(without, "a-rgw@st-pool-a")["gateway"] == {"port": 80, "instances": 2}
    with_it = made(objectStore={"enabled": True, "sslCertificateRef": CERTIFICATE})
    gateway = spec(with_it, "a-rgw@st-pool-a")["gateway"]
    assert (gateway["securePort"], gateway["sslCertificateRef"]) == (443, CERTIFICATE)


def test_volumes_are_mirrored_just_when_asked() -> None:
    pool = {"ceph": {"rbdMirrors": 1}}
    assert "mirroring" not in spec(made(pool), "a-volumes@st-pool-a")
    mirrored = made(pool, volumePool={"mirroring": {"enabled": True}})
    assert spec(mirrored, "a-volumes@st-pool-a")["mirroring"] == {"enabled": True, "mode": "image"}
    assert "mirroring" not in spec(mirrored, "a-images@st-pool-a")


def test_every_pool_is_on_the_disks_of_its_storage_pool() -> None:
    ceph = {"deviceClass": "hdd", "failureDomain": "zone"}
    recording = made(
        {"ceph": ceph, "zones": ["a", "b", "c"]}, filesystem={"enabled": True}, objectStore={"enabled": True}
    )
    found: list[dict[str, Any]] = []
    for one in objects(recording):
        given = one.inputs.get("spec", {})
        found += [given] if one.inputs["kind"] == "CephBlockPool" else []
        found += [given[key] for key in ("metadataPool", "dataPool") if key in given]
        found += given.get("dataPools", [])
    assert len(found) == 4 + 2 + 2
    assert {(pool["deviceClass"], pool["failureDomain"]) for pool in found} == {("hdd", "zone")}


def test_the_claim_of_a_storage_pool_arrives_in_its_ceph_cluster() -> None:
    ceph = {
        "osdCount": 30,
        "deviceClass": "ssd",
        "targetCapacity": "500Ti",
        "replicationFactor": 3,
        "encrypted": True,
        "monCount": 5,
        "rbdMirrors": 2,
    }
    recording = made({"workers": 10, "ceph": ceph})
    given = spec(recording, "eu-de-1-st-pool-a-ceph")
    assert given["mon"] == {"count": 5, "allowMultiplePerNode": False}
    (disks,) = given["storage"]["storageClassDeviceSets"]
    assert (disks["count"], disks["encrypted"]) == (300, True)
    (claim,) = disks["volumeClaimTemplates"]
    assert claim["metadata"]["annotations"] == {"crushDeviceClass": "ssd"}
    assert claim["spec"]["resources"] == {"requests": {"storage": "5120Gi"}}, "500Ti usable are 1500Ti on 300 disks"
    assert spec(recording, "eu-de-1-st-pool-a-ceph-own")["replicated"]["size"] == 3
    assert spec(recording, "eu-de-1-st-pool-a-ceph-mirror") == {"count": 2}


@pytest.mark.parametrize(
    ("domain", "label"), [("host", "kubernetes.io/hostname"), ("zone", "topology.kubernetes.io/zone")]
)
def test_what_may_fail_never_has_most_of_the_monitors(domain: str, label: str) -> None:
    recording = made({"ceph": {"failureDomain": domain}, "zones": ["a", "b", "c"]})
    (spread,) = spec(recording, "eu-de-1-st-pool-a-ceph")["placement"]["mon"]["topologySpreadConstraints"]
    assert (spread["topologyKey"], spread["maxSkew"], spread["whenUnsatisfiable"]) == (label, 1, "DoNotSchedule")


def test_without_a_capacity_a_disk_may_have_any_size() -> None:
    (disks,) = spec(made(), "eu-de-1-st-pool-a-ceph")["storage"]["storageClassDeviceSets"]
    assert disks["volumeClaimTemplates"][0]["spec"]["resources"] == {"requests": {"storage": "1Gi"}}


@pytest.mark.parametrize("protection", [True, False])
def test_a_ceph_cluster_is_protected_as_its_pool_is(*, protection: bool) -> None:
    cluster = made({"deletionProtection": protection}).named("eu-de-1-st-pool-a-ceph")
    assert (cluster.protect, cluster.retain) == (protection, protection)
