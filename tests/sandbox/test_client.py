"""The sandbox's client for Kubernetes APIs."""

import queue
import threading

import pytest

from sandbox.client import WATCH_SECONDS, Client, Event
from tests.sandboxes import Running, refusal

pytestmark = pytest.mark.servers

CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "watched", "namespace": "default"}}


def test_a_watch_tells_what_happens_and_ends_when_the_client_is_closed(shared: Running) -> None:
    known = shared.garden
    client = Client(url=known.url, authority=known.authority, certificate=known.certificate, key=known.key)
    events: queue.Queue[Event] = queue.Queue()

    def watch() -> None:
        for event in client.watch("v1", "ConfigMap", "default"):
            if event.object["metadata"]["name"] == "watched":
                events.put(event)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    for change, kind in (
        (lambda: known.create(CONFIG_MAP), "ADDED"),
        (lambda: known.patch(CONFIG_MAP, {"data": {"a": "b"}}), "MODIFIED"),
        (lambda: known.delete(CONFIG_MAP), "DELETED"),
    ):
        change()
        told = events.get(timeout=60).type
        assert told == kind, f"the watch tells {told}, not {kind}"
    client.close()
    watching.join(WATCH_SECONDS / 5)
    assert not watching.is_alive(), "the watch goes on after the client was closed, until the server ends it"


def test_a_refusal_has_the_servers_words(shared: Running) -> None:
    wrong = {**CONFIG_MAP, "data": {"a": 1}}
    assert "json: cannot unmarshal number" in refusal(lambda: shared.garden.create(wrong)).message
    unknown = refusal(lambda: shared.garden.create({**CONFIG_MAP, "datum": {}}))
    assert 'unknown field "datum"' in unknown.message, f"an unknown field is not refused: {unknown}"


def test_what_is_not_there_is_none_and_its_deletion_no_error(shared: Running) -> None:
    assert shared.garden.get("v1", "ConfigMap", "nobody", "default") is None, "something was found"
    shared.garden.delete({**CONFIG_MAP, "metadata": {"name": "nobody", "namespace": "default"}})
