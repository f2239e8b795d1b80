"""CustomResourceDefinitions as the set-up keeps them (crds/generated/manifests), and putting them into a cluster."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import cast

from sandbox.client import Client, Manifest
from sandbox.processes import POLL_SECONDS
from tools.cache import ROOT
from tools.problem import Problem

FOLDER = ROOT / "crds" / "generated" / "manifests"
API = "apiextensions.k8s.io/v1"
KIND = "CustomResourceDefinition"
ESTABLISHED_SECONDS = 60.0
STORES = ("clustersecretstores.external-secrets.io", "secretstores.external-secrets.io")
STORE_PROVIDERS = ("vault",)  # of dozens, half a megabyte of schema in every API server that has them


def known(name: str) -> bool:
    """Whether the set-up keeps the definition of a name such as helmreleases.helm.toolkit.fluxcd.io."""
    return _file(name).exists()


def groups(*suffixes: str) -> list[str]:
    """The names of all definitions of some API groups."""
    return sorted(file.stem for file in FOLDER.glob("*.json") if file.stem.partition(".")[2] in suffixes)


@cache
def definition(name: str) -> Manifest:
    """One definition, whole but for its descriptions and the secret stores that nobody here has.

    Every API server keeps all of it in memory several times over.
    """
    if not known(name):
        raise Problem(f"There is no CustomResourceDefinition {name}: add its kind to crds/lock.toml, then make setup.")
    crd = json.loads(_file(name).read_text())
    for version in crd["spec"]["versions"]:
        schema = version["schema"]["openAPIV3Schema"]
        if name in STORES:
            providers = schema["properties"]["spec"]["properties"]["provider"]
            providers["properties"] = {one: providers["properties"][one] for one in STORE_PROVIDERS}
        _describe_nothing(schema)
    return crd


def install(client: Client, names: Iterable[str]) -> None:
    """The kinds are served afterwards."""
    wanted = list(names)
    for name in wanted:
        client.apply(definition(name))
    for name in wanted:
        _await(client, name)


def established(crd: Manifest) -> bool:
    conditions: list[Manifest] = crd.get("status", {}).get("conditions") or []  # null at first
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


def _await(client: Client, name: str) -> None:
    for _ in range(int(ESTABLISHED_SECONDS / POLL_SECONDS)):
        found = client.get(API, KIND, name)
        if found and established(found):
            return
        client.closed.wait(POLL_SECONDS)
    raise Problem(f"{client.url} does not serve {name} after {ESTABLISHED_SECONDS:.0f} s.")


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def _describe_nothing(schema: Manifest) -> None:
    if isinstance(schema.get("description"), str):
        del schema["description"]
    children = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    for child in children:
        if isinstance(child, dict):
            _describe_nothing(cast("Manifest", child))
