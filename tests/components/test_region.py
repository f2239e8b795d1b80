"""What a region plans."""

import re
from pathlib import Path

import pulumi
import pytest

from components import Region, RegionArgs
from tests.plans import SHOOT, made, plan
from tests.recorder import record
from tests.regions import STACKS, loaded, small, stack

ZONE_TOLERANT = {"highAvailability": {"failureTolerance": {"type": "zone"}}}


@pytest.mark.parametrize("name", STACKS)
def test_every_cluster_of_a_stack_file_is_one_component_with_one_shoot(name: str) -> None:
    config = stack(name)
    recording = plan(config)
    pools = [*config["hypervisorPools"], *config["storagePools"]]
    clusters = {f"{name}-control-plane", *(pool["name"] for pool in pools)}
    components = {one.name for one in recording if not one.custom} - {name}
    assert components == clusters, "a person finds each cluster of the stack file in the tree, and nothing else"
    assert {one.name for one in recording.of_type(SHOOT)} == {f"{cluster}-shoot" for cluster in clusters}


def test_a_shoot_is_below_its_cluster_and_the_cluster_below_the_region() -> None:
    recording = plan(small())
    for one in recording.of_type(SHOOT):
        cluster = one.name.removesuffix("-shoot")
        assert one.parent.endswith(f"::{cluster}"), f"{one.name} belongs to {cluster}"
        assert recording.named(cluster).parent.endswith("Region::eu-de-1"), f"{cluster} belongs to the region"


def test_every_shoot_goes_to_the_garden_by_the_one_explicit_provider() -> None:
    recording = plan(small())
    assert recording.named("eu-de-1-garden").inputs["clusterIdentifier"] == "garden-c5c3", (
        "without an identifier an unknown kubeconfig would plan the replacement of everything behind the provider"
    )
    for one in recording.of_type(SHOOT):
        assert "::eu-de-1-garden::" in one.provider, f"{one.name} must not fall back to an ambient kubeconfig"


def test_the_provider_keeps_a_path_and_no_credential(tmp_path: Path) -> None:
    file = tmp_path / "garden.yaml"
    recording = made(small(), file)
    assert recording.named("eu-de-1-garden").inputs["kubeconfig"] == str(file)
    assert "canary-4711" not in repr(recording), "what stands in the state must not open the garden"


def test_a_preview_without_the_garden_plans_all_the_same() -> None:
    provider = plan(small()).named("eu-de-1-garden")
    assert isinstance(provider.inputs["kubeconfig"], pulumi.output.Unknown), "unknown access is unknown, not an error"


def test_an_update_without_the_garden_says_which_file_is_missing() -> None:
    with pytest.raises(pulumi.RunError, match=r"garden\.kubeconfig is there-is-none\.yaml, and there is no such file"):
        record(lambda: Region("eu-de-1", RegionArgs(spec=loaded(small()))))


def test_every_cluster_is_protected() -> None:
    recording = plan(small())
    assert recording.named("st-pool-a-shoot").protect, "it holds the tenants' data"
    assert recording.named("eu-de-1-control-plane-shoot").protect, "it holds the tenants' databases"
    assert recording.named("hv-pool-a-shoot").protect, "tenants' machines run there"


def test_the_claim_of_a_hypervisor_pool_arrives_in_its_shoot() -> None:
    shoot = plan(small()).named("hv-pool-a-shoot").inputs
    worker = shoot["spec"]["provider"]["workers"][0]
    assert (worker["minimum"], worker["maximum"]) == (50, 100)
    assert worker["machine"] == {"type": "baremetal-kvm", "image": {"name": "gardenlinux"}}
    assert worker["labels"] == {"tier": "standard", "node-role.kubernetes.io/hypervisor": ""}, (
        "agents find their nodes by the role, tenants by the pool's labels"
    )
    assert shoot["metadata"]["labels"]["tier"] == "standard"
    assert worker["providerConfig"] == {
        "apiVersion": "ironcore-metal.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "WorkerConfig",
        "extraServerLabels": {"c5c3.io/machine-pool": "ironcore-baremetal-kvm"},
    }, "the machine pool decides which servers the pool gets"


@pytest.mark.parametrize(
    ("highly_available", "expected"),
    [(True, ZONE_TOLERANT), (False, None)],
)
def test_a_control_plane_is_zone_tolerant_just_when_asked(*, highly_available: bool, expected: object) -> None:
    config = small()
    config["controlPlane"]["highAvailability"] = highly_available
    spec = plan(config).named("eu-de-1-control-plane-shoot").inputs["spec"]
    assert spec.get("controlPlane") == expected


def test_a_shoot_uses_no_field_that_gardener_refuses_today() -> None:
    for one in plan(small()).of_type(SHOOT):
        spec = one.inputs["spec"]
        assert spec["credentialsBindingName"], "it takes the place of secretBindingName"
        assert spec["cloudProfile"]["kind"] == "CloudProfile", "it takes the place of cloudProfileName"
        assert not {"secretBindingName", "cloudProfileName"} & spec.keys()


def test_component_types_are_the_identity_of_what_runs() -> None:
    types = {one.type for one in plan(small()) if not one.custom}
    assert types == {
        f"cobaltcore:index:{name}" for name in ("Region", "ControlPlaneCluster", "HypervisorPool", "StoragePool")
    }
    assert all(re.fullmatch(r"cobaltcore:index:[A-Z][A-Za-z]+", token) for token in types)
