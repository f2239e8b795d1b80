"""What the policies add to a preview: the pack alone by the number of tenants, and a real preview with and without."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bench.claims import REGION, TENANT
from components import Region, RegionArgs
from policies.analyzer import Analyzer
from policies.preview import PACK, PULUMI, STAND_IN
from policies.registry import POLICIES
from tests.policies.judging import messages, planned
from tests.recorder import record
from tests.regions import loaded
from tools import cache

ADDED = 1.25  # of a preview's time, at most
GROWTH = 1.5  # of the time for one resource, from the least to the most tenants
TENANTS = (25, 50, 100, 200)
PREVIEWED = (25, 100)  # tenants of the previews, the most last
STACK = "eu-de-1"  # one of the project's, whose configuration is another one here
RUNS, PREVIEWS = 3, 3


def stack_file(tenants: int) -> str:
    """A region that has its tenants, each with what bench.claims gives it."""
    text = REGION + "".join(TENANT.format(number=number) for number in range(tenants))
    content = yaml.safe_load(text)
    content["config"] |= {"cobaltcore:management": STAND_IN, "cobaltcore:chartMirror": "oci://mirror.invalid/charts"}
    return yaml.safe_dump(content)


def alone(tenants: int) -> tuple[int, float]:
    """Resources, and the processor's seconds for all policies on all of them, from the engine's messages on."""
    config: dict[str, Any] = {
        key.removeprefix("cobaltcore:"): value for key, value in yaml.safe_load(stack_file(tenants))["config"].items()
    }
    spec = loaded(config)
    plan = planned(record(lambda: Region(spec.region, RegionArgs(spec=spec)), preview=True))
    requests, stack = messages(plan)
    times: list[float] = []
    for _ in range(RUNS):
        pack, began = Analyzer(POLICIES), time.process_time()
        for one in requests:
            pack.Analyze(one, None)
        broken = [one.message for one in pack.AnalyzeStack(stack, None).diagnostics if one.enforcementLevel == 1]
        times.append(time.process_time() - began)
        assert not broken, f"the region is a good one: {broken[:3]}"
    return len(requests), min(times)


def preview(tenants: int, *options: str) -> tuple[float, float]:
    """Seconds on the clock, and of the processor in all of pulumi's processes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        file = Path(folder, f"Pulumi.{STACK}.yaml")
        file.write_text(stack_file(tenants))
        env = {
            **os.environ,
            "PATH": f"{PULUMI.parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "HOME": folder,
            "PULUMI_BACKEND_URL": f"file://{folder}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }
        _run(["stack", "init", STACK, "--no-select"], env)
        before, began = _spent(), time.monotonic()
        _run(["preview", "--stack", STACK, "--config-file", str(file), *options], env)
        return time.monotonic() - began, _spent() - before


def _run(arguments: Sequence[str], env: dict[str, str]) -> None:
    command = [str(PULUMI), *arguments, "--non-interactive", "--suppress-outputs"]
    if arguments[0] == "stack":
        command.pop()
    done = subprocess.run(command, cwd=cache.ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    print("tenants   resources   the pack    a resource")
    each: list[float] = []
    for tenants in TENANTS:
        resources, seconds = alone(tenants)
        each.append(seconds / resources)
        print(f"{tenants:7}   {resources:9}   {seconds:6.2f} s   {1000 * each[-1]:7.3f} ms")
    growth = each[-1] / each[0]
    print(f"a resource takes {growth:.2f} times as long among {TENANTS[-1]} tenants (at most {GROWTH})")
    added = {tenants: compared(tenants) for tenants in PREVIEWED}
    least, most = (added[tenants] for tenants in (PREVIEWED[0], PREVIEWED[-1]))
    print(f"\nthe pack adds {100 * (most.clock - 1):.0f} % on the clock (at most {100 * (ADDED - 1):.0f} %)")
    per_resource = most.each / least.each
    print(f"for a tenant it adds {per_resource:.2f} times the work among {PREVIEWED[-1]} tenants (at most {GROWTH})")
    return 0 if growth <= GROWTH and most.clock <= ADDED and per_resource <= GROWTH else 1


@dataclass(frozen=True)
class Added:
    """What the pack adds to a preview: on the clock, and of the processor's seconds for each tenant."""

    clock: float
    each: float


def compared(tenants: int) -> Added:
    """The fastest of some runs, in turn, so that what else the machine does is the same for both."""
    print(f"\npreview of {tenants} tenants     clock   processor")
    runs: dict[str, list[tuple[float, float]]] = {"without": [], "with": []}
    for _ in range(PREVIEWS):
        for what, options in (("without", ()), ("with", ("--policy-pack", str(PACK)))):
            runs[what].append(preview(tenants, *options))
            clock, processor = runs[what][-1]
            print(f"{what:7} the pack        {clock:6.1f} s   {processor:6.1f} s", flush=True)
    plain, judged = ([min(times) for times in zip(*runs[what], strict=True)] for what in ("without", "with"))
    clock, processor = judged[0] / plain[0], judged[1] / plain[1]
    print(f"with the pack it takes {clock:.2f} times as long, and {processor:.2f} times the processor")
    return Added(clock, max(judged[1] - plain[1], 0.01) / tenants)


if __name__ == "__main__":
    sys.exit(main())
