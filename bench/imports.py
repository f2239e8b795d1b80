"""What the program's imports cost beside Pulumi's own, best of five fresh interpreters in one run."""

import subprocess
import sys

from tools import cache

BUDGET = 0.5
RUNS = 5
PULUMI = "import pulumi, pulumi_kubernetes"
PROGRAM = f"{PULUMI}; import components, model; from crds import gardener"


def seconds(statement: str) -> float:
    timed = f"import time; began = time.perf_counter(); {statement}; print(time.perf_counter() - began)"
    command = [sys.executable, "-c", timed]
    return float(subprocess.run(command, cwd=cache.ROOT, capture_output=True, text=True, check=True).stdout)


def main() -> int:
    peer = min(seconds(PULUMI) for _ in range(RUNS))
    program = min(seconds(PROGRAM) for _ in range(RUNS))
    print(f"import pulumi, pulumi_kubernetes      {peer:.2f} s")
    print(f"everything that __main__.py imports   {program:.2f} s")
    print(f"difference                            {program - peer:.2f} s (at most {BUDGET} s)")
    return 0 if program - peer <= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
