"""What the real engine sends and what it gets back, for a region with violations planted in it.

All other tests of planted violations imitate the engine's messages (`judging.py`); this one proves the imitation.
"""

import json
from typing import Any

import pytest
from google.protobuf import json_format

from policies.preview import Result
from tests.policies.cases import CASES
from tests.policies.graphs import region
from tests.policies.judging import Plan, Planned, judge, messages, sent
from tests.policies.programs import Program
from tools import cache

# Each in another object, so that none hides another.
PLANTED = (
    "an unprotected pool",
    "one copy in production",
    "copies that nobody knows before the update",
    "a secret with a key",
    "a password among the values",
    "a right to every pool",
    "a privileged container",
    "the namespace of a control plane",
    "a second pool on isolated servers",
    "a key of another tenant",
    "more at least than at most",
    "nova without glance",
    "the version of the documents",
    "a group of yaml with a harmless child",
    "a component of somebody else",
    "an identifier that nobody knows before the update",
)
PACK = """\
import json, os, sys
sys.path[0] = {root!r}
from google.protobuf import json_format
from policies import analyzer
from policies.registry import POLICIES

class Listening(analyzer.Analyzer):
    def Analyze(self, request, context):
        keep("each", request)
        return super().Analyze(request, context)

    def AnalyzeStack(self, request, context):
        for one in request.resources:
            keep("all", one)
        return super().AnalyzeStack(request, context)

def keep(when, request):
    with open({heard!r}, "a") as file:
        file.write(json.dumps([when, json_format.MessageToDict(request)]) + "\\n")

analyzer.Analyzer = Listening
analyzer.serve(POLICIES)
"""
PROGRAM = """
import json

class Component(pulumi.ComponentResource):
    pass

class Raw(pulumi.CustomResource):
    pass

def told(value):
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, list):
        return [told(one) for one in value]
    return unknown() if value == rpc.UNKNOWN else value

providers, parents, shoots = {}, {}, []
for one in json.load(open("plan.json")):
    type_, name, props, parent = one["type"], one["name"], told(one["props"]), parents.get(one["parent"])
    if type_.startswith("pulumi:providers:"):
        after = pulumi.ResourceOptions(depends_on=list(shoots))
        providers[name] = pulumi.ProviderResource("kubernetes", name, props, after)
    elif one["provider"]:
        opts = pulumi.ResourceOptions(provider=providers[one["provider"]], protect=one["protect"], parent=parent)
        made = Raw(type_, name, props, opts)
        shoots += [made] if type_.endswith(":Shoot") else []  # as a region has it: its cluster is there first
    else:
        parents[one["urn"]] = Component(type_, name, None, pulumi.ResourceOptions(parent=parent))
        parents[one["urn"]].register_outputs(told(one["outputs"]))
"""


@pytest.fixture(scope="module")
def plan() -> Plan:
    made = region()
    for title in PLANTED:
        (case,) = [one for one in CASES if one.title == title]
        case.change(made)
    return made


@pytest.fixture(scope="module")
def heard() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture(scope="module")
def result(plan: Plan, heard: list[Any], tmp_path_factory: pytest.TempPathFactory) -> Result:
    """One preview for all tests: of the same resources, by a program that has them from a file."""
    place = tmp_path_factory.mktemp("real")
    pack, file = place / "pack", place / "heard.json"
    pack.mkdir()
    settings = (cache.ROOT / "policies/PulumiPolicy.yaml").read_text()
    (pack / "PulumiPolicy.yaml").write_text(settings.replace("../.venv", str(cache.ROOT / ".venv")))
    (pack / "__main__.py").write_text(PACK.format(root=str(cache.ROOT), heard=str(file)))
    program = Program.written(place, PROGRAM)
    (place / "plan.json").write_text(json.dumps([_plain(one) for one in plan.resources]))
    found = program.run("preview", pack=pack)
    heard += [json.loads(line) for line in file.read_text().splitlines()]
    return found


def _plain(one: Planned) -> dict[str, Any]:
    return {**vars(one), "props": sent(one.props), "outputs": sent(one.outputs)}


def test_a_region_with_many_violations_is_refused_for_each_of_them(plan: Plan, result: Result) -> None:
    expected = {one.policy for one in CASES if one.title in PLANTED and one.says}
    assert {one.policy for one in result.mandatory} == expected
    imitated = {(one.policy, one.level, one.says) for one in judge(plan)}
    assert {(one.policy, one.level, one.says) for one in result.findings} == imitated


def test_the_engine_sends_what_the_tests_imitate(plan: Plan, result: Result, heard: list[Any]) -> None:
    assert result.resources
    each, all_ = messages(plan)
    for when, imitated in (("each", each), ("all", all_.resources)):
        real = {_key(one): one for kind, one in heard if kind == when}
        for one in imitated:
            _same(real[one.type, one.name], one, when)


def _key(one: dict[str, Any]) -> tuple[str, str]:
    return one["type"], one["name"]


def _same(real: dict[str, Any], imitated: Any, when: str) -> None:  # noqa: ANN401
    made: dict[str, Any] = json_format.MessageToDict(imitated)
    where = f"{when} {made['type']} {made['name']}"
    assert real.get("options", {}).get("protect", False) == made.get("options", {}).get("protect", False), where
    assert ("provider" in real) == ("provider" in made), where
    for key in ("type", "name") if "provider" in made else ():
        assert real["provider"][key] == made["provider"][key], f"{where}: {key} of its provider"
    if "provider" in made:
        assert _properties(real["provider"]) == _properties(made["provider"]), f"{where}: what its provider says"
    if when == "each":
        assert _properties(real) == _properties(made), where


def _properties(one: dict[str, Any]) -> dict[str, Any]:
    """Every provider has the version of its plugin, which says nothing of a region."""
    return {key: value for key, value in one.get("properties", {}).items() if key != "version"}
