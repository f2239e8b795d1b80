"""An update that waits says why, once, and not of what mends itself."""

from typing import Any

import pytest

from access import flux_status, shoot_status
from components import meanwhile as module
from components.meanwhile import PATIENCE_SECONDS, Meanwhile
from tests.plans import heard
from tests.regions import loaded, small


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    sentences: list[str] = []
    monkeypatch.setattr("pulumi.log.warn", sentences.append)
    return sentences


def test_what_stays_wrong_is_said_once(said: list[str]) -> None:
    meanwhile = Meanwhile(look=lambda: {"cluster hv-pool-a": "no server is left"})
    for second in (0, 10, 20, 30):
        assert said == [] or second > PATIENCE_SECONDS
        meanwhile.once(second)
    assert said == ["Still waiting, perhaps for this: cluster hv-pool-a. It says: no server is left."]


def test_what_mends_itself_is_not(said: list[str]) -> None:
    there = {"cluster hv-pool-a": "no server is left"}
    meanwhile = Meanwhile(look=lambda: there)
    meanwhile.once(0)
    there.clear()
    meanwhile.once(10)
    there["cluster hv-pool-a"] = "no server is left"
    meanwhile.once(25)
    assert said == []


def test_another_trouble_of_the_same_is_said_too(said: list[str]) -> None:
    there = {"cluster hv-pool-a": "no server is left"}
    meanwhile = Meanwhile(look=lambda: there)
    for second in range(0, 60, 10):
        there["cluster hv-pool-a"] = "no server is left" if second < 30 else "no power"
        meanwhile.once(second)
    assert [one.rpartition(": ")[2] for one in said] == ["no server is left.", "no power."]


def test_a_look_that_nobody_has_thought_of_is_said_once_and_the_next_one_counts(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = heard(monkeypatch, "info")
    answers: list[dict[str, str] | None] = [None, None, *([{"cluster hv-pool-a": "no server is left"}] * 4)]

    def look() -> dict[str, str]:
        answer = answers.pop(0)
        if answer is None:
            raise KeyError("metadata")
        return answer

    meanwhile = Meanwhile(look=look)
    for second in range(0, 60, 10):
        meanwhile.patiently(second)
    assert told == ["What the update waits for is not told at the moment: KeyError, 'metadata'."]
    assert len(said) == 1, "and it went on looking"


@pytest.mark.parametrize(
    ("status", "reason", "observed", "trouble"),
    [
        ("False", "InstallFailed", 2, "no chart"),
        ("False", "DependencyNotReady", 2, None),
        ("False", "InstallFailed", 1, None),
        ("Unknown", "Progressing", 2, None),
        ("True", "InstallSucceeded", 2, None),
    ],
    ids=["failed", "waits for another", "before the change", "at work", "ready"],
)
def test_flux_is_quoted_on_what_failed(status: str, reason: str, observed: int, trouble: str | None) -> None:
    ready = {
        "type": "Ready",
        "status": status,
        "reason": reason,
        "message": "no chart",
        "observedGeneration": observed,
    }
    assert flux_status.trouble({"metadata": {"generation": 2}, "status": {"conditions": [ready]}}) == trouble


@pytest.mark.parametrize(
    ("state", "observed", "trouble"),
    [("Error", 2, "Create is Error at 10 %, no server"), ("Error", 1, None), ("Processing", 2, None)],
)
def test_gardener_is_quoted_on_what_failed(state: str, observed: int, trouble: str | None) -> None:
    last = {"type": "Create", "state": state, "progress": 10, "description": "no server"}
    status = {"observedGeneration": observed, "lastOperation": last}
    assert shoot_status.trouble({"metadata": {"generation": 2}, "status": status}) == trouble


@pytest.mark.parametrize(
    ("condition", "trouble"),
    [
        ({"status": "False", "message": "unable to log in: Vault is sealed."}, "unable to log in: Vault is sealed"),
        ({"status": "True", "message": "store validated"}, None),
        ({"status": "False"}, None),
    ],
    ids=["sealed", "ready", "silent"],
)
def test_a_new_openbao_that_waits_for_a_person_is_said_while_it_waits(
    monkeypatch: pytest.MonkeyPatch, said: list[str], condition: dict[str, str], trouble: str | None
) -> None:
    name = "openbao-cluster-store"
    store = {"metadata": {"name": name}, "status": {"conditions": [{"type": "Ready", **condition}]}}

    def listed(_: str, path: str) -> list[dict[str, Any]]:
        return [store] if path.endswith("/clustersecretstores") else []

    monkeypatch.setattr(module, "_listed", listed)
    looks: list[Meanwhile] = []

    class Held:
        """In the place of the thread."""

        def __init__(self, **_: object) -> None:
            pass

        def start(self) -> None:
            pass

    def keep(**given: Any) -> Meanwhile:  # noqa: ANN401
        looks.append(Meanwhile(**given))
        return looks[-1]

    monkeypatch.setattr(module, "Meanwhile", keep)
    monkeypatch.setattr(module.threading, "Thread", Held)
    module.tell(loaded(small(management={"kubeconfig": "m.yaml"})))
    for second in (0.0, PATIENCE_SECONDS):
        looks[0].once(second)
    sentence = f"Still waiting, perhaps for this: {name} in cluster management, where a new OpenBao is to be unsealed."
    assert said == ([f"{sentence} It says: {trouble}."] if trouble else [])
