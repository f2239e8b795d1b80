"""The generator: the same bytes for the same pins, typed to the last field, and CRDs prepared as the engine needs."""

import filecmp
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from crds import gardener
from crds.generator import package
from crds.generator.prepare import prepare
from tools import cache, sdk

GENERATED = cache.ROOT / "crds" / "generated"

PROGRAM = """
from crds import gardener

gardener.Shoot("one", spec=gardener.ShootSpecArgs(
    {field}=[],
    region="eu-de-1",
    provider=gardener.ShootSpecProviderArgs(type="ironcore-metal"),
    kubernetes=gardener.ShootSpecKubernetesArgs(version="1.35.4"),
))
gardener.Shoot("two", spec={{"{field}": [], "region": "eu-de-1", "provider": {{"type": "x"}}, "kubernetes": {{}}}})
"""


def differences(one: filecmp.dircmp[str]) -> list[str]:
    here = [*one.left_only, *one.right_only, *one.diff_files, *one.funny_files]
    return here + [name for below in one.subdirs.values() for name in differences(below)]


def test_generating_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    sdk.generate(tmp_path)
    ignored = ["__pycache__", "PINS", "dist"]
    assert differences(filecmp.dircmp(tmp_path, GENERATED, ignore=ignored)) == []
    changed = tmp_path / package.NAME / "_utilities.py"
    changed.write_text(changed.read_text() + "#")
    assert differences(filecmp.dircmp(tmp_path, GENERATED, ignore=ignored)) == ["_utilities.py"]


def test_a_misspelt_field_is_a_type_error(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(PROGRAM.format(field="tolerations"))
    (tmp_path / "misspelt.py").write_text(PROGRAM.format(field="tolerration"))
    root = str(cache.ROOT)
    settings = {"typeCheckingMode": "standard", "extraPaths": [root], "venvPath": root, "venv": ".venv"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(cache.ROOT / ".venv/bin/basedpyright"), "--project", str(tmp_path)]
    said = subprocess.run(command, cwd=cache.ROOT, capture_output=True, text=True, check=False).stdout
    assert 'misspelt.py:5:5 - error: No parameter named "tolerration"' in said, said
    assert said.count("misspelt.py:") == said.count(" - error: ") == 2, (
        f"as an argument and in a dict, no more:\n{said}"
    )


def test_importing_the_program_makes_no_kind() -> None:
    """Thousands of classes, of which a plan uses some: they are made when it does."""
    loaded = (
        "import re, sys, components, model; print([one for one in sys.modules if re.search(r'v\\d\\w*\\._inp', one)])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], cwd=cache.ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n", f"these are loaded by an annotation or an assignment of a module: {done.stdout}"


def test_what_only_the_type_checker_reads_stays_text() -> None:
    assert gardener.ShootSpecArgs.__init__.__annotations__["region"] == "pulumi.Input[_builtins.str]"
    assert gardener.ShootSpecArgsDict is dict


def crd(schema: dict[str, Any]) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    old = {**version, "name": "v1alpha1", "storage": False}
    unserved = {**version, "name": "v0", "served": False, "storage": False}
    names = {"kind": "Thing", "plural": "things"}
    spec = {"group": "example.test", "names": names, "scope": "Namespaced", "versions": [unserved, old, version]}
    return {"kind": "CustomResourceDefinition", "metadata": {"name": "things.example.test"}, "spec": spec}


def prepared(schema: dict[str, Any], *, typed_values: bool = False) -> dict[str, Any]:
    spec = prepare(crd(schema), typed_values=typed_values)["spec"]
    assert [version["name"] for version in spec["versions"]] == ["v1"], "only the stored version is in use"
    return spec["versions"][0]["schema"]["openAPIV3Schema"]


def test_a_default_is_the_server_s_to_set() -> None:
    schema = prepared({"type": "object", "properties": {"size": {"type": "integer", "default": 3}}})
    assert schema["properties"]["size"] == {"type": "integer"}


def test_a_field_called_default_or_not_stays() -> None:
    fields = {"default": {"type": "string"}, "not": {"type": "string"}}
    assert prepared({"type": "object", "properties": dict(fields)})["properties"] == fields


def test_bare_validation_does_not_hide_the_type_beside_it() -> None:
    named = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert prepared({**named, "oneOf": [{"required": ["name"]}]}) == named


def test_known_fields_keep_their_types_beside_unknown_ones() -> None:
    named = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert prepared({**named, "x-kubernetes-preserve-unknown-fields": True}) == named


def test_a_provider_config_takes_a_typed_object_of_another_group() -> None:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    outer = {"type": "object", "properties": {"providerConfig": dict(free)}}
    assert prepared(outer, typed_values=True)["properties"]["providerConfig"] == {}


def test_an_object_with_a_name_that_no_type_can_have_is_free_form() -> None:
    child = {"type": "object", "properties": {"one": {"type": "string"}}}
    assert prepared({"type": "object", "properties": {"rbd-mirror": child}})["properties"]["rbd-mirror"] == {}


def test_a_kind_s_module_is_named_after_its_group_and_version() -> None:
    assert package.module("ironcore-metal.provider.extensions.gardener.cloud/v1alpha1") == (
        "ironcore_metal_provider_extensions_gardener_cloud/v1alpha1"
    )


def test_the_whole_crds_are_kept_with_defaults_and_rules_for_the_servers_of_the_sandbox() -> None:
    whole = {file.stem: json.loads(file.read_text()) for file in (GENERATED / "manifests").glob("*.json")}
    release = whole["helmreleases.helm.toolkit.fluxcd.io"]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert release["properties"]["spec"]["x-kubernetes-validations"], "a server must refuse what production refuses"
    assert "helmcharts.source.toolkit.fluxcd.io" in whole, "a kind without types is there too"
    assert whole["machinepools.compute.ironcore.dev"]["spec"]["scope"] == "Cluster"
    assert whole["machinepools.compute.ironcore.dev"]["spec"]["versions"][0]["subresources"] == {"status": {}}
