"""Mistakes in whole claim manifests: the sentence names their own file, line, claim and field."""

import json
from pathlib import Path

import pytest

from tests.stackfiles import GOOD, HERE, changed, line_of, region_of, sentences

STACK = changed("cobaltcore:environment: production", "cobaltcore:claims: claims/eu-de-1")
FOLDER = Path("claims/eu-de-1")
MANIFESTS = """\
# A pool, and a tenant on it.
apiVersion: crossplane.c5c3.io/v1alpha1
kind: HypervisorCluster
metadata:
  name: hv-pool-b
  namespace: infrastructure
spec:
  region: eu-de-1
  name: hv-pool-b
  workers: 100
  compositionRef: {name: hypervisor-cluster}
  ironcore:
    machinePool: ironcore-baremetal-kvm-premium
status:
  phase: Ready
---
apiVersion: c5c3.io/v1alpha1
kind: OpenStackCluster
metadata:
  name: customer-c-prod
  namespace: tenant-customer-c
spec:
  region: eu-de-1
  size: small
  hypervisorClusters: [hv-pool-b]
  storageClusters: [st-pool-a]
"""
BETWEEN = "\nmetadata:\n  name: customer-c-prod\n  namespace: tenant-customer-c\n"
TENANT_SPEC = "spec:\n" + MANIFESTS.rpartition("spec:\n")[2]
CLAIMS = "ControlPlaneCluster, HypervisorCluster, StorageCluster, OpenStackCluster"
TENANT = "OpenStackCluster customer-c-prod"
DID = "did you mean hv-pool-b"
OTHER_TENANT = "which Pulumi.test.yaml:52 is called already: give each tenant its own name."
NAME_RULE = "use lower-case letters, digits and hyphens, beginning and ending with a letter or digit"

MISTAKES = [
    ("a field", "workers: 100", "workers: 0", "HypervisorCluster hv-pool-b: spec.workers is 0: use 1 or more."),
    (
        "a key",
        "workers: 100",
        "wokers: 100",
        "HypervisorCluster hv-pool-b: spec.wokers is not a known key: did you mean workers?",
    ),
    (
        "a field deep down",
        "storageClusters: [st-pool-a]",
        "storageClusters: [st-pool-a]\n  storage: {ceph: {volumePool: {replication: 9}}} # here",
        "OpenStackCluster customer-c-prod: spec.storage.ceph.volumePool.replication is 9: use 5 or less.",
    ),
    (
        "a missing field",
        "spec:\n  region: eu-de-1\n  name: hv-pool-b",
        "spec: # here\n  name: hv-pool-b",
        "HypervisorCluster hv-pool-b: spec.region is missing: add it, as it has no default.",
    ),
    (
        "a tenant's name",
        "name: customer-c-prod",
        "name: Customer-C",
        f"OpenStackCluster Customer-C: metadata.name is 'Customer-C': {NAME_RULE}.",
    ),
    (
        "a tenant's namespace",
        "namespace: tenant-customer-c",
        "namespace: Tenant",
        f"OpenStackCluster customer-c-prod: metadata.namespace is 'Tenant': {NAME_RULE}.",
    ),
    (
        "a rule",
        "hypervisorClusters: [hv-pool-b]",
        "hypervisorClusters: [hv-pool-c]",
        f"{TENANT}: spec.hypervisorClusters[0] is 'hv-pool-c', and the region has no such hypervisor pool: {DID}?",
    ),
    (
        "a name that the stack file has",
        "name: customer-c-prod",
        "name: customer-a-prod",
        f"OpenStackCluster customer-a-prod: metadata.name is 'customer-a-prod', {OTHER_TENANT}",
    ),
    (
        "two names",
        "  name: hv-pool-b\n  workers",
        "  name: hv-pool-c # here\n  workers",
        "spec.name is 'hv-pool-c', and metadata.name is 'hv-pool-b': use one name.",
    ),
    ("no name", "metadata:\n  name: hv-pool-b", "metadata: # here", "metadata.name is missing: name the claim."),
    (
        "no spec",
        f"apiVersion: c5c3.io/v1alpha1\nkind: OpenStackCluster{BETWEEN}{TENANT_SPEC}",
        f"apiVersion: c5c3.io/v1alpha1 # here\nkind: OpenStackCluster{BETWEEN}",
        "spec is missing: what the claim asks for stands below it, as keys with values.",
    ),
    (
        "another kind",
        "kind: OpenStackCluster",
        "kind: OpenstackCluster",
        f"kind is 'OpenstackCluster': a claim is one of {CLAIMS}; move other manifests elsewhere.",
    ),
    (
        "no kind",
        "apiVersion: c5c3.io/v1alpha1\nkind: OpenStackCluster",
        "apiVersion: c5c3.io/v1alpha1 # here",
        f"kind is missing: a claim is one of {CLAIMS}; move other manifests elsewhere.",
    ),
    (
        "another version",
        "apiVersion: c5c3.io/v1alpha1",
        "apiVersion: c5c3.io/v1",
        "apiVersion is 'c5c3.io/v1': use c5c3.io/v1alpha1 for the kind OpenStackCluster.",
    ),
    ("another key", "status:", "stauts:", "stauts is not a known key: use one of apiVersion, kind, metadata, spec."),
    (
        "a list",
        "---\n",
        "---\n- hv-pool-c # here\n---\n",
        f"kind is missing: a claim is one of {CLAIMS}; move other manifests elsewhere.",
    ),
]


