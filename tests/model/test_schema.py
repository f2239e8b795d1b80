"""The schema for the editor: made from the models, and never stricter than they are."""

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from jsonschema import Draft7Validator, ValidationError as JsonError

from model import Problems, StackFile, load
from model.places import PREFIX
from model.schema import files, stack_schema
from tests.regions import ROOT, STACKS, loaded, small, small_tenant

SCHEMA = stack_schema()
EDITOR = Draft7Validator(SCHEMA)
TENANT = small_tenant(name="customer-a-prod", size="medium")


def region(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  (a test may put anything into a stack file)
    """The small region with a tenant."""
    return small(**{"openStackClusters": [copy.deepcopy(TENANT)], **changes})


def tenant(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return region(openStackClusters=[{**TENANT, **changes}])


def with_claim(key: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    config = region()
    claim = config[key][0] if isinstance(config[key], list) else config[key]
    claim.update(changes)
    return config


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in region().items() if name != key}


def marked(config: dict[str, Any]) -> list[str]:
    """What an editor marks in the stack file of a configuration."""
    return marked_in({"config": {f"{PREFIX}{key}": value for key, value in config.items()}})


def marked_in(document: Any) -> list[str]:  # noqa: ANN401  (whatever stands in a file)
    errors: Iterator[JsonError] = EDITOR.iter_errors(document)  # pyright: ignore[reportUnknownMemberType]
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


def refused(config: dict[str, Any]) -> bool:
    try:
        loaded(config)
    except Problems:
        return True
    return False


@pytest.mark.parametrize("file", files(), ids=lambda file: file.name)
def test_what_is_committed_is_what_the_models_say(file: Path) -> None:
    assert file.exists(), f"{file.name} is missing; write it with: make reference"
    assert file.read_text(encoding="utf-8") == files()[file], f"{file.name} is out of date; run: make reference"


def test_the_schema_is_a_schema_of_a_draft_that_editors_know() -> None:
    Draft7Validator.check_schema(SCHEMA)
    text = json.dumps(SCHEMA)
    assert SCHEMA["$schema"].endswith("/draft-07/schema#"), "the editors' YAML server knows no later draft in full"
    assert "$ref" not in text, "in this draft nothing beside a reference counts, so descriptions would be lost"


@pytest.mark.parametrize("name", STACKS)
def test_an_editor_marks_nothing_in_the_stack_files(name: str) -> None:
    assert marked_in(yaml.safe_load((ROOT / f"Pulumi.{name}.yaml").read_text())) == []


@pytest.mark.parametrize("file", sorted(ROOT.glob("Pulumi.*.yaml")), ids=lambda file: file.name)
def test_every_stack_file_leads_the_editor_to_the_schema(file: Path) -> None:
    header = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text())
    assert header, f"{file.name} must begin with the editor's line, as the page shows it"
    assert (file.parent / header[1]).resolve() in files(), f"{header[1]} is not the schema that is made here"


GOOD: dict[str, dict[str, Any]] = {
    "the small region": small(),
    "an issuer by its bare name": tenant(tls={"issuerRef": "letsencrypt-prod"}),
    "an issuer by name and kind": tenant(tls={"issuerRef": {"name": "letsencrypt-prod", "kind": "Issuer"}}),
    "an exported claim with its environment": tenant(environment="staging", namespace="tenant-a"),
    "empty lists": region(hypervisorPools=None, storagePools=None, openStackClusters=None),
    "an empty optional key": tenant(namespace=None, sizing=None, images={"nova": None}, tls={"issuerRef": None}),
    "a single size": tenant(sizing={"nova": {"api": 9}, "mariadb": {"storageSize": "1Ti"}}),
    "a digest": tenant(images={"nova": {"repository": "r.example.org/nova", "digest": f"sha256:{'0' * 64}"}}),
    "networks of both kinds": with_claim("controlPlane", networking={"nodes": "10.0.0.0/8", "pods": "2001:db8::/32"}),
    "labels with a prefix and without a value": with_claim(
        "hypervisorPools", labels={"example.org/a": "", "B_c.d": "1"}
    ),
    "volumes placed": tenant(storage={"ceph": {"volumePool": {"backends": {"st-pool-a": {"quotaGB": 5}}}}}),
}


@pytest.mark.parametrize("config", GOOD.values(), ids=GOOD)
def test_what_the_model_takes_is_not_marked(config: dict[str, Any]) -> None:
    assert not refused(config), "this is meant to be good"
    assert marked(config) == [], "an editor that marks what is right teaches to ignore it"


def test_the_control_plane_may_come_from_a_folder_of_claims(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "plane.yaml").write_text(
        "apiVersion: crossplane.c5c3.io/v1alpha1\nkind: ControlPlaneCluster\n"
        "metadata: {name: eu-de-1-control-plane}\nspec: {region: eu-de-1}\n"
    )
    for plane in ({}, {"controlPlane": None}):
        config = {"region": "eu-de-1", "garden": {"kubeconfig": "none.yaml"}, "claims": "claims", **plane}
        assert load(config, StackFile("Pulumi.test.yaml"), tmp_path).control_plane.name == "eu-de-1-control-plane"
        assert marked(config) == [], "the model takes it"


def test_every_key_that_an_editor_offers_is_described() -> None:
    def nameless(schema: dict[str, Any], path: str) -> Iterator[str]:
        for key, below in schema.get("properties", {}).items():
            if not below.get("description"):
                yield f"{path}.{key}"
            yield from nameless(below, f"{path}.{key}")
        for below in (schema.get("items"), schema.get("additionalProperties")):
            if isinstance(below, dict):
                yield from nameless(cast("dict[str, Any]", below), path)

    assert list(nameless(SCHEMA, "")) == [], "give these a docstring below the field"


def test_configuration_of_others_and_what_pulumi_adds_is_left_alone() -> None:
    document: dict[str, Any] = {
        "config": {f"{PREFIX}{key}": value for key, value in small().items()} | {"kubernetes:context": "a", "x:y": {}},
        "encryptionsalt": "v1:abc",
        "secretsprovider": "gcpkms://key",
        "encryptedkey": "abc",
        "environment": ["shared"],
    }
    assert marked_in(document) == []


WRONG: dict[str, dict[str, Any]] = {
    "no region": without("region"),
    "no garden": without("garden"),
    "no control plane and no claims": without("controlPlane"),
    "an empty control plane": region(controlPlane=None),
    "an unknown key": region(hypervisorPool=[]),
    "an unknown environment": region(environment="test"),
    "a region in capitals": region(region="EU-DE-1"),
    "a garden without kubeconfig": region(garden={}),
    "a namespace that is no project's": region(garden={"kubeconfig": "a", "namespace": "c5c3"}),
    "claims in two folders": region(claims=["a", "b"]),
    "one pool in place of a list": region(storagePools={"region": "eu-de-1", "name": "st-pool-a"}),
    "an old Kubernetes": with_claim("controlPlane", kubernetesVersion="1.29"),
    "a version that is a number": with_claim("controlPlane", kubernetesVersion=1.35),
    "a version with a v": with_claim("controlPlane", kubernetesVersion="v1.35"),
    "a capacity without unit": with_claim("controlPlane", volumeSize="200"),
    "workers in words": with_claim("controlPlane", workers="five"),
    "workers that are half": with_claim("controlPlane", workers=5.5),
    "a network without length": with_claim("controlPlane", networking={"nodes": "10.0.0.0"}),
    "a network that is too long": with_claim("controlPlane", networking={"nodes": "10.0.0.0/33"}),
    "a window without offset": with_claim("controlPlane", maintenance={"begin": "220000"}),
    "an unknown key within": with_claim("controlPlane", machineTyp="m5"),
    "a truth in words": with_claim("controlPlane", highAvailability="yes"),
    "too many zones": with_claim("controlPlane", zones=[f"z{number}" for number in range(11)]),
    "no machine pool": with_claim("hypervisorPools", ironcore={}),
    "a name with a trailing hyphen": with_claim("hypervisorPools", name="hv-"),
    "a label of ours": with_claim("hypervisorPools", labels={"c5c3.io/region": "a"}),
    "a label that is true": with_claim("hypervisorPools", labels={"dedicated": True}),
    "a label value with a blank": with_claim("hypervisorPools", labels={"tier": "very good"}),
    "an even quorum": with_claim("storagePools", ceph={"monCount": 4}),
    "an unknown class of disks": with_claim("storagePools", ceph={"deviceClass": "tape"}),
    "six copies": with_claim("storagePools", ceph={"replicationFactor": 6}),
    "an unknown size": tenant(size="huge"),
    "no pools": tenant(hypervisorClusters=[]),
    "a tenant's name that is too long": tenant(name="a" * 54),
    "a small packet": tenant(network={"mtu": 1000}),
    "a schedule in words": tenant(tempest={"schedule": "every night"}),
    "an image that changes": tenant(images={"nova": {"repository": "r.example.org/nova", "tag": "latest"}}),
    "an image without repository": tenant(images={"nova": {"tag": "1"}}),
    "an unknown component": tenant(sizing={"novaApi": {"replicas": 3}}),
    "an even size": tenant(sizing={"ovn": {"northbound": 2}}),
    "an issuer with a blank": tenant(tls={"issuerRef": "let us encrypt"}),
    "an unknown key of a backend": tenant(storage={"ceph": {"volumePool": {"backends": {"st-pool-a": {"quota": 5}}}}}),
    "a share of nothing": tenant(nodeShares={"hv-pool-a": 0}),
}


@pytest.mark.parametrize("config", WRONG.values(), ids=WRONG)
def test_an_editor_marks_what_the_model_refuses_in_single_fields(config: dict[str, Any]) -> None:
    assert refused(config), "the model is what counts"
    assert marked(config), "a mistake in a single field can be seen while it is typed"


VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        4,
        5,
        11,
        16,
        101,
        1001,
        1500,
        -1,
        3.5,
        "",
        "a",
        "A",
        "a-b",
        "-a",
        "a b",
        "3",
        "true",
    ),
    *("10.0.0.0/16", "10.0.0.1/16", "fd00::/64", "1.35", "1.33.0", "1.3", "2.0", "500Ti", "5", "0Gi", "hdd", "zone"),
    *("latest", "v1.2", "220000+0000", "0 2 * * *", "production", "small", "garden-x", "st-pool-a", "hv-pool-a"),
    *(
        [],
        ["a"],
        ["nova"],
        ["hv-pool-a"],
        [3],
        {},
        {"a": "b"},
        {"name": "a"},
        {"enabled": True},
        {"replicas": 3},
        {"a": 3},
    ),
]


