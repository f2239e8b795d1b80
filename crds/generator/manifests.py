"""The CRDs themselves, for the sandbox: whole as their sources have them, one file for each."""

import json
from pathlib import Path

from crds.generator.prepare import Crd

FOLDER = "manifests"


def write(crds: list[Crd], target: Path) -> None:
    """JSON, which is read some fifty times as fast as YAML and by the same programs."""
    folder = target / FOLDER
    folder.mkdir()
    for crd in crds:
        (folder / f"{crd['metadata']['name']}.json").write_text(json.dumps(crd, sort_keys=True) + "\n")
