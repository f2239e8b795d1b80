"""The words of `python -m sandbox fault`."""

import argparse
import contextlib
import math
from collections.abc import Callable

WHERE = "garden, management, or the name of a cluster or its Shoot"
MORE = (
    "docs/sandbox.md has an example of each, and what `pulumi up` says then. Several may hold at a time, but one alone "
    "of each API server: a second takes the place of the first."
)


def parser(add: Callable[..., argparse.ArgumentParser], default: str) -> None:
    fault = add("fault", help="make something go wrong, or take it back", epilog=MORE)
    fault.add_argument("--name", default=default, help="the sandbox (default: %(default)s)")
    kinds = fault.add_subparsers(dest="fault", required=True)
    for name, text in (("fail", "objects of a kind fail"), ("hang", "objects of a kind are not worked on")):
        command = kinds.add_parser(name, help=f"{text}; a Shoot too")
        command.add_argument("kind", help="as in CephBlockPool or Shoot")
        command.add_argument("object", nargs="?", default="*", help="its name; a star is any (default: all)")
        command.add_argument("--cluster", default="*", help="one cluster, or the garden for a Shoot (default: all)")
        command.add_argument("--message", default="a fault of the sandbox", help="what the operator says")
    for name, text in (
        ("pause", "an API server, or the registry of charts, answers nothing"),
        ("down", "an API server, or the registry of charts, is killed"),
        ("slow", "an API server is slow"),
        ("throttle", "an API server answers 429"),
        ("expire", "the credentials that a cluster has given out are no longer good"),
    ):
        command = kinds.add_parser(name, help=text)
        command.add_argument("cluster", help=f"{WHERE}; registry" if name in ("pause", "down") else WHERE)
        if name == "slow":
            command.add_argument("--seconds", type=_seconds, default=1.0, help="before each request (default: 1)")
        if name == "throttle":
            command.add_argument("--share", type=_share, default=0.5, help="of the requests (default: 0.5)")
    command = kinds.add_parser("webhook", help="a webhook refuses what is written to a resource")
    command.add_argument("cluster", help=WHERE)
    command.add_argument("resource", help="as in cephblockpools")
    command.add_argument("--unreachable", action="store_true", help="it does not answer, which refuses everything too")
    command = kinds.add_parser("chart", help="what the registry has of a chart is garbage")
    command.add_argument("chart", help="a system of the catalogue")
    command = kinds.add_parser("end", help="take every fault back")
    command.add_argument("names", nargs="*", help=argparse.SUPPRESS)  # to answer in a sentence


def _share(text: str) -> float:
    return _number(text, lambda share: 0 < share <= 1, "A share of the requests is more than 0, and at most 1")


def _seconds(text: str) -> float:
    return _number(text, lambda seconds: 0 <= seconds < math.inf, "Seconds before a request are a number from 0 on")


def _number(text: str, fits: Callable[[float], bool], sentence: str) -> float:
    with contextlib.suppress(ValueError):
        if fits(number := float(text)):
            return number
    raise argparse.ArgumentTypeError(f"{sentence}, not {text}.")
