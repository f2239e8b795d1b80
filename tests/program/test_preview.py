"""The program as a person runs it: the real pulumi command, engine and Kubernetes provider, and no cluster."""

import json
import os
import shutil
import socket
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.regions import STACKS, stack
from tools import cache

SHOOT = "kubernetes:core.gardener.cloud/v1beta1:Shoot"


@dataclass(frozen=True)
class Project:
    """This clone, with a backend and stack files that belong to the test."""

    place: Path

    def stack_file(self, name: str) -> Path:
        return self.place / f"Pulumi.{name}.yaml"

    def pulumi(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {
            **os.environ,
            "PATH": f"{cache.LINKS / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.place),  # no garden of the person who runs the test
            "PULUMI_BACKEND_URL": f"file://{self.place}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }
        command = [str(cache.LINKS / "bin/pulumi"), *arguments, "--non-interactive"]
        return subprocess.run(command, cwd=cache.ROOT, env=env, capture_output=True, text=True, check=False)

    def run(self, command: str, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        made = self.pulumi("stack", "init", name, "--no-select")
        assert made.returncode == 0, made.stdout + made.stderr
        return self.pulumi(command, "--stack", name, "--config-file", str(self.stack_file(name)), *arguments)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name in STACKS:
        shutil.copy2(cache.ROOT / f"Pulumi.{name}.yaml", tmp_path)
    return Project(tmp_path)


@pytest.mark.parametrize("name", STACKS)
def test_a_preview_plans_every_cluster_of_the_stack_file(project: Project, name: str) -> None:
    before = (cache.ROOT / f"Pulumi.{name}.yaml").read_text()
    done = project.run("preview", name, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    steps = json.loads(done.stdout)["steps"]
    assert {step["op"] for step in steps} == {"create", "read"}, "what Gardener publishes of a cluster is read"
    config = stack(name)
    types = Counter(step["newState"]["type"] for step in steps)
    assert types["cobaltcore:index:HypervisorPool"] == len(config["hypervisorPools"])
    assert types["cobaltcore:index:StoragePool"] == len(config["storagePools"])
    assert types[SHOOT] == 1 + len(config["hypervisorPools"]) + len(config["storagePools"])
    assert (cache.ROOT / f"Pulumi.{name}.yaml").read_text() == before, "a preview leaves the stack file as it is in git"


def test_a_preview_plans_every_tenant_before_there_is_any_cluster(project: Project) -> None:
    """Addresses, keys and nodes are unknown then, and no reason to stop."""
    name = "eu-de-1"
    management = {"kubeconfig": "none.yaml", "issuer": "https://issuer.example.com"}
    settings = {
        "management": json.dumps({**management, "secretStore": {"server": "https://bao.example.com:8200"}}),
        "chartMirror": "oci://mirror.example.com/charts",
    }
    words = [word for key, value in settings.items() for word in ("--config", f"cobaltcore:{key}={value}")]
    done = project.run("preview", name, "--json", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    planned = Counter(step["newState"]["type"] for step in json.loads(done.stdout)["steps"])
    tenants = stack(name)["openStackClusters"]
    assert planned["cobaltcore:index:OpenStackCluster"] == len(tenants)
    assert planned["kubernetes:c5c3.io/v1alpha1:ControlPlane"] == len(tenants)
    shares = sum(len(tenant["hypervisorClusters"]) for tenant in tenants)
    assert planned["kubernetes:c5c3.io/v1alpha1:HypervisorShare"] == shares
    clients = planned["kubernetes:ceph.rook.io/v1:CephClient"]
    assert planned["kubernetes:external-secrets.io/v1alpha1:PushSecret"] == clients + len(tenants), "Ceph's, and OVN's"


def test_clusters_that_give_no_answer_are_planned_for_as_without_access(project: Project) -> None:
    """The garden's is the one, the management cluster's the other: the provider itself would fail at Flux's chart."""
    closed = project.place / "closed.yaml"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{taken.getsockname()[1]}"
    context = {"name": "here", "context": {"cluster": "there", "user": "me"}}
    config = {"apiVersion": "v1", "kind": "Config", "current-context": "here", "contexts": [context]}
    there = [{"name": "there", "cluster": {"server": server}}]
    closed.write_text(yaml.safe_dump({**config, "clusters": there, "users": [{"name": "me", "user": {"token": "a"}}]}))
    settings = {
        "garden": json.dumps({"kubeconfig": str(closed)}),
        "management": json.dumps({"kubeconfig": str(closed), "issuer": "https://issuer.example.com"}),
        "chartMirror": "oci://mirror.example.com/charts",
    }
    words = [word for key, value in settings.items() for word in ("--config", f"cobaltcore:{key}={value}")]
    done = project.run("preview", "us-east-1", "--json", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    plan = json.loads(done.stdout)
    types = Counter(step["newState"]["type"] for step in plan["steps"])
    assert types["kubernetes:helm.sh/v4:Chart"] == 1, "Flux's own chart is planned"
    assert types["kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease"] > 20
    warned = " ".join(one.get("message", "") for one in plan["diagnostics"] if one["severity"] == "warning")
    for cluster in ("garden", "management cluster"):
        assert f"{server}, the {cluster} of {closed}, gives no answer" in warned, warned


def test_a_mistake_is_a_sentence_and_plans_nothing(project: Project) -> None:
    file = project.stack_file("eu-de-1")
    file.write_text(file.read_text().replace("machineType: m5.4xlarge", "machinTyp: m5.4xlarge"))
    done = project.run("preview", "eu-de-1")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "cobaltcore:controlPlane.machinTyp is not a known key: did you mean machineType?" in said
    assert "Traceback" not in said, "a person's mistake is not the program's"
    assert "unhandled" not in said, "and is said once"
    assert SHOOT not in said, "nothing is planned when any input is bad"


def test_an_update_without_access_to_the_garden_stops_before_it_makes_anything(project: Project) -> None:
    done = project.run("up", "eu-de-1", "--yes", "--skip-preview")
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "cobaltcore:garden.kubeconfig is ~/.garden/eu-de-1.yaml, and there is no such file" in said
    assert "Traceback" not in said
    assert f"{SHOOT} " not in said, "no Shoot was asked for"
