"""Faults that would never happen are refused, and of one that does not happen yet it is said."""

from fnmatch import fnmatch

from model.problems import likely
from sandbox import definitions
from sandbox.discovery import Resource
from sandbox.operators.controller import KINDS, plurals
from sandbox.operators.failures import Failure
from tools.problem import Problem

SHOOT = "Shoot"
CLOSE = 0.75  # how much of a mistyped kind is right; with less another kind would be named


def check(failure: Failure) -> None:
    """Refuse what would never happen: a kind for which nobody stands in, or a cluster that never has it.

    A cluster may get a kind later, with a chart: `happens_to_nothing_yet` says so.
    """
    kinds = sorted({kind for _, kind in KINDS})
    shoot = fnmatch(SHOOT, failure.kind)
    if not shoot and not any(fnmatch(kind, failure.kind) for kind in kinds):
        raise Problem(
            f"{_did_you_mean(failure.kind, [SHOOT, *kinds])}Nothing stands in for whoever works on {failure.kind}, so "
            f"it cannot be made to {failure.how}. There are: {SHOOT}, {', '.join(kinds)}."
        )
    if failure.kind == SHOOT and not fnmatch("garden", failure.cluster):
        raise Problem(
            f"Shoots are in the garden, not in {failure.cluster}: leave --cluster out, and name the Shoot, as in "
            f"`fault {failure.how} {SHOOT} {failure.cluster}`."
        )
    if not shoot and failure.cluster == "garden":
        raise Problem(f"The garden has no {failure.kind}: name another cluster, or leave --cluster out for all.")


def _did_you_mean(kind: str, kinds: list[str]) -> str:
    small = {one.lower(): one for one in kinds}
    near = likely(kind.lower(), small, CLOSE)
    return f"Did you mean {small[near]}? " if near else ""


def happens_to_nothing_yet(failure: Failure, served: set[Resource]) -> str | None:
    """What is to be said of a failure in one cluster, if that has none of the kinds yet."""
    groups = {(version.partition("/")[0], kind) for version, kind in KINDS if fnmatch(kind, failure.kind)}
    if groups & {(one.group, one.kind) for one in served}:
        return None
    return f"{failure.cluster} serves no {failure.kind} yet: it is made to {failure.how} as soon as there is one."


def refuses_nothing_yet(cluster: str, resource: str, served: set[Resource]) -> str | None:
    """What is to be said of a webhook, if the cluster serves nothing of the name; another form of a name is refused."""
    name, slash, rest = resource.partition("/")
    there = {one.plural for one in served}
    if name in there or "*" in name:
        return None
    meant = _meant(name, served)
    if meant:
        raise Problem(
            f"A webhook is asked for a resource by its plural in small letters, and {name} is none: did you mean "
            f"{meant}{slash}{rest}?"
        )
    return f"{cluster} serves no {resource} yet: the webhook refuses them as soon as it does."


def _meant(name: str, served: set[Resource]) -> str | None:
    """The plural of what is called so, if the cluster serves it, or the set-up knows it and it may come."""
    small = name.lower()
    for one in sorted(served, key=lambda one: one.plural):
        if small in (one.plural, one.singular, one.kind.lower()):
            return one.plural
    known = {file.stem.partition(".")[0] for file in definitions.FOLDER.glob("*.json")}
    return None if name in known else next((one for one in (small, *plurals(small)) if one in known), None)
