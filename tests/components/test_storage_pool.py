"""What a storage pool has in its cluster beside the catalogue: Ceph on its disks, and where that is reached."""

from pathlib import Path
from typing import Any

import pulumi
import pytest

from components import ceph_monitors
from components.ceph_monitors import addresses
from components.flux import connect_flux
from components.garden import connect
from components.storage_pool import StoragePool, StoragePoolArgs
from tests.plans import READY, SEEN, heard, plan
from tests.recorder import Recording, record
from tests.regions import loaded, small

MANAGEMENT = {"kubeconfig": "there-is-none-either.yaml", "issuer": "https://issuer.example.com"}
MONITORS = ["10.0.1.10:6789", "10.0.1.11:6789", "10.0.1.12:6789"]
WITH_CEPH = {
    **READY,
    "kubernetes:ceph.rook.io/v1:CephCluster": {"status": {"phase": "Ready", "ceph": {"health": "HEALTH_OK"}}},
}


class Own(pulumi.ComponentResource):
    def __init__(self) -> None:
        super().__init__("test:index:Program", "program")


def last(urns: tuple[str, ...]) -> set[str]:
    return {urn.rpartition("::")[2] for urn in urns}


def alone(tmp_path: Path, *, preview: bool = False, adds: dict[str, Any] = WITH_CEPH) -> tuple[Recording, list[Any]]:
    """One pool in somebody's program, and what its property `monitors` came to."""
    told: list[Any] = []
    file = tmp_path / "kubeconfig.yaml"
    file.write_text("")
    spec = loaded(
        small(
            garden={"kubeconfig": str(file)},
            management={**MANAGEMENT, "kubeconfig": str(file)},
            chartMirror="oci://m.example.com",
        )
    )

    def program() -> None:
        own = Own()
        garden = connect("garden", spec.garden, own, landscape=SEEN)
        flux = connect_flux("program", spec, own, looks=False)
        assert flux is not None
        flux.hub.update(dict.fromkeys(("openbao", "cert-manager", "external-secrets"), own))
        pool = StoragePool("st-pool-a", StoragePoolArgs(claim=spec.storage_pools[0], garden=garden, flux=flux))
        pool.monitors.apply(told.append)

    return record(program, preview=preview, adds=adds), told


def test_ceph_is_made_of_the_disks_when_rook_is_there() -> None:
    region = plan(small(management=MANAGEMENT))
    made = region.named("st-pool-a-ceph")
    assert {"st-pool-a-rook-ceph", "st-pool-a-local-static-provisioner", "st-pool-a-disks"} <= last(made.depends_on)
    assert "::st-pool-a-cluster::" in made.provider
    assert made.deleted_with.endswith("::st-pool-a-shoot"), "nobody waits for Ceph's finalizers in a cluster that goes"
    disks = region.named("st-pool-a-disks").inputs
    assert (disks["provisioner"], disks["volumeBindingMode"]) == (
        "kubernetes.io/no-provisioner",
        "WaitForFirstConsumer",
    )
    (devices,) = made.inputs["spec"]["storage"]["storageClassDeviceSets"]
    assert devices["volumeClaimTemplates"][0]["spec"]["storageClassName"] == disks["metadata"]["name"]


def test_the_class_of_the_disks_is_the_one_that_the_provisioner_fills() -> None:
    region = plan(small(management=MANAGEMENT))
    values = region.named("st-pool-a-local-static-provisioner").inputs["spec"]["values"]
    assert [one["name"] for one in values["classes"]] == [region.named("st-pool-a-disks").inputs["metadata"]["name"]]
    assert {one["volumeMode"] for one in values["classes"]} == {"Block"}


def test_the_monitors_are_where_other_clusters_reach_them() -> None:
    assert plan(small(management=MANAGEMENT)).named("st-pool-a-ceph").inputs["spec"]["network"] == {"provider": "host"}


