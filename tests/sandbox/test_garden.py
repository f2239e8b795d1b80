"""The start of the garden, where something is wrong with it: said at once, with what is wrong."""

from dataclasses import dataclass, field

import pytest

from sandbox import garden, ironcore
from sandbox.client import Manifest, Refused
from sandbox.processes import Port
from sandbox.sandbox import Sandbox
from tests.parts import Parts, Quiet
from tools.problem import Problem

NOT_YET = 403
CPU = 'quantities must match the regular expression: "two"'


@dataclass(frozen=True, kw_only=True)
class Strict(Quiet):
    """Refuses the CloudProfile, as often and in the way that a test says; takes all else."""

    status: int = NOT_YET
    message: str = CPU
    times: int = 1000
    asked: list[str] = field(default_factory=list[str])

    def apply(self, manifest: Manifest, *, subresource: str = "") -> Manifest:
        self.asked.append(manifest["kind"])
        if manifest["kind"] == "CloudProfile" and self.asked.count("CloudProfile") <= self.times:
            raise Refused(self.status, self.message)
        return {} if subresource else manifest

    def patch(self, manifest: Manifest, change: Manifest, *, subresource: str = "") -> Manifest:
        return manifest if subresource else change


def sandbox_with(parts: Parts, client: Quiet) -> Sandbox:
    sandbox = parts.sandbox()
    sandbox.garden.client = client
    return sandbox


def strict(parts: Parts, status: int, times: int = 1000, message: str = CPU) -> Strict:
    return Strict(url="", authority=parts.processes.folder, status=status, times=times, message=message)


@pytest.fixture(autouse=True)
def no_ironcore(monkeypatch: pytest.MonkeyPatch) -> None:
    def install(_: Sandbox) -> None:
        """Its kinds need a server."""

    monkeypatch.setattr(ironcore, "install", install)
    monkeypatch.setattr(garden, "WAIT_SECONDS", 20.0)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, CPU),
        (422, CPU),
        (
            500,
            f"failed to convert new object (/converged-cloud) to proper version: {CPU}",
        ),  # as `cpu: "two"` is refused
        (500, f"failed to create typed patch object (/converged-cloud): {CPU}"),  # as an unknown field is
    ],
)
def test_a_mistake_in_the_landscape_is_said_at_once(parts: Parts, status: int, message: str) -> None:
    client = strict(parts, status, message=message)
    with pytest.raises(Problem, match=r"refuses CloudProfile converged-cloud .*: quantities must match"):
        garden.make_landscape(sandbox_with(parts, client))
    assert client.asked.count("CloudProfile") == 1, "what is wrong in itself is tried again"


def test_what_admission_does_not_know_yet_is_tried_again(parts: Parts) -> None:
    client = strict(parts, NOT_YET, times=2)
    garden.make_landscape(sandbox_with(parts, client))
    assert client.asked.count("CloudProfile") > 2
    assert client.asked[-1] != "CloudProfile", "nothing comes after it"


def test_what_stays_refused_is_said_with_the_last_words(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garden, "WAIT_SECONDS", 0.5)
    with pytest.raises(Problem, match=r"refuses CloudProfile converged-cloud .*: 403: quantities must match"):
        garden.make_landscape(sandbox_with(parts, strict(parts, NOT_YET)))


def test_a_server_that_ends_while_it_starts_is_said_with_its_log(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    program, port = parts.processes.folder / "gardener-apiserver", Port.reserve()
    program.write_text("#!/bin/sh\necho unknown flag: --nonsense\nexit 2\n")
    program.chmod(0o755)

    def instead(_: object) -> str:
        return str(program)

    def reserved(_: object) -> Port:
        return port

    monkeypatch.setattr(garden, "program", instead)
    monkeypatch.setattr(Sandbox, "port", reserved)
    try:
        with pytest.raises(Problem, match=r"(?s)gardener-apiserver ended with 2 .*unknown flag: --nonsense"):
            garden.start_gardener(sandbox_with(parts, strict(parts, NOT_YET)))
    finally:
        port.release()
