"""`python -m sandbox fault`: make something go wrong in a running sandbox, and take it back."""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import asdict

from model.catalog import load_catalog
from model.mirror import Mirror
from sandbox import admin, fault_checks, registry, server_faults, wares, webhooks
from sandbox.charts import Chart
from sandbox.client import BROKEN, Refused
from sandbox.discovery import served
from sandbox.operators import failures
from sandbox.processes import READY_SECONDS
from sandbox.server_faults import ServerFault
from sandbox.state import Folder, Status, status_of
from tools.problem import Problem

OURS = ("garden", "management")
OTHERS = "other-faults.json"  # in the sandbox's folder: those of webhooks and charts, for `status`
GIVEN_OUT = "What was given out before stays refused, also after that."
SECONDS = 3 * READY_SECONDS  # one `end` may have to start several servers, one after the other


def run(home: Folder, chosen: argparse.Namespace) -> None:
    status = status_of(home)
    match chosen.fault:
        case "fail" | "hang":
            new = failures.Failure(
                cluster=_name(status, chosen.cluster),
                kind=chosen.kind,
                name=chosen.object,
                how=chosen.fault,
                message=chosen.message,
            )
            fault_checks.check(new)
            _fail(home, [*(one for one in failures.read(home.path / failures.FILE) if one != new), new])
            _done(new)
            _say(_not_yet(home, status, new))
        case "webhook":
            _refuse(home, status, chosen)
        case "chart":
            _break(status, chosen.chart)
            _remember(home, [*others(home), f"chart {chosen.chart}"])
            _done(f"chart {chosen.chart}")
        case "end":
            if chosen.names:
                raise Problem(
                    f"`fault end` takes all faults back, and takes no name such as {chosen.names[0]}: leave it out."
                )
            end(home, status)
            print("All faults are taken back.")
        case how:
            cluster = registry.NAME if chosen.cluster == registry.NAME else _name(status, chosen.cluster)
            if cluster == "*":
                raise Problem(f"A server has to be named: {', '.join(sorted(status.clusters))}.")
            if cluster == registry.NAME and how not in ("pause", "down"):
                raise Problem("The registry of charts can be paused or down, and no more than that.")
            if how == "expire" and cluster in OURS:
                raise Problem(f"Nobody gives out credentials for {cluster}: name a Shoot's cluster.")
            seconds, share = getattr(chosen, "seconds", 0.0), getattr(chosen, "share", 0.0)
            since = time.time() if how == "expire" else 0.0
            new = ServerFault(cluster=cluster, how=how, seconds=seconds, share=share, since=since)
            _also(home, new)
            _done(new)
            _say(GIVEN_OUT if how == "expire" else None)


def held(home: Folder, status: Status) -> list[str]:
    """All that were wished for and not taken back."""
    return [*status.faults, *map(str, failures.read(home.path / failures.FILE)), *others(home)]


def others(home: Folder) -> list[str]:
    """The faults of webhooks and charts, of which no supervisor knows."""
    file = home.path / OTHERS
    found: list[str] = json.loads(file.read_text()) if file.exists() else []
    return found


def end(home: Folder, status: Status) -> None:
    """Whatever cannot be taken back now is no obstacle to the rest.

    Webhooks go first where somebody answers: one of them may be what hinders the supervisor.
    """
    troubles: list[str] = []
    with _gathered(troubles, ""):
        _fail(home, [])
    away = _away(home)
    done = {cluster for cluster in status.clusters if cluster not in away and not _left(home, status, cluster, [])}
    with _gathered(troubles, ""):
        _wish(home, [])
    clusters = (home.status() or status).clusters
    webhooks_left = [_left(home, status, cluster, troubles) for cluster in clusters if cluster not in done]
    charts_left = ["the charts"]
    with _gathered(troubles, "The charts could not be mended: "):
        registry.publish(Mirror(url=status.endpoints["chartMirror"], insecure=True), wares.of(load_catalog()))
        charts_left = []
    places = [f"webhook {name} " for name in webhooks_left if name] + (["chart "] if charts_left else [])
    _remember(home, [one for one in others(home) if one.startswith(tuple(places))])
    if troubles:
        raise Problem(
            "Not every fault could be taken back; the others were. Run `fault end` again when the rest is back:\n  "
            + "\n  ".join(troubles)
        )


def _left(home: Folder, status: Status, cluster: str, troubles: list[str]) -> str | None:
    """The cluster, if its webhooks could not be taken away."""
    with _gathered(troubles, f"The webhooks of {cluster} could not be taken away: "):
        now = home.status() or status
        if cluster in now.clusters:  # a Shoot may have gone meanwhile, with its cluster
            with contextlib.closing(admin.client(home, now, cluster)) as client:
                webhooks.remove(client)
        return None
    return cluster