def test_without_a_flux_there_is_no_ceph() -> None:
    assert not [one for one in plan(small()) if "ceph" in one.name or one.name == "st-pool-a-disks"]


def test_the_monitors_are_read_when_ceph_is_ready(tmp_path: Path) -> None:
    recording, told = alone(tmp_path)
    (read,) = [one for one in recording.reads if one.name == "st-pool-a-monitors"]
    assert read.inputs == {"id": "rook-ceph/rook-ceph-mon-endpoints"}
    assert "::st-pool-a-cluster::" in read.provider
    assert told == [MONITORS]


def test_what_is_installed_and_how_ceph_is_are_outputs(tmp_path: Path) -> None:
    release = {"status": {"history": [{"chartVersion": "1.20.6"}, {"chartVersion": "1.20.5"}]}}
    recording, _ = alone(tmp_path, adds={**WITH_CEPH, "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease": release})
    told = recording.named("st-pool-a").outputs
    assert told["versions"]["rook-ceph"] == "1.20.6"
    assert told["versions"].keys() == {one.removeprefix("st-pool-a-") for one in releases(recording)}
    assert told["health"] == "HEALTH_OK"


def test_its_room_is_what_ceph_says_and_its_promise_the_claim_s(tmp_path: Path) -> None:
    room = {"bytesTotal": 3000, "bytesUsed": 1000, "bytesAvailable": 2000}
    ceph = {"status": {"phase": "Ready", "ceph": {"health": "HEALTH_OK", "capacity": room}}}
    recording, _ = alone(tmp_path, adds={**WITH_CEPH, "kubernetes:ceph.rook.io/v1:CephCluster": ceph})
    told = recording.named("st-pool-a").outputs
    assert {key: told["capacity"][key] for key in ("total", "used", "available")} == {
        "total": 3000,
        "used": 1000,
        "available": 2000,
    }
    claim = loaded(small()).storage_pools[0]
    assert told["nodes"] == {"minimum": claim.workers, "maximum": claim.max_workers}, "Gardener counts no nodes"


def test_nobody_invents_a_room(tmp_path: Path) -> None:
    recording, _ = alone(tmp_path)
    capacity = recording.named("st-pool-a").outputs["capacity"]
    assert {key: capacity.get(key) for key in ("total", "used", "available", "promised")} == dict.fromkeys(
        ("total", "used", "available", "promised")
    )


def test_nobody_invents_a_version_or_a_health(tmp_path: Path) -> None:
    recording, _ = alone(tmp_path, adds=READY)
    told = recording.named("st-pool-a").outputs
    assert (told["versions"]["rook-ceph"], told["health"]) == ("", "")


def releases(recording: Recording) -> list[str]:
    return [one.name for one in recording.of_type("kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease")]


def test_a_plan_that_makes_ceph_knows_no_monitors_and_is_no_error(tmp_path: Path) -> None:
    recording, told = alone(tmp_path, preview=True, adds={})
    assert recording.named("st-pool-a-ceph")
    assert told == []


@pytest.mark.parametrize("answer", [True, False])
def test_a_plan_that_cannot_reach_the_cluster_goes_on_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, answer: bool
) -> None:
    said = heard(monkeypatch, "warn")

    def answers(_: str) -> bool:
        return answer

    monkeypatch.setattr(ceph_monitors, "answers", answers)
    recording, _ = alone(tmp_path, preview=True)
    (read,) = [one for one in recording.reads if one.name == "st-pool-a-monitors"]
    assert (read.inputs["id"] == "rook-ceph/rook-ceph-mon-endpoints") is answer, "what is unknown is not read"
    assert len([one for one in said if "Cluster st-pool-a gives no answer" in one]) == (0 if answer else 1)


