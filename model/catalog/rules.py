"""What must hold between the entries of the catalogue."""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from model.catalog.entry import Entry
from model.catalog.words import ENVIRONMENTS, PHASES, ClusterKind
from model.problems import Finding, Path, nearest
from model.words import Environment

Named: TypeAlias = Mapping[str, Entry]
Found: TypeAlias = list[tuple[str, Finding]]  # the entry whose file is wrong, and where and what in it


def broken(entries: Sequence[Entry]) -> Found:
    """The rules that do not hold, each with the entry whose file is to be changed."""
    named = {entry.name: entry for entry in entries}
    return [
        *_unknown(named),
        *_circle(named),
        *(problem for pair in _pairs(named) for problem in _between_clusters(*pair)),
        *(problem for entry in named.values() for problem in _optional(entry, named)),
        *_same_crd(entries),
    ]


def order(entries: Iterable[Entry]) -> list[Entry]:
    """Needs first, then phases, then names: always the same order, whatever the files' order."""
    waiting = {entry.name: entry for entry in entries}
    done: set[str] = set()
    result: list[Entry] = []
    while waiting:
        ready = [entry for entry in waiting.values() if done.issuperset(entry.waits_for)]
        first = min(ready, key=lambda entry: (PHASES.index(entry.phase), entry.name))
        result.append(waiting.pop(first.name))
        done.add(first.name)
    return result


def _unknown(named: Named) -> Found:
    found: Found = []
    for entry in named.values():
        for name in sorted(set(entry.waits_for) - named.keys()):
            says = f"is {name!r}, which the catalogue does not have: {nearest(name, named)}"
            found.append((entry.name, Finding(_place(entry, name), says)))
    return found


def _circle(named: Named) -> Found:
    graph = {entry.name: [name for name in entry.waits_for if name in named] for entry in named.values()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        path: list[str] = error.args[1][:0:-1]  # graphlib goes from the need to whoever needs it, and closes the circle
        first = path.index(min(path))  # the same sentence, wherever the search began
        turned = [*path[first:], *path[:first]]
        closed = [*turned, turned[0]]
        circle = Finding(
            _place(named[turned[0]], closed[1]),
            f"is {closed[1]!r}, which closes a circle, {' -> '.join(closed)}: remove one of the names",
        )
        return [(turned[0], circle)]
    return []


def _pairs(named: Named) -> list[tuple[Entry, Entry, ClusterKind]]:
    """Each entry with each that it waits for, in each cluster where it is delivered."""
    return [
        (entry, named[name], cluster)
        for entry in named.values()
        for name in entry.waits_for
        if name in named
        for cluster in entry.clusters
    ]


def _between_clusters(entry: Entry, need: Entry, cluster: ClusterKind) -> Found:
    if cluster not in need.clusters and "management" not in need.clusters:
        says = (
            f"is {need.name!r}, which is delivered neither to the cluster {cluster} nor to management: add one of them "
            f"to clusters in {need.name}.yaml, or remove the name"
        )
        return [(entry.name, Finding(_place(entry, need.name), says))]
    if cluster in need.clusters and PHASES.index(entry.phase) < PHASES.index(need.phase):
        says = (
            f"is {entry.phase!r}, and {need.name}, which it waits for in the cluster {cluster}, comes in "
            f"{need.phase}: name a phase that is not before that"
        )
        return [(entry.name, Finding(("phase",), says))]
    return []


def _optional(entry: Entry, named: Named) -> Found:
    found: list[Finding] = []
    for need in [named[name] for name in entry.needs if name in named and named[name].optional]:
        if not entry.optional:
            remedy = f"remove optional from {need.name}.yaml, or move the name to after"
            says = f"is {need.name!r}, which a region may leave out: {remedy}"
            found.append(Finding(_place(entry, need.name), says))
        found += [
            Finding(
                _switch(entry, environment),
                f"is true in {environment}, and that of {need.name}, which it needs, is false: enable both",
            )
            for environment in ENVIRONMENTS
            if entry.optional and entry.enabled_in(environment) and not need.enabled_in(environment)
        ]
    found += [
        Finding(_place(entry, name), f"is {name!r}, which every region has: move the name to needs")
        for name in entry.after
        if name in named and not named[name].optional
    ]
    return [(entry.name, one) for one in found]


def _same_crd(entries: Sequence[Entry]) -> Found:
    owners: dict[tuple[ClusterKind, str], str] = {}
    clusters: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        for cluster in entry.clusters:
            for crd in entry.crds:
                owner = owners.setdefault((cluster, crd), entry.name)
                if owner != entry.name:
                    clusters.setdefault((entry.name, crd, owner), []).append(cluster)
    named = {entry.name: entry for entry in entries}
    remedy = "keep it in one of them, and write skipCrds in the other if its chart has it"
    return [
        (
            name,
            Finding(
                ("crds", named[name].crds.index(crd)),
                f"is {crd!r}, which {owner} brings to {' and '.join(where)} already: {remedy}",
            ),
        )
        for (name, crd, owner), where in clusters.items()
    ]


def _place(entry: Entry, name: str) -> Path:
    key, names = ("needs", entry.needs) if name in entry.needs else ("after", entry.after)
    return key, names.index(name)


def _switch(entry: Entry, environment: Environment) -> Path:
    """The line that enables a system in an environment."""
    own = entry.environments.get(environment)
    return ("environments", environment, "enabled") if own and own.enabled else ("optional", "enabled")
