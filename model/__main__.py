"""`python -m model`: look at a stack file without Pulumi, and make one from claims."""

import argparse
import sys
from pathlib import Path

from model import changes, importing, summary
from model.load import stack_file
from model.problems import Problems

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="say everything that is wrong with a stack file, or what it describes")
    check.add_argument("stack", help="such as eu-de-1")
    check.add_argument("--since", metavar="REVISION", help="a git revision: say too what could not be changed in place")
    claims = commands.add_parser("claims", help="make stack files of claim manifests")
    claims.add_argument("folder", type=Path)
    claims.add_argument("--into", type=Path, default=ROOT, help="folder for the stack files (this project)")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "check":
            _check(chosen.stack, chosen.since)
        else:
            importing.convert(chosen.folder, chosen.into)
    except Problems as problems:
        print(problems, file=sys.stderr)
        return 1
    return 0


def _check(stack: str, since: str | None) -> None:
    region = stack_file(stack, ROOT)
    if since:
        refused = changes.refused(changes.earlier(stack, since, ROOT), region)
        if refused:
            raise Problems([f"Pulumi.{stack}.yaml: {one}" for one in refused])
    print(f"Pulumi.{stack}.yaml is good.\n{summary.of(region)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
