"""What a claim becomes in its Shoot."""

from pathlib import Path
from typing import Any

import pulumi
import pytest

from tests.plans import CONFIG_MAP, made, plan
from tests.regions import small

OPENSTACK = "openstack.provider.extensions.gardener.cloud/v1alpha1"
METAL = "ironcore-metal.provider.extensions.gardener.cloud/v1alpha1"
MANAGEMENT = {"kubeconfig": "management.yaml", "issuer": "https://issuer.example.com"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "garden.yaml"


def control_plane(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (a test may put anything into a claim)
    config = small()
    config["controlPlane"].update(changes)
    return config


def spec_of(config: dict[str, Any], name: str = "eu-de-1-control-plane") -> dict[str, Any]:
    found: dict[str, Any] = plan(config).named(f"{name}-shoot").inputs["spec"]
    return found


def test_a_control_plane_on_openstack_says_what_the_extension_must_know() -> None:
    provider = spec_of(control_plane())["provider"]
    assert provider["type"] == "openstack"
    assert provider["infrastructureConfig"] == {
        "apiVersion": OPENSTACK,
        "kind": "InfrastructureConfig",
        "floatingPoolName": "FloatingIP-external",
        "networks": {"workers": "10.250.0.0/16"},
    }
    assert provider["controlPlaneConfig"] == {
        "apiVersion": OPENSTACK,
        "kind": "ControlPlaneConfig",
        "loadBalancerProvider": "amphora",
    }
    assert provider["workers"][0]["providerConfig"]["serverGroup"] == {"policy": "soft-anti-affinity"}, (
        "databases of one cluster should not fail with one host"
    )


def test_the_network_of_the_nodes_is_the_claim_s_everywhere() -> None:
    spec = spec_of(control_plane(networking={"nodes": "10.9.0.0/16", "pods": "10.8.0.0/16"}))
    assert spec["provider"]["infrastructureConfig"]["networks"] == {"workers": "10.9.0.0/16"}
    assert (spec["networking"]["nodes"], spec["networking"]["pods"]) == ("10.9.0.0/16", "10.8.0.0/16")
    config = small()
    config["hypervisorPools"][0]["networking"] = {"nodes": "10.7.0.0/16"}
    spec = spec_of(config, "hv-pool-a")
    assert spec["provider"]["infrastructureConfig"]["networks"] == [{"name": "nodes", "cidr": "10.7.0.0/16"}]


def test_a_server_keeps_its_name_as_a_node() -> None:
    provider = spec_of(small(), "hv-pool-a")["provider"]
    assert provider["controlPlaneConfig"] == {
        "apiVersion": METAL,
        "kind": "ControlPlaneConfig",
        "nodeNamePolicy": "ServerName",
    }, "Nova knows a hypervisor by its host name"


def test_calico_tunnels_by_vxlan_and_cilium_chooses_itself() -> None:
    network = spec_of(control_plane())["networking"]["providerConfig"]
    assert (network["kind"], network["backend"], network["vxlan"]) == ("NetworkConfig", "vxlan", {"enabled": True})
    assert network["ipv4"] == {"pool": "vxlan", "mode": "Always"}
    assert "providerConfig" not in spec_of(control_plane(networking={"type": "cilium"}))["networking"]


def test_zones_are_the_claim_s() -> None:
    assert spec_of(control_plane())["provider"]["workers"][0]["zones"] == ["eu-de-1a", "eu-de-1b", "eu-de-1c"]


@pytest.mark.parametrize(
    ("workers", "zones"), [(2, ["eu-de-1a", "eu-de-1b"]), (9, ["eu-de-1a", "eu-de-1b", "eu-de-1c"])]
)
def test_a_pool_without_zones_stands_in_those_of_the_cloud_profile(file: Path, workers: int, zones: list[str]) -> None:
    config = small()
    config["storagePools"][0].update(workers=workers, ceph={"replicationFactor": 1, "monCount": 1})
    worker = made(config, file).named("st-pool-a-shoot").inputs["spec"]["provider"]["workers"][0]
    assert worker["zones"] == zones, "at most three, and a worker in each"


ZONES = "spec.provider.workers[0].zones"


def test_zones_that_nobody_names_are_chosen_once(file: Path) -> None:
    """With fewer workers, or zones that the cloud profile has anew, no node of a Shoot that is there moves."""
    config = control_plane()
    config["storagePools"][0]["zones"] = ["eu-de-1b"]
    region = made(config, file)
    assert region.named("hv-pool-a-shoot").ignore_changes == (ZONES,), "what the Shoot has stays"
    for named in ("st-pool-a", "eu-de-1-control-plane"):
        assert region.named(f"{named}-shoot").ignore_changes == (), "what the claim names is changed with it"


def test_without_a_garden_the_zones_are_unknown_and_no_mistake() -> None:
    worker = spec_of(small(), "hv-pool-a")["provider"]["workers"][0]
    assert isinstance(worker["zones"], pulumi.output.Unknown)


def test_hypervisors_are_labelled_and_softly_tainted() -> None:
    worker = spec_of(small(), "hv-pool-a")["provider"]["workers"][0]
    assert worker["taints"] == [{"key": "node-role.kubernetes.io/hypervisor", "effect": "PreferNoSchedule"}], (
        "the cluster's operators have no other nodes"
    )


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"kubernetesVersion": "1.35.4"}, {"kubernetesVersion": False, "machineImageVersion": True}),
        ({"kubernetesVersion": "1.35"}, {"kubernetesVersion": True, "machineImageVersion": True}),
        (
            {"machineImage": {"name": "gardenlinux", "version": "1877.5.0"}},
            {"kubernetesVersion": False, "machineImageVersion": False},
        ),
    ],
)
def test_gardener_updates_just_what_the_claim_leaves_open(claim: dict[str, Any], expected: dict[str, bool]) -> None:
    assert spec_of(control_plane(**claim))["maintenance"]["autoUpdate"] == expected, "or each plan would take it back"


