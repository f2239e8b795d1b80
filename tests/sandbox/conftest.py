"""One sandbox, and one Shoot in it, for all tests that do not end it."""

from collections.abc import Generator
from pathlib import Path

import pytest

from sandbox import faults
from sandbox.client import Client, Manifest
from sandbox.discovery import Resource
from tests import sandboxes
from tests.parts import Parts, Serving, parts_in


@pytest.fixture
def parts(tmp_path: Path) -> Generator[Parts]:
    """For a sandbox in which no server runs."""
    with parts_in(tmp_path) as made:
        yield made


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Serving:
    made = Serving()

    def served(_: Client) -> set[Resource]:
        return {Resource(group="", kind="ConfigMap", plural="configmaps", singular="configmap")}

    def apply(_: Client, manifest: Manifest) -> None:
        made.applied.append(manifest)

    monkeypatch.setattr(faults, "served", served)
    monkeypatch.setattr(Client, "apply", apply)
    return made


@pytest.fixture(scope="session")
def shared() -> Generator[sandboxes.Running]:
    with sandboxes.running(sandboxes.own_name("shared")) as sandbox:
        yield sandbox
        assert sandbox.home.running(), "the sandbox ended during the tests"
        ended = sandbox.status.ended
        assert not ended, f"programs ended although nobody asked them to: {ended}"


@pytest.fixture(scope="session")
def life(shared: sandboxes.Running) -> Manifest:
    """A Shoot that was made with three nodes, succeeded."""
    shared.garden.create(sandboxes.bare_metal(sandboxes.LIFE, minimum=3))
    return shared.succeeded(sandboxes.LIFE)