def claims(folder: Path, text: str, name: str = "all.yaml") -> None:
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    (folder / FOLDER / name).write_text(text)


def test_the_manifests_that_the_mistakes_are_made_in_are_good(tmp_path: Path) -> None:
    claims(tmp_path, MANIFESTS)
    region = region_of(tmp_path, STACK)
    assert region.hypervisor_pools[-1].name == "hv-pool-b"
    assert region.open_stack_clusters[-1].namespace == "tenant-customer-c"


@pytest.mark.parametrize(("old", "new", "says"), [rest for _, *rest in MISTAKES], ids=[name for name, *_ in MISTAKES])
def test_a_mistake_in_a_manifest_gives_one_sentence_with_file_line_claim_and_field(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = changed(old, new, MANIFESTS)
    claims(tmp_path, text)
    assert sentences(tmp_path, STACK) == [f"{FOLDER}/all.yaml:{line_of(text, MANIFESTS)}: {says}"]


def test_a_file_of_manifests_that_cannot_be_read_is_one_mistake(tmp_path: Path) -> None:
    claims(tmp_path, MANIFESTS.replace("spec:", "spec", 1))
    (sentence,) = sentences(tmp_path, STACK)
    assert sentence.startswith("claims/eu-de-1/all.yaml:8 is not YAML here: "), (
        "that the tenant's pool is missing follows from it, and would only distract"
    )


def test_a_reference_into_a_file_that_cannot_be_read_is_no_second_mistake(tmp_path: Path) -> None:
    pool, tenant = MANIFESTS.split("---\n")
    claims(tmp_path, pool.replace("kind: HypervisorCluster", "kind: HypervisorPool"), "pool.yaml")
    claims(tmp_path, tenant, "tenant.yaml")
    (sentence,) = sentences(tmp_path, STACK)
    assert sentence.startswith("claims/eu-de-1/pool.yaml:3: kind is 'HypervisorPool': ")


def test_a_second_control_plane_is_refused_with_the_place_of_the_first(tmp_path: Path) -> None:
    second = (
        "apiVersion: crossplane.c5c3.io/v1alpha1\nkind: ControlPlaneCluster\n"
        "metadata: {name: other}\nspec: {region: eu-de-1}\n"
    )
    claims(tmp_path, second)
    (sentence,) = sentences(tmp_path, STACK)
    assert sentence == (
        "claims/eu-de-1/all.yaml:3: ControlPlaneCluster other: metadata.name is 'other', and Pulumi.test.yaml:8 "
        "is the region's control plane already: a region has one, remove one."
    )


def test_items_of_a_list_in_json_are_claims_with_their_own_lines(tmp_path: Path) -> None:
    item = {
        "apiVersion": "c5c3.io/v1alpha1",
        "kind": "OpenStackCluster",
        "metadata": {"name": "customer-c-prod", "uid": "5"},
        "spec": {"region": "eu-de-1", "size": "huge", "hypervisorClusters": ["hv-pool-a"]},
    }
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}, indent=1)
    claims(tmp_path, text, "all.json")
    lines = text.splitlines()
    assert sentences(tmp_path, STACK) == [
        f"claims/eu-de-1/all.json:{number}: OpenStackCluster customer-c-prod: spec.{says}"
        for number, says in (
            (
                1 + next(at for at, line in enumerate(lines) if '"size"' in line),
                "size is 'huge': use 'small', 'medium', 'large' or 'xlarge'.",
            ),
            (
                1 + next(at for at, line in enumerate(lines) if '"spec"' in line),
                "storageClusters is missing: add it, as it has no default.",
            ),
        )
    ], "an export of kubectl is one long list"


def test_a_kustomization_beside_the_claims_is_no_claim(tmp_path: Path) -> None:
    claims(tmp_path, MANIFESTS)
    claims(tmp_path, "resources: [all.yaml]\n", "kustomization.yaml")
    assert sentences(tmp_path, STACK) == []


def test_the_marker_is_a_comment() -> None:
    assert HERE.startswith("#"), "it must not change what the file says"
    assert HERE not in GOOD + MANIFESTS
