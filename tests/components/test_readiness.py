"""When an object is ready, kind by kind: as it was asked for last, under a name that no killed run takes along."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access.flux_status import PLURALS
from components.readiness import FIELD_MANAGER, READINESS, WAIT_FOR, patience, waited_for, waiting
from crds.generator import lock

MANIFESTS = Path(__file__).resolve().parents[2] / "crds/generated/manifests"
# External Secrets tells of a store no generation at all, and of a secret one inside a text.
SILENT = {"ClusterSecretStore", "SecretStore", "ExternalSecret", "PushSecret"}


def k_orc() -> Iterator[str]:
    for source in lock.load():
        if isinstance(source, lock.CrdSource) and "k-orc" in source.module:
            yield from (kind for file in source.crds for kind in file.kinds)


@pytest.mark.parametrize("kind", sorted(k_orc()))
def test_k_orc_s_kinds_are_available_and_not_ready(kind: str) -> None:
    assert waiting(f"openstack.k-orc.cloud/{kind}") == {**FIELD_MANAGER, WAIT_FOR: "condition=Available"}


@pytest.mark.parametrize("kind", READINESS)
def test_every_rule_is_one_that_the_provider_reads_and_ends(kind: str) -> None:
    for one in READINESS[kind].conditions:
        assert re.fullmatch(r"condition=\w+(=\w+)?|jsonpath=\{\.status[.\w]+\}(=\w+)?", one), one


@pytest.mark.parametrize("kind", READINESS)
def test_one_place_says_for_how_long_a_kind_is_waited_for(kind: str) -> None:
    own = READINESS[kind].minutes
    assert patience(kind, None if own else 7).create == (f"{own}m" if own else "7m")
    with pytest.raises(ValueError, match="either the region says"):
        patience(kind, 7 if own else None)


def test_the_region_says_it_of_just_what_gardener_and_flux_make() -> None:
    theirs = {kind for kind, readiness in READINESS.items() if readiness.minutes is None}
    assert theirs == {"Shoot", "ResourceSet", "HelmRepository/oci", "FluxInstance", *PLURALS}


def statuses() -> dict[str, list[dict[str, Any]]]:
    """The schema of each kind's status, as the set-up keeps the definitions."""
    found: dict[str, list[dict[str, Any]]] = {}
    for file in MANIFESTS.glob("*.json"):
        spec = json.loads(file.read_text())["spec"]
        stored = next(version for version in spec["versions"] if version["storage"])
        schema = stored["schema"]["openAPIV3Schema"]["properties"].get("status", {})
        kind = spec["names"]["kind"]
        for name in (kind, f"{spec['group']}/{kind}"):
            found.setdefault(name, []).append(schema.get("properties", {}))
    return found


def test_what_is_waited_for_says_of_which_generation_it_is() -> None:
    """Otherwise an update would end with what was true before it: Pulumi's provider looks at these two places."""
    there = statuses()
    for kind, readiness in READINESS.items():
        for status in there[kind.removesuffix("/oci")] if readiness.conditions else []:
            condition = status.get("conditions", {}).get("items", {}).get("properties", {})
            anywhere = "observedGeneration" in status or "observedGeneration" in condition
            by_path = [one for one in readiness.conditions if one.startswith("jsonpath=")]
            told = "observedGeneration" in status if by_path else anywhere
            assert told is (kind not in SILENT), f"{kind}: components/readiness.py and this test disagree"


@pytest.mark.parametrize("kind", READINESS)
def test_each_is_written_under_one_name(kind: str) -> None:
    annotations = waiting(kind)
    assert annotations.items() >= FIELD_MANAGER.items()
    assert (WAIT_FOR in annotations) is bool(READINESS[kind].conditions)


def test_what_is_waited_for_is_said_in_words() -> None:
    assert waited_for("CephCluster") == (
        "it was waited for up to 60 min, until status.phase is Ready and status.ceph.health is HEALTH_OK"
    )
    assert waited_for("CephClient").endswith("status.phase is Ready and status.info.secretName is there")
    assert waited_for("MariaDB").endswith("until Ready is True")
