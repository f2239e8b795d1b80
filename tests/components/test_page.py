"""The page that a person reads of a region."""

from pathlib import Path

import pulumi
import pytest

from components.page import binary, page
from tests.plans import made, plan
from tests.regions import small

CLUSTER = {
    "kind": "storage",
    "phase": "Ready",
    "kubernetesVersion": "1.35.4",
    "apiAddress": "https://a",
    "accessCommand": "get it",
}
TI = 1024**4
SPACE = {"promised": "500Ti", "osds": 300, "total": 1536 * TI, "available": 1280 * TI}
POOLS = {
    "hv-a": {"nodes": {"minimum": 2, "maximum": 9}, "capacity": {"vcpus": 256, "memoryGB": 2048}},
    "st-a": {"nodes": {"minimum": 10, "maximum": 30}, "capacity": SPACE, "health": "HEALTH_OK"},
    "st-b": {"nodes": {"minimum": 3, "maximum": 3}, "capacity": {"osds": 30}, "health": ""},
}
CONSUMED = {"hypervisor": [{"name": "hv-a"}], "storage": [{"name": "st-a"}]}
TENANT = {"phase": "Ready", "consumedPools": CONSUMED, "endpoints": {"keystone": "https://keystone"}}


def test_it_has_a_line_for_each_cluster_pool_and_tenant() -> None:
    lines = page("eu-de-1", {"st-a": CLUSTER}, POOLS, {"team-a": TENANT}).splitlines()
    assert lines[0] == "# Region eu-de-1"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    for row in (
        ["st-a", "storage", "Ready", "1.35.4", "https://a"],
        ["hv-a", "2 to 9", "at least 256 vCPUs, 2048 GB", ""],
        ["st-a", "10 to 30", "500Ti promised, 1.2Pi of 1.5Pi free, 300 disks", "HEALTH_OK"],
        ["st-b", "3", "30 disks", ""],
        ["team-a", "Ready", "hv-a, st-a", "https://keystone"],
    ):
        assert row in cells


def test_it_has_the_way_into_every_cluster() -> None:
    """Gardener's own command targets one and prints no kubeconfig, so none is promised."""
    other = {**CLUSTER, "accessCommand": "gardenctl target --shoot hv-a"}
    text = page("eu-de-1", {"st-a": CLUSTER, "hv-a": other}, POOLS, {})
    assert "    get it\n    gardenctl target --shoot hv-a\n" in text
    assert "A kubeconfig" not in text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (1023, "1023"), (1024, "1Ki"), (TI, "1Ti"), (TI * 3 // 2, "1.5Ti"), (1024**7 * 5, "5120Ei")],
)
def test_bytes_are_as_a_person_reads_them(count: int, text: str) -> None:
    assert binary(count) == text


def test_a_region_has_it_of_its_own_outputs(tmp_path: Path) -> None:
    (region,) = made(small(), tmp_path / "garden.yaml").of_type("cobaltcore:index:Region")
    assert "| st-pool-a " in region.outputs["readme"]
    assert region.outputs["pools"]["st-pool-a"]["health"] == "", "no Ceph without a management cluster"
    assert set(region.outputs["versions"]) == set(region.outputs["clusters"])


def test_before_the_clusters_are_there_it_is_unknown() -> None:
    (region,) = plan(small()).of_type("cobaltcore:index:Region")
    assert isinstance(region.outputs["readme"], pulumi.output.Unknown)