@pytest.mark.parametrize(
    ("environment", "purpose"),
    [("production", "production"), ("staging", "evaluation"), ("development", "development")],
)
def test_the_environment_is_the_purpose(environment: str, purpose: str) -> None:
    assert spec_of(small(environment=environment))["purpose"] == purpose


@pytest.mark.parametrize(("protection", "annotation"), [(True, None), (False, "true")])
def test_only_what_is_not_protected_may_be_deleted(*, protection: bool, annotation: str | None) -> None:
    shoot = plan(control_plane(deletionProtection=protection)).named("eu-de-1-control-plane-shoot")
    assert shoot.inputs["metadata"]["annotations"].get("confirmation.gardener.cloud/deletion") == annotation
    assert shoot.protect is protection


KVM = ("baremetal-kvm", "racks")


@pytest.mark.parametrize(
    ("name", "changes", "becomes", "says"),
    [
        ("hv-pool-a", {}, KVM, ""),
        ("hv-pool-a", {}, ("premium", "racks"), "from baremetal-kvm of racks to premium of racks"),
        ("hv-pool-a", {}, ("baremetal-kvm", "others"), "to baremetal-kvm of others"),
        ("hv-pool-a", {"deletionProtection": False}, ("premium", "others"), ""),
        ("st-pool-a", {}, ("premium", "racks"), "set deletionProtection of st-pool-a to false"),
        ("eu-de-1-control-plane", {}, ("m5.8xlarge", "none"), ""),
    ],
)
def test_a_pool_keeps_its_servers_unless_its_claim_consents_to_others(
    name: str, changes: dict[str, Any], becomes: tuple[str, str], says: str
) -> None:
    config = small()
    config["hypervisorPools"][0].update(changes)
    said = refusal(config, name, servers(*KVM), servers(*becomes))
    assert said == "" if says == "" else says in said, said