def blocks(value: Any, schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:  # noqa: ANN401
    """Every mapping of a configuration with its place in the schema."""
    if isinstance(value, dict):
        block = cast("dict[str, Any]", value)
        yield block, schema
        for key, below in block.items():
            yield from blocks(below, schema.get("properties", {}).get(key) or schema.get("additionalProperties") or {})
    if isinstance(value, list):
        for below in cast("list[Any]", value):
            yield from blocks(below, schema["items"])


def mutated(luck: random.Random) -> dict[str, Any]:
    """The small region with a tenant, and one key set to something, be it good or bad."""
    prefixed = {f"{PREFIX}{key}": value for key, value in region().items()}
    full = tenant(storage={"ceph": {"volumePool": {"backends": {"st-pool-a": {}}}}}, sizing={"nova": {}, "valkey": {}})
    config = luck.choice([prefixed, {f"{PREFIX}{key}": value for key, value in full.items()}])
    block, schema = luck.choice(list(blocks(config, SCHEMA["properties"]["config"])))
    known = [key for key in schema.get("properties", {}) if key != f"{PREFIX}claims"] or [
        "st-pool-a",
        "hv-pool-a",
        "c5c3.io/x",
        "-",
    ]
    if block and luck.random() < 0.1:
        del block[luck.choice(list(block))]
    else:
        block[luck.choice([*known, *known, "colour"]) if block is not config else luck.choice(known)] = luck.choice(
            VALUES
        )
    return {key.removeprefix(PREFIX): value for key, value in config.items()}


@pytest.mark.parametrize("seed", range(4))
def test_the_schema_refuses_nothing_that_the_model_takes(seed: int) -> None:
    luck = random.Random(seed)
    seen = {"marked": 0, "unmarked": 0}
    for _ in range(500):
        config = mutated(luck)
        found = marked(config)
        seen["marked" if found else "unmarked"] += 1
        assert not found or refused(config), f"the model takes this, and the editor marks it: {found}"
    assert min(seen.values()) > 50, "the sample must hold both, or it says nothing"
