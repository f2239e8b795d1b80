"""`python3 -m tools`: the set-up, and pulumi with the set-up's programs; the Makefile is its usual caller."""

import argparse
import os
import shlex
import sys

from tools import cache
from tools.problem import Problem, again, from_os_error


def main(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except Problem as problem:
        print(f"\n{problem}", file=sys.stderr)
    except OSError as error:
        sentence = from_os_error(error, cache.folder())
        if sentence is None:
            raise
        print(f"\n{sentence}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"\nStopped. {again()}", file=sys.stderr)
        return 130
    return 1


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser("setup", help="install what is missing")
    setup.add_argument("sets", nargs="+", choices=["model", "preview", "sandbox"])
    pulumi = commands.add_parser("pulumi", help="pulumi COMMAND on one stack, after the set-up for it")
    pulumi.add_argument("--stack", required=True)
    pulumi.add_argument("arguments", nargs=argparse.REMAINDER, help="such as preview, or preview --diff")
    commands.add_parser("env", help="lines for the shell with which the plain pulumi command works here")
    chosen = parser.parse_args(arguments)

    from tools import run, setup as clone  # noqa: PLC0415  (so that --help needs nothing)

    match chosen.command:
        case "setup" if chosen.sets == ["model"]:
            clone.prepare_model()
        case "setup":
            clone.prepare(*[one for one in chosen.sets if one != "model"])
        case "pulumi":
            if not chosen.arguments:
                pulumi.error("which pulumi command? For example: preview")
            run.known(chosen.stack)
            clone.prepare("preview")
            run.pulumi(chosen.stack, chosen.arguments)
        case _:
            for name, value in run.environment().items():
                if os.environ.get(name) != value:
                    print(f"export {name}={shlex.quote(value)}")
    return 0
