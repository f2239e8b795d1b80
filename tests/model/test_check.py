"""`make check` as a person runs it: the command behind it, in a project folder of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.regions import ROOT, STACKS


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The model and the stack files, without anything else of this clone."""
    shutil.copytree(ROOT / "model", tmp_path / "model", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "catalog", tmp_path / "catalog")
    for name in STACKS:
        shutil.copy2(ROOT / f"Pulumi.{name}.yaml", tmp_path)
    return tmp_path


def model(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "model", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def git(project: Path, *arguments: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    names = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(
        [shutil.which("git") or "git", *names, *arguments], cwd=project, env=env, check=True, capture_output=True
    )


def change(project: Path, old: str, new: str, stack: str = "eu-de-1") -> None:
    file = project / f"Pulumi.{stack}.yaml"
    text = file.read_text()
    assert old in text, f"the stack file has no longer {old!r}: mend this test"
    file.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("name", STACKS)
def test_a_good_stack_file_is_told_in_a_few_lines(project: Path, name: str) -> None:
    done = model(project, "check", name)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Pulumi.{name}.yaml is good.\n")
    assert f"{name}-control-plane" in done.stdout


def test_the_summary_says_what_is_promised_of_each_pool(project: Path) -> None:
    lines = {line.split()[1]: line for line in model(project, "check", "eu-de-1").stdout.splitlines()[1:]}
    assert lines["hv-pool-a"].endswith("45 nodes promised"), "20 + 5 + 15 + 5 shares"
    assert lines["st-pool-a"].endswith("54000Gi of 512000Gi promised"), "10000 + 2000 + 20000 + 20000 + 2000 GiB"


def test_mistakes_are_said_within_a_second_and_fail(project: Path) -> None:
    change(project, "workers: 50\n", "workers: 500\n")
    change(project, "size: large\n", "size: huge\n")
    model(project, "check", "us-east-1")  # the first run compiles
    began = sum(os.times()[2:4])
    done = model(project, "check", "eu-de-1")
    took = sum(os.times()[2:4]) - began  # of the processor: how busy the machine is besides is no matter of the check
    assert done.returncode == 1
    assert done.stdout == "", "nothing good is said of a bad file"
    assert [re.sub(r":\d+:", ":", line).split(" is ")[0] for line in done.stderr.splitlines()] == [
        "Pulumi.eu-de-1.yaml: cobaltcore:openStackClusters[0].size",
        "Pulumi.eu-de-1.yaml: cobaltcore:hypervisorPools[0].workers",
    ]
    assert took < 1.0, "a person checks after every line"


def test_a_stack_without_a_file_is_a_sentence(project: Path) -> None:
    done = model(project, "check", "eu-de-2")
    assert done.returncode == 1
    assert done.stderr == "Pulumi.eu-de-2.yaml is not here: name a stack that has a file, or write that file.\n"


def test_since_a_revision_says_what_cannot_change_in_place(project: Path) -> None:
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "before")
    change(
        project, "      environment: staging\n      size: small\n", "      environment: staging\n      size: medium\n"
    )
    change(project, "machineClass: baremetal-kvm}", "machineClass: baremetal-kvm-premium}")
    done = model(project, "check", "eu-de-1", "--since", "HEAD")
    assert done.returncode == 1
    said = done.stderr.splitlines()
    tenant = "Pulumi.eu-de-1.yaml: tenant customer-b-staging: size small to medium"
    assert [line.split(",")[0] for line in said] == [
        "Pulumi.eu-de-1.yaml: pool hv-pool-a: ironcore changes",
        f"{tenant} would change mariadb.replicas from 1 to 3",
        f"{tenant} would change valkey.sentinel from false to true",
    ]
    assert said[1].endswith(
        "which cannot be changed in place: keep it with sizing.mariadb.replicas: 1, or make a new tenant of the new "
        "size and move to it."
    ), "the person needs the way out"
    assert model(project, "check", "eu-de-1").returncode == 0, "by itself the new file is good"


def test_since_a_revision_that_git_does_not_know_is_a_sentence(project: Path) -> None:
    git(project, "init", "-q")
    done = model(project, "check", "eu-de-1", "--since", "v9")
    assert done.returncode == 1
    assert done.stderr.startswith("git ls-tree failed: ")
    assert done.stderr.endswith("name a revision that git knows.\n")
