"""Lint, types and tests, each with its time; the one place that says what a check is."""

import subprocess
import sys
from pathlib import Path

from tools import cache
from tools.progress import Step

VENV = Path(sys.executable).parent
STATIC = [
    ("formatting (make format mends it)", ["ruff", "format", "--check", "--quiet", "."]),
    ("lint", ["ruff", "check", "--quiet", "."]),
    ("types", ["basedpyright", "--warnings"]),
]


def main(arguments: list[str]) -> int:
    failed = [name for name, command in STATIC if _run(name, command) != 0]
    # Tests that start no server run side by side; on two cores a third worker only waits.
    fast = ["pytest", "-m", "not servers", "-n", "2", "-q"]
    if _run("tests without servers", fast) != 0:
        failed.append("tests without servers")
    # Set-up and tests together have an hour and a half on a new machine; what takes minutes for one sentence waits.
    marked = "servers" if "--thorough" in arguments else "servers and not thorough"
    real = ["pytest", "-m", marked, "-q", "--durations=20", "--durations-min=20"]
    if "--fast" not in arguments and _run("tests against real servers", real) != 0:
        failed.append("tests against real servers")
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nAll checks passed.", file=sys.stderr)
    return 1 if failed else 0


def _run(name: str, command: list[str]) -> int:
    with Step(name):
        return subprocess.run([str(VENV / command[0]), *command[1:]], cwd=cache.ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
