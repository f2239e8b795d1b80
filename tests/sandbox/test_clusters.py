"""The clusters of us-east-1 for real: made, waited for, reached without any stored credential, changed."""

import base64
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Generator, Mapping
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from sandbox import pki
from sandbox.client import APPLY, BROKEN, Client, Manifest, Refused
from sandbox.pulumi import environment, stack_file
from tests import sandboxes
from tests.sandboxes import NAMESPACE, SHOOT, Running, own_name, shoot_path
from tools import cache

pytestmark = pytest.mark.servers

STACK = "us-east-1"
SHOOTS = ("us-east-1-cp", "hv-pool-us", "st-pool-us")
COMMAND = cache.LINKS / "bin/cobaltcore-access"


@pytest.fixture(scope="module")
def region() -> Generator[Running]:
    with sandboxes.running(own_name("clusters")) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def up(region: Running) -> str:
    """What `pulumi up` said on the way."""
    made = pulumi(region, "stack", "init", STACK, "--no-select")
    assert made.returncode == 0, made.stdout + made.stderr
    return said(pulumi(region, "up", "--yes", "--skip-preview", *log()))


def pulumi(
    region: Running, *arguments: str, path: str = "", file: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """As `python -m sandbox pulumi` runs it, with a folder before all others on PATH."""
    env = environment(region.home)
    if arguments[0] in ("up", "preview"):
        arguments = (*arguments, "--stack", STACK, "--config-file", str(file or stack_file(region.home, STACK)))
    (region.home.path / "pulumi").mkdir(exist_ok=True)
    return subprocess.run(
        [str(cache.LINKS / "bin/pulumi"), *arguments, "--non-interactive", "--color", "never"],
        cwd=cache.ROOT,
        env={**env, "PATH": f"{path}{os.pathsep}{env['PATH']}" if path else env["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def said(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def log() -> tuple[str, ...]:
    """All that Pulumi logs, for the search of what it must not."""
    return ("--logtostderr", "-v=9")


def state(region: Running) -> list[dict[str, Any]]:
    file = region.home.path / f"pulumi/.pulumi/stacks/cobaltcore/{STACK}.json"
    found: list[dict[str, Any]] = json.loads(file.read_text())["checkpoint"]["latest"]["resources"]
    return found


def test_every_cluster_is_ready_and_says_where_it_is(region: Running, up: str) -> None:
    assert up
    clusters = json.loads(said(pulumi(region, "stack", "output", "--stack", STACK, "--json")))["clusters"]
    assert sorted(one["shoot"] for one in clusters.values()) == sorted(SHOOTS)
    for one in clusters.values():
        assert (one["phase"], one["kubernetesVersion"]) == ("Ready", "1.35.4")
        assert one["apiAddress"] == region.status.clusters[one["shoot"]].url


def test_the_up_waited_until_gardener_was_done(region: Running, up: str) -> None:
    assert up
    for one in state(region):
        if one["type"].endswith(":Shoot"):
            status = one["outputs"]["status"]
            assert status["lastOperation"]["state"] == "Succeeded", f"{one['urn']} went on too early"
            assert {row["status"] for row in status["conditions"]} == {"True"}


def test_each_cluster_was_entered_by_its_own_provider(region: Running, up: str) -> None:
    assert up
    for shoot in SHOOTS:
        info = region.client(shoot).get("v1", "ConfigMap", "c5c3-cluster-info", "kube-public")
        assert info, f"{shoot} has no object of ours"
        assert info["data"]["region"] == STACK


def test_the_apis_take_every_field_and_drop_none(region: Running, up: str) -> None:
    assert "unknown field" not in up
    shoots = [one for one in state(region) if one["type"].endswith(":Shoot")]
    assert len(shoots) == len(SHOOTS)
    for one in shoots:
        name = one["inputs"]["metadata"]["name"]
        manifest: Manifest = {"apiVersion": SHOOT, "kind": "Shoot", **one["inputs"]}
        query = {"fieldManager": "test", "force": "true", "dryRun": "All", "fieldValidation": "Strict"}
        region.garden.request("PATCH", shoot_path(name), manifest, content=APPLY, **query)
        assert missing(one["inputs"]["spec"], region.shoot(name)["spec"]) == [], f"{name} lost what it was given"


def missing(wanted: Any, there: Any, path: str = "") -> list[str]:  # noqa: ANN401  (any part of a manifest)
    """The fields that are not as they were given."""
    if isinstance(wanted, dict) and isinstance(there, dict):
        ours, theirs = cast("Manifest", wanted), cast("Manifest", there)
        return [lost for key, value in ours.items() for lost in missing(value, theirs.get(key), f"{path}.{key}")]
    if isinstance(wanted, list) and isinstance(there, list):
        pairs = list(zip_longest(cast("list[Any]", wanted), cast("list[Any]", there)))
        return [lost for at, (one, other) in enumerate(pairs) for lost in missing(one, other, f"{path}[{at}]")]
    return [] if wanted == there else [path]


def test_at_rest_there_is_nothing_to_change_and_nothing_to_hide(region: Running, up: str) -> None:
    preview = said(pulumi(region, "preview", "--diff", "--expect-no-changes", *log()))
    assert re.search(r"\d+ unchanged", preview)
    kept = json.dumps(state(region))
    outputs = said(pulumi(region, "stack", "output", "--stack", STACK, "--json"))
    user = yaml.safe_load((region.home.kubeconfigs / "garden.yaml").read_text())["users"][0]["user"]
    keys = [user["client-key-data"], base64.b64decode(user["client-key-data"]).decode().splitlines()[3]]
    for where, text in {"up": up, "preview": preview, "state": kept, "outputs": outputs}.items():
        for canary in [*keys, "PRIVATE KEY", "client-key-data", "clientKeyData"]:
            assert canary not in text, f"{canary[:20]} is in {where}"


@pytest.mark.parametrize("workers", [76, 2])
def test_more_or_fewer_workers_are_an_update_of_one_field(
    region: Running, up: str, tmp_path: Path, workers: int
) -> None:
    """With two of them no zone goes: its nodes would have to move."""
    assert up
    zones: list[str] = region.shoot("hv-pool-us")["spec"]["provider"]["workers"][0]["zones"]
    assert len(zones) == 3, "the cloud profile's, as the claim names none"
    changed_file = tmp_path / "Pulumi.yaml"
    text = stack_file(region.home, STACK).read_text()
    changed_file.write_text(text.replace("workers: 75", f"workers: {workers}"))
    (step,) = changes(pulumi(region, "preview", "--json", file=changed_file))
    assert (step["op"], step["urn"].rpartition("::")[2]) == ("update", "hv-pool-us-shoot")
    assert list(step["detailedDiff"]) == ["spec.provider.workers[0].minimum"]


def changes(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    """The steps of a preview that change something."""
    steps: list[dict[str, Any]] = json.loads(said(done))["steps"]
    return [one for one in steps if one["op"] not in ("same", "read") and "pulumi:pulumi:Stack" not in one["urn"]]


@pytest.mark.parametrize("consent", [False, True])
def test_other_servers_are_refused_unless_the_claim_consents(
    region: Running, up: str, tmp_path: Path, *, consent: bool
) -> None:
    assert up
    changed_file = tmp_path / "Pulumi.yaml"
    given = yaml.safe_load(stack_file(region.home, STACK).read_text())
    premium = {"machinePool": "ironcore-baremetal-kvm-premium", "machineClass": "baremetal-kvm-premium"}
    given["config"]["cobaltcore:hypervisorPools"][0].update(ironcore=premium, deletionProtection=not consent)
    changed_file.write_text(yaml.safe_dump(given))
    done = pulumi(region, "preview", "--json", file=changed_file)
    sentence = "hv-pool-us: ironcore changes from baremetal-kvm of ironcore-baremetal-kvm to baremetal-kvm-premium of"
    assert (sentence in done.stdout + done.stderr, done.returncode != 0) == (not consent, not consent), done.stdout
    if consent:
        steps = {(one["op"], one["urn"].rpartition("::")[2]): one for one in changes(done)}
        assert ("update", "hv-pool-us-shoot") in steps, f"Gardener is to exchange the servers: {list(steps)}"
        changed = set(steps["update", "hv-pool-us-shoot"]["detailedDiff"])
        assert {
            "spec.provider.workers[0].machine.type",
            'spec.provider.workers[0].providerConfig.extraServerLabels["c5c3.io/machine-pool"]',
            'metadata.annotations["confirmation.gardener.cloud/deletion"]',
        } <= changed, changed
        assert {op for op, _ in steps} <= {"create", "update", "delete", "discard"}, "no cluster is made anew"
        assert ("delete", "hv-pool-us-shoot") not in steps


@pytest.mark.parametrize(("life", "expires"), [(0, True), (3600, False)])
def test_a_credential_that_expires_is_replaced_on_the_way(
    region: Running, up: str, tmp_path: Path, *, life: int, expires: bool
) -> None:
    """Between the look at the cluster and its change the first one is over; one that lasts is asked for once."""
    assert up
    calls = tmp_path / "calls"
    wrapped(tmp_path, calls, life)
    for shoot in SHOOTS:
        place = {"name": "c5c3-cluster-info", "namespace": "kube-public"}
        region.client(shoot).delete({"apiVersion": "v1", "kind": "ConfigMap", "metadata": place})
    done = said(pulumi(region, "up", "--yes", "--skip-preview", "--refresh", path=str(tmp_path)))
    assert "3 created" in done, "what was deleted behind Pulumi's back is there again"
    for shoot in SHOOTS:
        count = len([line for line in calls.read_text().splitlines() if line.endswith(f"--shoot {shoot}")])
        assert count >= 1
        assert (count > 1) == expires, f"the credential of {shoot} was asked for {count} times"


def wrapped(folder: Path, calls: Path, life: int) -> None:
    """The real command, except that it says that the first credential of a cluster lasts so long, and counts.

    None lasts so long that it is good for one request, however fast the machine is; the later ones last.
    """
    command = folder / COMMAND.name
    command.write_text(
        f"#!{sys.executable}\n"
        "import json, pathlib, subprocess, sys\n"
        "from datetime import UTC, datetime, timedelta\n"
        f"done = subprocess.run([{str(COMMAND)!r}, *sys.argv[1:]], capture_output=True, check=True)\n"
        "found = json.loads(done.stdout)\n"
        f"log = pathlib.Path({str(calls)!r})\n"
        "first = not log.exists() or ' '.join(sys.argv) not in log.read_text().splitlines()\n"
        f"ends = datetime.now(UTC) + timedelta(seconds={life} if first else 3600)\n"
        "found['status']['expirationTimestamp'] = ends.strftime('%Y-%m-%dT%H:%M:%SZ')\n"
        "with log.open('a') as file: file.write(' '.join(sys.argv) + chr(10))\n"
        "print(json.dumps(found))\n"
    )
    command.chmod(stat.S_IRWXU)


def test_a_credential_says_that_it_ends_before_it_does(region: Running, up: str, tmp_path: Path) -> None:
    assert up
    given = access(region, "credential", "--seconds", "600")
    status: Mapping[str, str] = json.loads(given)["status"]
    (tmp_path / "crt").write_text(status["clientCertificateData"])
    ends = pki.not_after((tmp_path / "crt").read_bytes())
    left = (ends - datetime.fromisoformat(status["expirationTimestamp"])).total_seconds()
    assert 90 <= left <= 180, "long enough for a request that is under way"


def test_a_person_gets_a_kubeconfig_without_a_credential(region: Running, up: str) -> None:
    assert up
    config = yaml.safe_load(access(region, "kubeconfig"))
    assert config["clusters"][0]["cluster"]["server"] == region.status.clusters[SHOOTS[0]].url
    plugin = config["users"][0]["user"]["exec"]
    done = subprocess.run([plugin["command"], *plugin["args"]], capture_output=True, text=True, cwd="/", check=True)
    assert json.loads(done.stdout)["kind"] == "ExecCredential", "the kubeconfig works from any folder"


def access(region: Running, what: str, *more: str) -> str:
    garden = str(region.home.kubeconfigs / "garden.yaml")
    words = [str(COMMAND), what, "--garden", garden, "--namespace", NAMESPACE, "--shoot", SHOOTS[0], *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_cluster_knows_the_management_cluster_s_accounts_and_just_for_itself(region: Running, up: str) -> None:
    assert up
    account = "/api/v1/namespaces/default/serviceaccounts"
    region.client("management").create(
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "flux", "namespace": "default"}}
    )
    asked: Manifest = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": ["c5c3-hv-pool-us"], "expirationSeconds": 600},
    }
    token = region.client("management").request("POST", f"{account}/flux/token", asked)["status"]["token"]
    assert "management:system:serviceaccount:default:flux" in answer(region.client("hv-pool-us"), token)
    assert "Unauthorized" in answer(region.client("st-pool-us"), token), "the token is not for this cluster"


def answer(client: Client, token: str) -> str:
    """What the API says to the bearer of a token."""
    review: Manifest = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenReview",
        "spec": {"token": token},
    }
    try:
        status = client.request("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review)["status"]
    except (Refused, *BROKEN) as refused:
        return str(refused)
    user: Mapping[str, Any] = status.get("user", {})
    return str(user.get("username", "Unauthorized"))
