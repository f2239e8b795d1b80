"""Stand-ins of CustomResourceDefinitions that the set-up does not keep: the real kind, with a schema that takes all."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

from sandbox.client import Manifest
from sandbox.definitions import API, KIND
from tools.problem import Problem

FILE = Path(__file__).parent / "kinds.yaml"
MARK = "sandbox.c5c3.io/stand-in"
Scope = Literal["Namespaced", "Cluster"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    kind: str
    version: str
    scope: Scope


@cache
def load() -> dict[str, Kind]:
    """By the names of their definitions, as in servicemonitors.monitoring.coreos.com."""
    facts: dict[str, tuple[str, str, Scope]] = yaml.load(FILE.read_text(), yaml.CSafeLoader)
    return {name: Kind(kind=kind, version=version, scope=scope) for name, (kind, version, scope) in facts.items()}


def stand_in(name: str) -> Manifest:
    """A definition of the one version that is stored upstream; the label says that the schema is nobody's."""
    kind = load().get(name)
    if kind is None:
        raise Problem(
            f"Nobody knows what {name} is: add a line with its kind, version and scope to sandbox/kinds.yaml,"
            " or its schema to crds/lock.toml, then make setup."
        )
    plural, _, group = name.partition(".")
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": kind.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": API,
        "kind": KIND,
        "metadata": {"name": name, "labels": {MARK: "schema"}},
        "spec": {
            "group": group,
            "names": {"kind": kind.kind, "plural": plural},
            "scope": kind.scope,
            "versions": [version],
        },
    }
