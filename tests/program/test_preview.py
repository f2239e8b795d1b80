"""The program as a person runs it: the real pulumi command, engine and Kubernetes provider, and no cluster."""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.regions import STACKS, stack
from tools import cache

PARTS = ("__main__.py", "Pulumi.yaml", "pyproject.toml", "uv.lock", "README.md", "components", "model", "crds")
SHOOT = "kubernetes:core.gardener.cloud/v1beta1:Shoot"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the program, whose stack files a test may break, with this clone's set-up."""
    folder = tmp_path / "project"
    folder.mkdir()
    for part in (*PARTS, *(f"Pulumi.{name}.yaml" for name in STACKS)):
        source = cache.ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / part)
    for part in (".venv", ".tools"):
        (folder / part).symlink_to(cache.ROOT / part)
    return folder


def pulumi(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    backend = project.parent / "state"
    backend.mkdir(exist_ok=True)
    env = {
        **os.environ,
        "PATH": f"{cache.LINKS / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(project.parent),  # no garden of the person who runs the test
        "PULUMI_BACKEND_URL": f"file://{backend}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
    }
    command = [str(cache.LINKS / "bin/pulumi"), *arguments, "--non-interactive"]
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)


def preview(project: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    made = pulumi(project, "stack", "init", name)
    assert made.returncode == 0, made.stdout + made.stderr
    return pulumi(project, "preview", "--stack", name, *arguments)


@pytest.mark.parametrize("name", STACKS)
def test_a_preview_plans_every_cluster_of_the_stack_file(project: Path, name: str) -> None:
    before = (project / f"Pulumi.{name}.yaml").read_text()
    done = preview(project, name, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    steps = json.loads(done.stdout)["steps"]
    assert {step["op"] for step in steps} == {"create"}
    config = stack(name)
    types = Counter(step["newState"]["type"] for step in steps)
    assert types["cobaltcore:index:HypervisorPool"] == len(config["hypervisorPools"])
    assert types["cobaltcore:index:StoragePool"] == len(config["storagePools"])
    assert types[SHOOT] == 1 + len(config["hypervisorPools"]) + len(config["storagePools"])
    assert (project / f"Pulumi.{name}.yaml").read_text() == before, "a preview leaves the stack file as it is in git"


def test_a_mistake_is_a_sentence_and_plans_nothing(project: Path) -> None:
    file = project / "Pulumi.eu-de-1.yaml"
    file.write_text(file.read_text().replace("machineType: m5.4xlarge", "machinTyp: m5.4xlarge"))
    done = preview(project, "eu-de-1")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "cobaltcore:controlPlane.machinTyp is not a known key; did you mean machineType?" in said
    assert "Traceback" not in said, "a person's mistake is not the program's"
    assert "unhandled" not in said, "and is said once"
    assert SHOOT not in said, "nothing is planned when any input is bad"


def test_an_update_without_access_to_the_garden_stops_before_it_makes_anything(project: Path) -> None:
    made = pulumi(project, "stack", "init", "eu-de-1")
    assert made.returncode == 0, made.stdout + made.stderr
    done = pulumi(project, "up", "--stack", "eu-de-1", "--yes", "--skip-preview")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "cobaltcore:garden.kubeconfig is ~/.garden/eu-de-1.yaml, and there is no such file" in said
    assert "Traceback" not in said
    assert f"{SHOOT} " not in said, "no Shoot was asked for"
