"""Stages, failures and the vault without any server."""

from pathlib import Path
from typing import Any

import pytest

from crds.generator.lock import CrdSource, OwnSource, load as lock
from sandbox.operators import failures, stages
from sandbox.operators.controller import OPERATORS
from sandbox.operators.failures import Failure, Failures
from sandbox.vault import Vault


def pool(**status: Any) -> dict[str, Any]:  # noqa: ANN401  (any status)
    metadata = {"name": "one", "namespace": "rook-ceph", "generation": 3, "uid": "u"}
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": "CephBlockPool",
        "metadata": metadata,
        "spec": {},
        "status": status,
    }


def test_a_pool_begins_then_is_ready_then_rests() -> None:
    names = [getattr(stages.stage_of(pool(**status)), "name", None) for status in ({}, {"phase": "Progressing"})]
    assert names == ["ceph-blockpool-begins", "ceph-blockpool-ready"]
    assert stages.stage_of(pool(phase="Ready")) is None


def test_a_stage_puts_on_finalizers_and_takes_them_off_but_no_other_s() -> None:
    begins = stages.stage_of(pool())
    assert begins is not None
    one = pool()
    one["metadata"]["finalizers"] = ["foregroundDeletion"]
    assert begins.finalizers(one) == ["foregroundDeletion", "cephblockpool.ceph.rook.io"]
    one["metadata"] |= {"deletionTimestamp": "now", "finalizers": begins.finalizers(one)}
    gone = stages.stage_of(one)
    assert gone is not None
    assert gone.finalizers(one) == ["foregroundDeletion"]


def test_a_status_is_rendered_with_the_object_s_own_values() -> None:
    ready = stages.stage_of(pool(phase="Progressing"))
    assert ready is not None
    assert ready.status_for(pool()) == {
        "phase": "Ready",
        "conditions": None,  # those of a failure before
        "observedGeneration": 3,
        "info": {"type": "replicated"},
    }


@pytest.mark.parametrize("status", ["False", None])
def test_a_kind_with_conditions_becomes_ready_from_whatever_it_was(status: str | None) -> None:
    one: dict[str, Any] = {"apiVersion": "cert-manager.io/v1", "kind": "Certificate", "metadata": {"generation": 1}}
    if status:
        one["status"] = {"conditions": [{"type": "Issuing", "status": "True"}, {"type": "Ready", "status": status}]}
    assert getattr(stages.stage_of(one), "name", None) == "certificate-ready"
    one["status"] = {"conditions": [{"type": "Ready", "status": "True"}]}
    assert stages.stage_of(one) is None


def test_every_stand_in_is_for_a_kind_that_the_lock_file_has() -> None:
    known: set[str] = set()
    for source in lock():
        rows = source.crds if isinstance(source, CrdSource) else [source]
        known |= {kind for row in rows for kind in row.kinds}
        assert isinstance(source, CrdSource | OwnSource) or source.types
    wanted = {kind for _, kind in OPERATORS} | {one.kind for one in stages.load()}
    assert wanted <= known, f"mistyped: {sorted(wanted - known)}"


def test_a_failure_hits_what_it_names_and_is_followed_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / failures.FILE
    heard: list[str] = []
    faults = Failures(file=file)
    faults.on_change(lambda: heard.append("changed"))
    faults.look()
    assert (faults.of("st", pool()), heard) == (None, [])
    failures.write(file, [Failure(cluster="st*", kind="CephBlockPool", name="one", message="no OSD")])
    faults.look()
    found = faults.of("st", pool())
    assert found is not None
    assert found.status(pool(), {})["phase"] == "Failure"
    assert faults.of("hv", pool()) is None, "in another cluster nothing fails"
    failures.write(file, [])
    faults.look()
    assert faults.of("st", pool()) is None
    assert heard == ["changed", "changed"]


def rested(one: dict[str, Any]) -> dict[str, Any]:
    """The object after all that its Stages do."""
    while stage := stages.stage_of(one):
        status = {**one.get("status", {}), **(stage.status_for(one) or {})}
        one = {**one, "status": {key: value for key, value in status.items() if value is not None}}
    return one


@pytest.mark.parametrize(
    ("version", "kind"), sorted({(one.api_version, one.kind) for one in stages.load()}), ids=lambda one: one
)
def test_the_stages_of_a_kind_write_over_all_that_a_failure_wrote(
    version: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else something of it would stay when it ends, or the kind would not be worked on."""
    monkeypatch.setattr(stages, "now", lambda: "now")
    metadata = {"name": "one", "namespace": "somewhere", "generation": 1, "uid": "u"}
    ready = rested({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": {"store": "s"}})
    wrong = Failure(cluster="*", kind="*", message="no OSD").status(ready, {})
    failed = {**ready, "status": {**ready["status"], **wrong}}
    assert stages.stage_of(failed), f"it looks as ready as before: {wrong}"
    assert "no OSD" in str(wrong), "nobody knows why"
    assert rested(failed) == ready


def test_the_vault_keeps_versions_and_tells_of_changes_only() -> None:
    vault, heard = Vault(), list[str]()
    vault.on_change(lambda: heard.append("changed"))
    assert vault.write("kv-v2", "ceph/a/nova", {"key": "1"}) == 1
    assert vault.write("kv-v2", "ceph/a/nova", {"key": "1"}) == 1, "the same again is no change"
    assert vault.write("kv-v2", "ceph/a/nova", {"key": "2"}) == 2
    assert vault.read("kv-v2", "ceph/a/nova") == {"key": "2"}
    vault.write("kv-v2", "ceph/b", {})
    assert vault.names("kv-v2", "ceph") == ["a/", "b"]
    vault.delete("kv-v2", "ceph/a/nova")
    assert vault.read("kv-v2", "ceph/a/nova") is None
    assert len(heard) == 4
