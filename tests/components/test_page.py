"""The page that a person reads of a region."""

from pathlib import Path

import pulumi

from components.page import page
from tests.plans import made, plan
from tests.regions import small

CLUSTER = {
    "kind": "storage",
    "phase": "Ready",
    "kubernetesVersion": "1.35.4",
    "apiAddress": "https://a",
    "accessCommand": "get it",
}
POOLS = {
    "hv-a": {"nodes": 2, "capacity": {"vcpus": 256, "memoryGB": 2048}},
    "st-a": {"nodes": 10, "capacity": {"total": "500Ti", "osds": 300}, "health": "HEALTH_OK"},
    "st-b": {"nodes": 3, "capacity": {"total": None, "osds": 30}, "health": ""},
}
CONSUMED = {"hypervisor": [{"name": "hv-a"}], "storage": [{"name": "st-a"}]}
TENANT = {"phase": "Ready", "consumedPools": CONSUMED, "endpoints": {"keystone": "https://keystone"}}


def test_it_has_a_line_for_each_cluster_pool_and_tenant() -> None:
    lines = page("eu-de-1", {"st-a": CLUSTER}, POOLS, {"team-a": TENANT}).splitlines()
    assert lines[0] == "# Region eu-de-1"
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    for row in (
        ["st-a", "storage", "Ready", "1.35.4", "https://a"],
        ["hv-a", "2", "256 vCPUs, 2048 GB", ""],
        ["st-a", "10", "500Ti, 300 disks", "HEALTH_OK"],
        ["st-b", "3", "as much as the disks have, 30 disks", ""],
        ["team-a", "Ready", "hv-a, st-a", "https://keystone"],
    ):
        assert row in cells
    assert "    get it" in lines


def test_a_region_has_it_of_its_own_outputs(tmp_path: Path) -> None:
    (region,) = made(small(), tmp_path / "garden.yaml").of_type("cobaltcore:index:Region")
    assert "| st-pool-a " in region.outputs["readme"]
    assert region.outputs["pools"]["st-pool-a"]["health"] == "", "no Ceph without a management cluster"
    assert set(region.outputs["versions"]) == set(region.outputs["clusters"])


def test_before_the_clusters_are_there_it_is_unknown() -> None:
    (region,) = plan(small()).of_type("cobaltcore:index:Region")
    assert isinstance(region.outputs["readme"], pulumi.output.Unknown)
