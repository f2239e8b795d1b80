"""What a Shoot carries for Gardener's extensions, held against the schemas of crds/own.

Gardener itself looks at nothing in there, so a misspelt field would only fail when an extension reads it.
"""

import copy
from collections.abc import Iterator
from typing import Any, cast

import pytest
import yaml
from jsonschema import Draft7Validator, ValidationError

from tests.plans import SHOOT, plan
from tests.recorder import Recording
from tests.regions import STACKS, small, stack
from tools import cache

Json = dict[str, Any]


def schemas() -> dict[tuple[str, str], Json]:
    """By API version and kind, with every field that they do not name refused."""
    found: dict[tuple[str, str], Json] = {}
    for file in sorted((cache.ROOT / "crds/own").glob("*.extensions.gardener.cloud.yaml")):
        for crd in yaml.load_all(file.read_text(), yaml.CSafeLoader):
            for version in crd["spec"]["versions"]:
                schema = strict(version["schema"]["openAPIV3Schema"])
                found[f"{crd['spec']['group']}/{version['name']}", crd["spec"]["names"]["kind"]] = schema
    return found


def strict(schema: Json) -> Json:
    """As an API server reads it under strict validation."""
    result = copy.deepcopy(schema)
    for name, child in cast("Json", result.get("properties", {})).items():
        result["properties"][name] = strict(child)
    for key in ("items", "additionalProperties"):
        if isinstance(result.get(key), dict):
            result[key] = strict(result[key])
    if "properties" in result and not result.get("x-kubernetes-preserve-unknown-fields"):
        result.setdefault("additionalProperties", False)
    if result.get("x-kubernetes-int-or-string"):
        result.pop("type", None)
    return result


SCHEMAS = schemas()


def configs(value: object) -> Iterator[Json]:
    """Everything in a Shoot that is of an extension's kind."""
    if isinstance(value, dict):
        given = cast("Json", value)
        if ".extensions.gardener.cloud/" in str(given.get("apiVersion")):
            yield given
        for inner in given.values():
            yield from configs(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from configs(inner)


def wrong(config: Json) -> list[str]:
    schema = SCHEMAS[config["apiVersion"], config["kind"]]
    errors = cast("list[ValidationError]", list(cast("Any", Draft7Validator(schema)).iter_errors(config)))
    return [f"{config['kind']}: {error.json_path} {error.message}" for error in errors]


def planned() -> dict[str, Json]:
    """The two real regions, and one that says all of its networks."""
    with_networks = small()
    clusters = [with_networks["controlPlane"], *with_networks["hypervisorPools"], *with_networks["storagePools"]]
    for number, claim in enumerate(clusters):
        claim["networking"] = {"nodes": f"10.{number}.0.0/16"}
    return {**{name: stack(name) for name in STACKS}, "networks": with_networks}


@pytest.mark.parametrize("name", planned())
def test_what_the_extensions_are_told_is_what_they_read(name: str) -> None:
    recording: Recording = plan(planned()[name])
    shoots = recording.of_type(SHOOT)
    assert shoots
    for shoot in shoots:
        found = list(configs(shoot.inputs["spec"]))
        kinds = {one["kind"] for one in found}
        assert kinds == {"InfrastructureConfig", "ControlPlaneConfig", "WorkerConfig", "NetworkConfig"}, shoot.name
        assert [said for one in found for said in wrong(one)] == [], shoot.name


def one_of(kind: str) -> Json:
    shoot = plan(planned()["networks"]).named("eu-de-1-control-plane-shoot")
    (found,) = (one for one in configs(shoot.inputs["spec"]) if one["kind"] == kind)
    return copy.deepcopy(found)


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        ("InfrastructureConfig", {"floatingPool": "some"}, "'floatingPool' was unexpected"),
        ("InfrastructureConfig", {"networks": {"worker": "10.0.0.0/16"}}, "'worker' was unexpected"),
        ("WorkerConfig", {"serverGroup": {"policy": 5}}, "5 is not of type 'string'"),
        ("NetworkConfig", {"backend": "vxlans"}, "'vxlans' is not one of"),
    ],
)
def test_a_field_that_no_extension_knows_is_seen(kind: str, change: Json, says: str) -> None:
    assert not wrong(one_of(kind))
    assert any(says in sentence for sentence in wrong({**one_of(kind), **change}))