@contextlib.contextmanager
def _gathered(troubles: list[str], what: str) -> Generator[None]:
    try:
        yield
    except (Problem, Refused, *BROKEN) as error:
        troubles.append(f"{what}{error}")


def _remember(home: Folder, sentences: list[str]) -> None:
    (home.path / OTHERS).write_text(json.dumps(sorted(set(sentences))))


def _refuse(home: Folder, status: Status, chosen: argparse.Namespace) -> None:
    cluster = _name(status, chosen.cluster)
    if cluster == "*":
        raise Problem(f"A cluster has to be named: {', '.join(sorted(status.clusters))}.")
    authority = None if chosen.unreachable else home.path / webhooks.ENDPOINT / "ca.crt"
    url = webhooks.NOWHERE if chosen.unreachable else status.endpoints[webhooks.ENDPOINT]
    try:
        with contextlib.closing(admin.client(home, status, cluster)) as client:
            words = fault_checks.refuses_nothing_yet(cluster, chosen.resource, served(client))
            client.apply(webhooks.manifest(chosen.resource, url, authority))
    except (Refused, *BROKEN) as error:
        raise Problem(
            f"The cluster {cluster} takes no webhook now: {error}. If that is a fault that you wished for "
            f"(`make status STACK={home.name}` lists them), take it back first with `fault end`."
        ) from None
    how = "unreachable" if chosen.unreachable else "refuses"
    _remember(home, [*others(home), f"webhook {cluster} {chosen.resource}, {how}"])
    _done(f"webhook {cluster} {chosen.resource}, {how}")
    _say(words)


def _not_yet(home: Folder, status: Status, failure: failures.Failure) -> str | None:
    """What is to be said where one cluster is named that has nothing of the kind; one that is away is not asked."""
    if failure.cluster in ("*", "garden") or failure.cluster in _away(home):
        return None
    with (
        contextlib.suppress(Refused, *BROKEN),
        contextlib.closing(admin.client(home, status, failure.cluster)) as client,
    ):
        return fault_checks.happens_to_nothing_yet(failure, served(client))
    return None


def _away(home: Folder) -> set[str]:
    """The clusters that a fault keeps from answering."""
    there = server_faults.read(home.path).faults
    return {one.cluster for one in there if one.how in ("pause", "down") or one.share == 1}


def _done(what: object) -> None:
    print(f"{what}. Take it back with `fault end`.")


def _say(words: str | None) -> None:
    if words:
        print(words, file=sys.stderr)


def _fail(home: Folder, wanted: list[failures.Failure]) -> None:
    """The stand-ins work by it when this returns."""
    failures.write(home.path / failures.FILE, wanted)
    raw = [asdict(one) for one in wanted]
    _await(home, lambda status: status.failures == raw)


def _also(home: Folder, fault: ServerFault) -> None:
    there = server_faults.read(home.path).faults
    for old in (one for one in there if one.cluster == fault.cluster):
        if old.how != fault.how:
            print(f"{fault} takes the place of {old}.", file=sys.stderr)
    _wish(home, [*(one for one in there if one.cluster != fault.cluster), fault])


def _wish(home: Folder, faults: list[ServerFault]) -> None:
    """The supervisor brings it about; this returns when it is so."""
    wish = server_faults.write(home.path, faults)
    status = _await(home, lambda status: status.wish >= wish.number)
    if status.fault_problems:
        raise Problem(
            f"The sandbox could not do it, and goes on trying: {' '.join(status.fault_problems)}\n"
            f"`make status STACK={home.name}` says which faults hold; all logs are in {home.path / 'logs'}."
        )


def _await(home: Folder, done: Callable[[Status], bool]) -> Status:
    until = time.monotonic() + SECONDS
    while True:
        status = status_of(home)
        if done(status):
            return status
        if time.monotonic() > until:
            raise Problem(f"The sandbox has not done it after {SECONDS:.0f} s: look into {home.log}.")
        time.sleep(server_faults.LOOK_SECONDS)


def _break(status: Status, name: str) -> None:
    entries = load_catalog().by_name
    if name not in entries:
        raise Problem(f"{name} is no system of the catalogue.")
    ware = wares.of_entry(entries[name])
    if not isinstance(ware, Chart):
        raise Problem(f"{name} is no chart but a folder of manifests.")
    try:
        registry.spoil(Mirror(url=status.endpoints["chartMirror"], insecure=True), ware)
    except BROKEN as error:
        raise Problem(
            f"The registry takes no chart now: {error}. If somebody wished for that, `fault end` first."
        ) from None


def _name(status: Status, cluster: str) -> str:
    """The name in the sandbox of a cluster that is called by its name in the region."""
    if cluster == "*" or cluster in status.clusters:
        return cluster
    for name, found in status.clusters.items():
        if cluster in found.aliases:
            return name
    raise Problem(f"The sandbox has no cluster {cluster}; it has {', '.join(sorted(status.clusters))}.")