def test_a_cluster_never_moves() -> None:
    elsewhere = {**servers(*KVM), "region": "us-east-1"}
    said = refusal(control_plane(deletionProtection=False), "eu-de-1-control-plane", servers(*KVM), elsewhere)
    assert said.startswith("eu-de-1-control-plane: region changes from eu-de-1 to us-east-1"), said


BARE: dict[str, Any] = {"provider": {"workers": [{"machine": {"type": "baremetal-kvm"}}]}}
EMPTY: dict[str, Any] = {"provider": {"workers": [{}]}}


@pytest.mark.parametrize(
    ("old", "says"),
    [
        (BARE, "hv-pool-a: ironcore changes from baremetal-kvm of any machine pool to baremetal-kvm of racks, which"),
        (EMPTY, "hv-pool-a: ironcore changes from no machine class of any machine pool to"),
        ({"provider": {"workers": []}}, ""),
        ({}, ""),
    ],
)
def test_a_shoot_that_was_imported_may_say_less_and_is_no_traceback(old: dict[str, Any], says: str) -> None:
    said = refusal(small(), "hv-pool-a", old, servers(*KVM))
    assert said == "" if says == "" else said.startswith(says), said


def servers(machine_class: str, machine_pool: str) -> dict[str, Any]:
    config = {"extraServerLabels": {"c5c3.io/machine-pool": machine_pool}}
    worker = {"machine": {"type": machine_class}, "providerConfig": config}
    return {"region": "eu-de-1", "provider": {"workers": [worker]}}


def refusal(config: dict[str, Any], name: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    """What is said of a change of the cluster's Shoot, before Gardener hears of it."""
    recording = plan(config)
    (guard,) = recording.named(f"{name}-shoot").before_update
    args = pulumi.ResourceHookArgs("urn", "id", name, "Shoot", new_inputs={"spec": new}, old_inputs={"spec": old})
    try:
        recording.guards[guard](args)
    except pulumi.RunError as refused:
        return str(refused)
    return ""


def test_a_shoot_is_waited_for_until_it_works() -> None:
    shoot = plan(small(garden={"kubeconfig": "none", "readyWithin": 7})).named("hv-pool-a-shoot")
    wait = shoot.inputs["metadata"]["annotations"]["pulumi.com/waitFor"]
    for condition in ("state}=Succeeded", "APIServerAvailable", "ControlPlaneHealthy", "EveryNodeReady", "SystemComp"):
        assert condition in wait
    assert shoot.timeout == "7m"
    assert shoot.on_error == ("eu-de-1-garden-explains",), "or nobody would say what Gardener says"


def test_clusters_trust_the_management_cluster_each_for_itself() -> None:
    recording = plan(small(management=MANAGEMENT))
    for shoot in ("eu-de-1-cp", "hv-pool-a", "st-pool-a"):
        name = "eu-de-1-control-plane" if shoot == "eu-de-1-cp" else shoot
        trust, cluster = recording.named(f"{name}-authentication"), recording.named(f"{name}-shoot")
        text = trust.inputs["data"]["config.yaml"]
        assert '"url": "https://issuer.example.com"' in text
        assert f'"c5c3-{shoot}"' in text, "a token for one cluster is none for another"
        server = cluster.inputs["spec"]["kubernetes"]["kubeAPIServer"]
        assert server == {"structuredAuthentication": {"configMapName": trust.inputs["metadata"]["name"]}}
        assert any(one.endswith(f"::{trust.name}") for one in cluster.depends_on), "Gardener reads it at once"


@pytest.mark.parametrize("management", [None, {"kubeconfig": "management.yaml"}])
def test_without_an_issuer_nobody_is_trusted(management: dict[str, str] | None) -> None:
    recording = plan(small(**({"management": management} if management else {})))
    assert not [one for one in recording.of_type(CONFIG_MAP) if one.name.endswith("-authentication")]
    assert "kubeAPIServer" not in recording.named("hv-pool-a-shoot").inputs["spec"]["kubernetes"]
