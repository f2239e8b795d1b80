"""The documents' claims, as they stand there, arrive in a region; the folder claims/ holds them unmodified."""

import shutil
from pathlib import Path

import pytest

from model import RegionSpec
from model.ceph import ceph_pools
from tests.stackfiles import region_of

CLAIMS = Path(__file__).parent / "claims"
POOLS = """\
config:
  cobaltcore:region: eu-de-1
  cobaltcore:garden: {kubeconfig: ~/.garden/eu-de-1.yaml}
  cobaltcore:claims: claims
  cobaltcore:controlPlane: {region: eu-de-1}
  cobaltcore:hypervisorPools:
    - {region: eu-de-1, name: hv-pool-a, workers: 50, ironcore: {machinePool: ironcore-baremetal-kvm}}
    - {region: eu-de-1, name: hv-pool-b, workers: 100, ironcore: {machinePool: ironcore-baremetal-kvm-premium}}
  cobaltcore:storagePools:
    - region: eu-de-1
      name: st-pool-a
      workers: 10
      ironcore: {machinePool: ironcore-baremetal-storage}
      ceph: {targetCapacity: 500Ti}
    - region: eu-de-1
      name: st-pool-encrypted
      ironcore: {machinePool: ironcore-dedicated-storage-1}
      labels: {dedicated: "true", compliance: sox}
      ceph: {encrypted: true}
"""


def region_with(folder: Path, *files: str) -> RegionSpec:
    (folder / "claims").mkdir()
    for file in files:
        shutil.copy(CLAIMS / file, folder / "claims")
    return region_of(folder, POOLS)


def test_every_fixture_of_the_documents_is_loaded_by_a_test() -> None:
    here = Path(__file__).read_text()
    assert all(f'"{file.name}"' in here for file in CLAIMS.iterdir()), "a claim that nothing loads proves nothing"


def test_the_two_tenants_of_the_pool_model_arrive(tmp_path: Path) -> None:
    prod, staging = region_with(tmp_path, "tenants.yaml").open_stack_clusters
    assert (prod.name, prod.namespace, prod.region, prod.size) == (
        "customer-a-prod",
        "tenant-customer-a",
        "eu-de-1",
        "large",
    )
    assert prod.hypervisor_clusters == ("hv-pool-a", "hv-pool-b")
    assert prod.storage_clusters == ("st-pool-a",)
    assert prod.services.octavia, "the claim asks for load balancers"
    assert prod.services.horizon, "the claim does not know horizon, so it has the default"
    assert prod.cortex.enabled
    assert prod.cortex.pipelines == ("nova", "cinder")
    assert prod.tls.issuer_ref is not None
    assert (prod.tls.issuer_ref.name, prod.tls.issuer_ref.kind) == ("letsencrypt-prod", "ClusterIssuer"), (
        "the documents name the issuer by a bare string, the objects made from it want name and kind"
    )
    assert (staging.name, staging.namespace, staging.size) == ("customer-b-staging", "tenant-customer-b", "small")
    assert staging.hypervisor_clusters == ("hv-pool-a",)
    assert not staging.services.octavia
    assert not staging.cortex.enabled


def test_the_tenant_with_storage_arrives_with_its_ceph_pools(tmp_path: Path) -> None:
    (prod,) = region_with(tmp_path, "storage.yaml").open_stack_clusters
    pools = {pool.purpose: pool for pool in ceph_pools(prod)}
    assert prod.services.manila
    assert {purpose: pool.replication for purpose, pool in pools.items()} == {
        "volumes": 3,
        "images": 3,
        "ephemeral": 2,
        "cephfs-data": 3,
        "cephfs-metadata": 3,
    }
    assert pools["volumes"].quota_gib == 10_000, "quotaGB is 10737418240000 bytes in the documents, which are GiB"
    assert (pools["volumes"].compression, pools["images"].compression) == ("aggressive", "aggressive")


def test_the_pool_and_the_tenant_of_the_isolation_example_arrive(tmp_path: Path) -> None:
    region = region_with(tmp_path, "compliance.yaml")
    pool, (finance,) = region.hypervisor_pools[-1], region.open_stack_clusters
    assert (pool.name, pool.region, pool.workers) == ("hv-pool-compliance", "eu-de-1", 20)
    assert pool.labels == {"dedicated": "true", "compliance": "sox", "isolation": "physical"}
    assert (pool.ironcore.machine_pool, pool.ironcore.machine_class) == (
        "ironcore-dedicated-rack-1",
        "baremetal-kvm-isolated",
    )
    assert (finance.name, finance.namespace, finance.size) == ("finance-prod", "tenant-finance", "large")
    assert finance.hypervisor_clusters == ("hv-pool-compliance",)
    assert finance.storage_clusters == ("st-pool-encrypted",)


@pytest.mark.parametrize("tenants", ["tenants.yaml", "storage.yaml"])
def test_all_claims_of_the_documents_stand_in_one_region_with_either_form_of_customer_a(
    tmp_path: Path, tenants: str
) -> None:
    region = region_with(tmp_path, "compliance.yaml", tenants)
    names = {tenant.name for tenant in region.open_stack_clusters}
    assert {"customer-a-prod", "finance-prod"} <= names, "claims of several files are one region"
