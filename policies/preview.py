"""One stack planned under the pack, with no cluster, no credential and no backend of the person who asks."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import yaml

from model import Problems, RegionSpec, stack_file
from policies.config import read as configuration
from policies.exemptions import Lowered
from tools import cache

PACK = cache.ROOT / "policies"
STACK, EACH = "policyAnalyzeStackSummaryEvent", "policyAnalyzeSummaryEvent"
CONFIG = PACK / "config"
PULUMI = cache.LINKS / "bin/pulumi"
STAND_IN = {
    "kubeconfig": "there-is-none.yaml",
    "issuer": "https://management.invalid",
    "secretStore": {"server": "https://openbao.invalid:8200"},
}
NOTE = (
    "The region makes no tenants before it has a management cluster, a chart mirror and a secret store; they are "
    "judged here as they will be."
)
# What could lead a plan out of this folder, or to a cluster.
FOREIGN = ("KUBECONFIG", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE_FILE", "PULUMI_STACK")


@dataclass(frozen=True, kw_only=True)
class Finding:
    policy: str
    level: str
    severity: str
    urn: str
    says: str


@dataclass(frozen=True, kw_only=True)
class Result:
    """What the gate found out about one stack."""

    stack: str
    seconds: float = 0.0
    mistakes: Sequence[str] = ()
    """Sentences of the model, or of a plan that failed."""
    findings: Sequence[Finding] = ()
    passed: Sequence[str] = ()
    lowered: Sequence[Lowered] = ()
    """Mandatory policies that the configuration makes less strict."""
    resources: int = 0
    note: str = ""
    """What a reader of the result has to know."""
    text: str = field(default="", repr=False)
    """The preview as a person reads it."""

    @property
    def mandatory(self) -> list[Finding]:
        return [one for one in self.findings if one.level == "mandatory"]

    @property
    def advisory(self) -> list[Finding]:
        return [one for one in self.findings if one.level != "mandatory"]

    @property
    def good(self) -> bool:
        return not self.mistakes and not self.mandatory


def stacks(root: Path = cache.ROOT) -> list[str]:
    return sorted(file.stem.removeprefix("Pulumi.") for file in root.glob("Pulumi.*.yaml"))


def gate(stack: str, root: Path = cache.ROOT, config: Path | None = None) -> Result:
    """The model first: nothing is planned for a stack file with mistakes."""
    began = time.monotonic()
    try:
        spec = stack_file(stack, root)
    except Problems as problems:
        return Result(stack=stack, mistakes=list(problems.sentences), seconds=time.monotonic() - began)
    given = config or CONFIG / f"{stack}.json"
    configured = configuration(given)
    if configured.mistakes:
        return Result(stack=stack, mistakes=configured.mistakes, seconds=time.monotonic() - began)
    found = _planned(stack, (root / f"Pulumi.{stack}.yaml").read_text(), given)
    if not found.mistakes and not _whole(spec):
        more = _planned(stack, _completed(root / f"Pulumi.{stack}.yaml"), given)
        found = _together(found, more)
    return replace(found, lowered=configured.lowered, seconds=time.monotonic() - began)


def _whole(spec: RegionSpec) -> bool:
    """Whether the tenants are in the plan: who has no management cluster makes none yet."""
    reached = spec.management is not None and spec.management.secret_store is not None
    return not spec.open_stack_clusters or (reached and spec.chart_mirror is not None)


def _completed(file: Path) -> str:
    """The stack file of a region that has everything to make tenants with; the names lead nowhere."""
    content = yaml.load(file.read_text(), yaml.CSafeLoader)
    config = content["config"]
    config["cobaltcore:management"] = {**STAND_IN, **config.get("cobaltcore:management", {})}
    config.setdefault("cobaltcore:chartMirror", "oci://mirror.invalid/charts")
    return yaml.safe_dump(content)


def _together(found: Result, more: Result) -> Result:
    """The plan as it is, with what is wrong with the tenants that it will have."""
    seen = {(one.policy, one.urn, one.says) for one in found.findings}
    findings = [*found.findings, *(one for one in more.findings if (one.policy, one.urn, one.says) not in seen)]
    return replace(
        found,
        findings=findings,
        mistakes=more.mistakes,
        resources=more.resources,
        passed=[name for name in more.passed if name in found.passed],
        note=NOTE,
    )


def _planned(stack: str, text: str, config: Path) -> Result:
    with tempfile.TemporaryDirectory(prefix="gate-") as folder:
        home = Path(folder)
        (home / f"Pulumi.{stack}.yaml").write_text(text)  # pulumi writes into it
        return _preview(stack, home, config)


def _preview(stack: str, home: Path, config: Path) -> Result:
    events = home / "events.json"
    made = _pulumi(home, "stack", "init", stack, "--no-select")
    if made.returncode != 0:
        return Result(stack=stack, mistakes=[(made.stdout + made.stderr).strip()])
    given = ["--policy-pack-config", str(config)] if config.exists() else []
    done = _pulumi(
        home,
        "preview",
        *("--stack", stack),
        *("--config-file", str(home / f"Pulumi.{stack}.yaml")),
        *("--policy-pack", str(PACK), *given),
        *("--event-log", str(events)),
    )
    return read(stack, events, done)


def _pulumi(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key not in FOREIGN}
    env |= {
        "PATH": f"{PULUMI.parent}{os.pathsep}{env.get('PATH', '')}",
        "HOME": str(home),
        "PULUMI_BACKEND_URL": f"file://{home}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_DEBUG_COMMANDS": "true",  # for --event-log
        "PULUMI_SKIP_UPDATE_CHECK": "true",
    }
    command = [str(PULUMI), *arguments, "--non-interactive", "--color", "never"]
    return subprocess.run(command, cwd=cache.ROOT, env=env, capture_output=True, text=True, check=False)


def read(stack: str, events: Path, done: subprocess.CompletedProcess[str]) -> Result:
    """What the engine has reported. A run that the pack has not judged to its end is a failed one."""
    reported = list(_events(events))
    findings = [_finding(one["policyEvent"]) for one in reported if "policyEvent" in one]
    judged = [one[STACK] for one in reported if STACK in one]
    each = [_passed(one[EACH]) for one in reported if EACH in one]
    # Of each object by itself: what has not passed with one, as it could not be read, has not passed.
    passed = set[str]().union(*map(_passed, judged), *([set[str].intersection(*each)] if each else []))
    mandatory = [one for one in findings if one.level == "mandatory"]
    mistakes: list[str] = []
    if not judged:
        mistakes = [_failure(reported) or (done.stderr or done.stdout).strip() or "pulumi said nothing"]
    elif done.returncode != 0 and not mandatory:
        mistakes = [_failure(reported) or done.stderr.strip() or f"pulumi ended with {done.returncode}"]
    return Result(
        stack=stack,
        mistakes=mistakes,
        findings=findings,
        passed=sorted(passed - {one.policy for one in findings}),
        resources=sum("resourcePreEvent" in one for one in reported),
        text=done.stdout + done.stderr,
    )


def _passed(summary: dict[str, Any]) -> set[str]:
    return set(cast("list[str]", summary.get("passed") or []))


def _events(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text().splitlines() if file.exists() else []:
        yield json.loads(line)


def _finding(event: dict[str, Any]) -> Finding:
    return Finding(
        policy=event["policyName"],
        level=event["enforcementLevel"],
        severity=event.get("severity") or "",
        urn=event.get("resourceUrn") or "",
        says=str(event["message"]).strip().rpartition("\n")[2],
    )


def _failure(reported: Sequence[dict[str, Any]]) -> str:
    said = [one["diagnosticEvent"] for one in reported if "diagnosticEvent" in one]
    return "\n".join(str(one["message"]).strip() for one in said if one.get("severity") == "error")
