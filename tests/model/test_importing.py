"""`make claims`: manifests become a stack file, and no field gets lost without a word."""

from pathlib import Path

import pytest

from model import stack_file
from model.importing import convert
from model.problems import Problems

EXPORT = """\
apiVersion: v1
kind: List
items:
- apiVersion: c5c3.io/v1alpha1
  kind: OpenStackCluster
  metadata:
    name: customer-a-prod
    namespace: tenant-customer-a
    uid: 6e1d
  spec:
    region: eu-de-1
    size: large
    compositionSelector: {matchLabels: {environment: staging}}
    hypervisorClusters: [hv-pool-a]
    storageClusters: [st-pool-a]
    tls: {issuerRef: letsencrypt-prod}
  status: {phase: Ready}
- apiVersion: v1
  kind: Namespace
  metadata: {name: tenant-customer-a}
"""

POOLS = """\
apiVersion: crossplane.c5c3.io/v1alpha1
kind: HypervisorCluster
metadata: {name: hv-pool-a}
spec: {region: eu-de-1, name: hv-pool-a, workers: 5, ironcore: {machinePool: kvm}, labels: {dedicated: "true"}}
---
apiVersion: crossplane.c5c3.io/v1alpha1
kind: StorageCluster
metadata: {name: st-pool-a}
spec: {region: eu-de-1, name: st-pool-a, workers: 5, ironcore: {machinePool: storage}}
---
apiVersion: crossplane.c5c3.io/v1alpha1
kind: ControlPlaneCluster
metadata: {name: eu-de-1-control-plane}
spec: {region: eu-de-1, workers: 3}
"""


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    (folder / "pools").mkdir(parents=True)
    (folder / "tenants.yaml").write_text(EXPORT)
    (folder / "pools" / "all.yaml").write_text(POOLS)
    (folder / "kustomization.yaml").write_text("resources: [tenants.yaml]\n")
    return folder


def test_claims_become_a_stack_file_that_loads(export: Path, tmp_path: Path) -> None:
    convert(export, tmp_path)
    region = stack_file("eu-de-1", tmp_path)
    tenant = region.open_stack_clusters[0]
    assert (tenant.name, tenant.namespace, tenant.environment) == ("customer-a-prod", "tenant-customer-a", "staging")
    assert tenant.tls.issuer_ref is not None
    assert tenant.tls.issuer_ref.name == "letsencrypt-prod"
    assert region.control_plane.workers == 3
    assert region.hypervisor_pools[0].labels == {"dedicated": "true"}, "a text stays a text"


def test_what_is_left_out_is_said_with_its_line_and_reason(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    convert(export, tmp_path)
    said = capsys.readouterr()
    file = export / "tenants.yaml"
    assert said.err.splitlines() == [
        f"{file}:9: items[0].metadata.uid is left out: it belongs to the claim's object, not to the region.",
        f"{file}:13: items[0].spec.compositionSelector is left out: it is Crossplane's own (its environment is kept).",
        f"{file}:17: items[0].status is left out: it says how the claim was, not what it asks for.",
        f"{file}:18: Namespace tenant-customer-a is left out: it is no claim.",
    ]
    assert said.out == f"{tmp_path / 'Pulumi.eu-de-1.yaml'}: 4 claims.\n"


def test_a_field_that_no_claim_has_is_kept_and_said(export: Path, tmp_path: Path) -> None:
    file = export / "tenants.yaml"
    file.write_text(file.read_text().replace("    size: large\n", "    size: large\n    colour: blue\n"))
    with pytest.raises(Problems) as caught:
        convert(export, tmp_path)
    assert "openStackClusters[0].colour is not a known key" in str(caught.value)
    assert "colour: blue" in (tmp_path / "Pulumi.eu-de-1.yaml").read_text(), "the person decides what becomes of it"


def test_each_region_gets_its_own_file(export: Path, tmp_path: Path) -> None:
    (export / "us.yaml").write_text(POOLS.replace("eu-de-1", "us-east-1"))
    convert(export, tmp_path)
    assert stack_file("us-east-1", tmp_path).region == "us-east-1"
    assert stack_file("eu-de-1", tmp_path).region == "eu-de-1"


def test_a_second_control_plane_of_a_region_is_said(export: Path, tmp_path: Path) -> None:
    (export / "second.yaml").write_text(POOLS.split("---")[2].replace("eu-de-1-control-plane", "eu-de-1-other"))
    with pytest.raises(Problems, match="has the first control plane only, as a region has one: eu-de-1-other left out"):
        convert(export, tmp_path)


def test_an_existing_stack_file_is_not_overwritten(export: Path, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.eu-de-1.yaml").write_text("mine")
    with pytest.raises(Problems, match=r"Pulumi\.eu-de-1\.yaml is there already"):
        convert(export, tmp_path)
    assert (tmp_path / "Pulumi.eu-de-1.yaml").read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "holds no claims"), ("a: [", "is not YAML here"), ("kind: Pod", "holds no claims")],
    ids=["empty", "no YAML", "no claim"],
)
def test_a_folder_without_claims_is_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "one.yaml").write_text(text)
    with pytest.raises(Problems, match=sentence):
        convert(tmp_path, tmp_path)


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Problems, match="is no folder: name the one with the claims"):
        convert(tmp_path / "nowhere", tmp_path)
