"""From prepared CRDs to one typed Python package: crd2pulumi's engine, then Pulumi's own generator."""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from crds.generator.annotations import as_text
from crds.generator.prepare import Crd, api_version, kind
from tools import cache
from tools.problem import Problem

NAME = "cobaltcore_crds"
VERSION = "1.0.0"

PYPROJECT = f"""\
[build-system]
requires = ["uv_build>=0.13.8,<0.14"]
build-backend = "uv_build"

[project]
name = "cobaltcore-crds"
version = "{VERSION}"
description = "Typed CRDs of the CobaltCore region; generated from crds/lock.toml, never edited"
requires-python = ">=3.11"
dependencies = ["pulumi>=3.165.0,<4.0.0", "pulumi-kubernetes==4.27.0"]

[tool.uv.build-backend]
module-root = ""
"""

# ObjectMeta is the Kubernetes provider's; the engine only leaves a place for it.
METADATA = {
    "__init__.py": "from pulumi_kubernetes.meta.v1 import *\nfrom pulumi_kubernetes.meta.v1 import outputs\n",
    "_inputs.py": "from pulumi_kubernetes.meta.v1._inputs import *\n",
    "outputs.py": "from pulumi_kubernetes.meta.v1.outputs import *\n",
}


def write(crds: list[Crd], target: Path) -> None:
    """Write the package and its pyproject.toml into the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        schema = complete(_schema(crds, place), crds)
        (place / "schema.json").write_text(json.dumps(schema, sort_keys=True))
        _run([_program("pulumi"), "package", "gen-sdk", str(place / "schema.json"), "--language", "python"], place)
        made = place / "sdk" / "python" / NAME
        for name, text in METADATA.items():
            (made / "meta" / "v1" / name).write_text(text)
        for file in made.rglob("*.py"):
            file.write_text(as_text(file.read_text()))
        # Resource "true" would send the CLI looking for a plugin of this name at every run: the Kubernetes provider
        # serves these kinds.
        (made / "pulumi-plugin.json").write_text(json.dumps({"resource": False}) + "\n")
        (made / "kinds.json").write_text(json.dumps(index(crds), indent=1) + "\n")
        shutil.copytree(made, target / NAME)
    (target / "pyproject.toml").write_text(PYPROJECT)


def complete(schema: dict[str, Any], crds: list[Crd]) -> dict[str, Any]:
    """What the engine's schema lacks: the package's name, its modules' names, and a status that nobody sets."""
    for resource in schema["resources"].values():
        resource["inputProperties"].pop("status", None)
    return {
        **schema,
        "name": "cobaltcore-crds",
        "version": VERSION,
        "allowedPackageNames": ["kubernetes"],
        "language": {
            "python": {
                "packageName": NAME,
                "compatibility": "kubernetes20",
                "inputTypes": "classes-and-dicts",
                "moduleNameOverrides": {api_version(crd): module(api_version(crd)) for crd in crds},
                "pyproject": {"enabled": True},
            }
        },
    }


def index(crds: list[Crd]) -> list[dict[str, str]]:
    """Every kind in the package, in the order of the lock file."""
    return [{"apiVersion": api_version(crd), "kind": kind(crd), "scope": crd["spec"]["scope"]} for crd in crds]


def module(version: str) -> str:
    """The folder of an API version, as in `ceph_rook_io/v1`."""
    group, name = version.split("/")
    return f"{re.sub('[^a-z0-9]', '_', group)}/{name}"


def _schema(crds: list[Crd], place: Path) -> dict[str, Any]:
    files: list[str] = []
    for crd in crds:
        file = place / f"{api_version(crd).replace('/', '-')}-{kind(crd)}.json"
        file.write_text(json.dumps(crd))  # JSON is YAML, and needs no second writer
        files.append(str(file))
    return json.loads(_run([_program("crd-schema"), *files], place))


def _program(name: str) -> str:
    return str(cache.LINKS / "bin" / name)


def _run(command: list[str], place: Path) -> str:
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{Path(command[0]).name} failed on the prepared CRDs: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout
