"""What must hold between the entries of the catalogue."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from model.catalog_entry import ENVIRONMENTS, PHASES, ClusterKind, Entry

Named: TypeAlias = Mapping[str, Entry]
Found: TypeAlias = list[tuple[str, str]]  # the entry whose file is wrong, and what is wrong with it


def broken(entries: Sequence[Entry], folder: str) -> list[str]:
    """A sentence for each rule that does not hold, naming the file to change."""
    named = {entry.name: entry for entry in entries}
    found = [
        *_unknown(named),
        *_circle(named),
        *(problem for pair in _pairs(named) for problem in _between_clusters(*pair)),
        *(problem for entry in named.values() for problem in _optional(entry, named)),
        *_same_crd(entries),
    ]
    return [f"{folder}/{name}.yaml: {sentence}" for name, sentence in found]


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
            near = difflib.get_close_matches(name, named, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"add {name}.yaml, or remove the name."
            found.append((entry.name, f"{_key(entry, name)} has {name!r}, which the catalogue does not have: {remedy}"))
    return found


def _circle(named: Named) -> Found:
    graph = {entry.name: [name for name in entry.waits_for if name in named] for entry in named.values()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        path: list[str] = error.args[1][:0:-1]  # graphlib goes from the need to whoever needs it, and closes the circle
        first = path.index(min(path))  # the same sentence, wherever the search began
        turned = [*path[first:], *path[:first]]
        shown = " -> ".join([*turned, turned[0]])
        return [(turned[0], f"needs go in a circle, {shown}: remove one of them.")]
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
        sentence = (
            f"{_key(entry, need.name)} has {need.name!r}, which is delivered neither to the cluster {cluster} nor to "
            f"management: add one of them to clusters in {need.name}.yaml, or remove the name."
        )
        return [(entry.name, sentence)]
    if cluster in need.clusters and PHASES.index(entry.phase) < PHASES.index(need.phase):
        sentence = (
            f"phase is {entry.phase!r}, and {need.name}, which it waits for in the cluster {cluster}, comes in "
            f"{need.phase}: name a phase that is not before that."
        )
        return [(entry.name, sentence)]
    return []


def _optional(entry: Entry, named: Named) -> Found:
    found: Found = []
    for need in [named[name] for name in entry.needs if name in named and named[name].optional]:
        if not entry.optional:
            remedy = f"remove optional from {need.name}.yaml, or move the name to after"
            found.append((entry.name, f"needs has {need.name!r}, which a region may leave out: {remedy}."))
        found += [
            (entry.name, f"it is enabled in {environment}, and {need.name}, which it needs, is not: enable both.")
            for environment in ENVIRONMENTS
            if entry.optional and entry.enabled_in(environment) and not need.enabled_in(environment)
        ]
    found += [
        (entry.name, f"after has {name!r}, which every region has: move the name to needs.")
        for name in entry.after
        if name in named and not named[name].optional
    ]
    return found


def _same_crd(entries: Iterable[Entry]) -> Found:
    owners: dict[tuple[ClusterKind, str], str] = {}
    clusters: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        for cluster in entry.clusters:
            for crd in entry.crds:
                owner = owners.setdefault((cluster, crd), entry.name)
                if owner != entry.name:
                    clusters.setdefault((entry.name, crd, owner), []).append(cluster)
    remedy = "keep it in one of them, and write skipCrds in the other if its chart has it"
    return [
        (name, f"crds has {crd!r}, which {owner} brings to {' and '.join(where)} already: {remedy}.")
        for (name, crd, owner), where in clusters.items()
    ]


def _key(entry: Entry, name: str) -> str:
    return "needs" if name in entry.needs else "after"
