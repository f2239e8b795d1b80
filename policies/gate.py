"""The gate: every stack checked, planned and judged in one go, with no cluster and no credential."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from policies import preview, report
from policies.preview import Finding, Result, gate, stacks
from policies.registry import POLICIES
from tools import cache

AT_ONCE = 2  # previews: each keeps about one core busy
FOLDER = cache.ROOT / ".gate"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m policies.gate", description=__doc__)
    parser.add_argument("stack", nargs="*", help="stacks to judge; all when left out")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the reports (default: .gate)")
    chosen = parser.parse_args(arguments)
    known = stacks()
    strange = [one for one in chosen.stack if one not in known]
    if strange:
        print(f"There is no Pulumi.{strange[0]}.yaml. The stacks are {', '.join(known)}.", file=sys.stderr)
        return 2
    nobody_s = sorted(file.name for file in preview.CONFIG.glob("*.json") if file.stem not in known)
    if nobody_s:
        print(
            f"policies/config/{nobody_s[0]} is of no stack: call it after one of {', '.join(known)}.", file=sys.stderr
        )
        return 2
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(gate, chosen.stack or known))
    report.clear(chosen.out)
    report.write(chosen.out, results, POLICIES)
    print(said(results, chosen.out))
    return 0 if results and all(one.good for one in results) else 1


def said(results: Sequence[Result], folder: Path) -> str:
    """What is wrong, and then one table."""
    lines: list[str] = []
    for one in results:
        lines += [f"{mistake}\n" for mistake in one.mistakes]
        lines += [f"{one.stack} {one.note}\n"] if one.note else []
        lines += [f"{one.stack} {low}\n" for low in report.lowered(one)]
        lines += [_line(one.stack, finding) for finding in [*one.mandatory, *one.advisory]]
    rows = [("stack", "stack file", "resources", "mandatory", "advisory", "passed", "lowered", "seconds", "")]
    rows += [_row(one) for one in results]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.append(f"Reports: {folder}")
    return "\n".join(lines)


def _line(stack: str, finding: Finding) -> str:
    return f"{stack} {finding.level} {finding.policy}\n  {finding.says}\n"


def _row(one: Result) -> tuple[str, ...]:
    planned = [
        str(one.resources),
        *(str(len(found)) for found in (one.mandatory, one.advisory, one.passed, one.lowered)),
    ]
    verdict = "good" if one.good else "REFUSED"
    return (one.stack, "wrong" if one.mistakes else "right", *planned, f"{one.seconds:.1f}", verdict)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