def test_an_update_that_finds_no_monitors_says_where_to_look(tmp_path: Path) -> None:
    adds = {**WITH_CEPH, "kubernetes:core/v1:ConfigMap": {"data": {"ca.crt": "the authority"}}}
    with pytest.raises(pulumi.RunError, match="ConfigMap rook-ceph-mon-endpoints in rook-ceph names no monitor"):
        alone(tmp_path, adds=adds)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("b=10.1.2.4:6789,a=10.1.2.3:6789", ["10.1.2.3:6789", "10.1.2.4:6789"]),
        ("a=[fd00::3]:3300", ["[fd00::3]:3300"]),
        ("", []),
    ],
)
def test_the_addresses_are_in_the_order_of_the_monitors(text: str, found: list[str]) -> None:
    assert addresses(text) == found


def third(**management: Any) -> Recording:  # noqa: ANN401
    config = small(management={**MANAGEMENT, **management}, chartMirror="oci://mirror.example.com")
    config["storagePools"][0]["arbiterCluster"] = "third-site"
    return plan(config)


STORE = {"secretStore": {"server": "https://openbao.example.com:8200"}}


def test_an_arbiter_is_reached_by_a_kubeconfig_that_nobody_here_has_seen() -> None:
    region = third(**STORE)
    kubeconfig = region.named("st-pool-a-arbiter-kubeconfig")
    assert kubeconfig.inputs["metadata"]["namespace"] == "external-arbiter-system"
    assert kubeconfig.inputs["spec"]["secretStoreRef"] == {
        "kind": "ClusterSecretStore",
        "name": "openbao-cluster-store",
    }
    assert kubeconfig.inputs["spec"]["data"] == [
        {
            "secretKey": "kubeconfig.yaml",
            "remoteRef": {"key": "infrastructure/kubeconfig-third-site", "property": "value"},
        }
    ]
    assert "st-pool-a-secret-store" in last(kubeconfig.depends_on)
    remote = region.named("st-pool-a-arbiter-cluster")
    assert remote.inputs["spec"] == {
        "accesskeyRef": {"name": kubeconfig.inputs["spec"]["target"]["name"], "key": "kubeconfig.yaml"},
        "namespace": "st-pool-a",
    }
    assert {"st-pool-a-arbiter-kubeconfig", "st-pool-a-external-arbiter-operator"} <= last(remote.depends_on)


def test_an_arbiter_comes_when_there_is_a_ceph_to_decide_for() -> None:
    monitor = third(**STORE).named("st-pool-a-arbiter")
    assert monitor.inputs["spec"] == {
        "cephCluster": {"name": "rook-ceph", "namespace": "rook-ceph"},
        "remoteCluster": {"name": "third-site"},
    }
    assert {"st-pool-a-arbiter-cluster", "st-pool-a-ceph"} <= last(monitor.depends_on)
    assert monitor.inputs["metadata"]["annotations"]["pulumi.com/waitFor"] == "jsonpath={.status.state}=Ready"


def test_an_arbiter_is_one_of_the_monitors() -> None:
    assert third(**STORE).named("st-pool-a-ceph").inputs["spec"]["mon"]["count"] == 2, "3 with the arbiter, and not 4"
    assert plan(small(management=MANAGEMENT)).named("st-pool-a-ceph").inputs["spec"]["mon"]["count"] == 3


def test_an_arbiter_that_nobody_can_bring_leaves_all_monitors_in_the_pool() -> None:
    config = small(management={**MANAGEMENT, **STORE})
    config["storagePools"][0]["arbiterCluster"] = "third-site"
    region = plan(config)
    assert region.named("st-pool-a-ceph").inputs["spec"]["mon"]["count"] == 3
    assert not [one for one in region if one.name.startswith("st-pool-a-arbiter")]


def test_an_arbiter_without_a_way_to_its_kubeconfig_is_a_sentence() -> None:
    with pytest.raises(pulumi.RunError, match=r"st-pool-a: arbiterCluster is 'third-site'.*management.secretStore"):
        third()


def test_a_pool_without_an_arbiter_has_none() -> None:
    assert not [one for one in plan(small(management={**MANAGEMENT, **STORE})) if "arbiter" in one.name]
