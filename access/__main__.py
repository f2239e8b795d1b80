"""`cobaltcore-access`: a credential for a program, or a kubeconfig for a person. Nothing is kept."""

import argparse
import json
import os
import sys

from access.credential import SECONDS, credential
from access.garden import Garden
from access.kubeconfig import COMMAND, ShootRef, of_shoot
from access.problem import Problem


def main(arguments: list[str]) -> int:
    chosen = _parser().parse_args(arguments)
    ref = ShootRef(garden=chosen.garden, namespace=chosen.namespace, name=chosen.shoot)
    try:
        garden = Garden.of(ref.garden)
        if chosen.command == "credential":
            print(json.dumps(credential(garden, ref.namespace, ref.name, chosen.seconds)))
        else:
            # Whole, so that the kubeconfig works in any shell and any folder.
            print(of_shoot(garden, ref, os.environ.get("COBALTCORE_ACCESS", COMMAND)), end="")
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("credential", "print a short-lived credential for client-go (ExecCredential)"),
        ("kubeconfig", "print a kubeconfig without a credential, which gets one by this command"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("--garden", required=True, help="kubeconfig file of the garden")
        command.add_argument("--namespace", required=True, help="namespace of the Gardener project")
        command.add_argument("--shoot", required=True, help="name of the Shoot")
        if name == "credential":
            command.add_argument("--seconds", type=int, default=SECONDS, help="its life (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
