"""What a person reads when an operator has not made an object ready."""

from typing import Any

import pytest

from access import operator_status
from access.kubeconfig import ShootRef
from access.operator_status import explained, find

POOL: dict[str, Any] = {"kind": "CephBlockPool", "metadata": {"name": "volumes", "namespace": "rook-ceph"}}


def test_it_names_object_and_cluster_and_repeats_what_the_operator_says() -> None:
    conditions = [
        {"type": "Progressing", "status": "True", "message": "on it"},
        {"type": "Ready", "status": "False", "reason": "ReconcileFailed", "message": "no OSD\nis left."},
    ]
    said = explained(
        {**POOL, "status": {"phase": "Failure", "conditions": conditions}}, "st-pool-a", "it was waited for"
    )
    assert said.startswith(
        "CephBlockPool volumes in cluster st-pool-a is not ready: it was waited for. Its operator says: "
        "phase Failure; Ready is False, no OSD is left. It goes on trying"
    )
    assert "`kubectl -n rook-ceph describe cephblockpool volumes` in that cluster" in said
    assert said.endswith("run the update again.")


def test_a_message_of_its_own_is_said_and_nothing_twice() -> None:
    said = explained({**POOL, "status": {"state": "Error", "message": "no arbiter"}}, "st-pool-a")
    assert "is not ready. Its operator says: state Error; no arbiter. It goes on" in said


def test_a_status_that_is_empty_or_endless_is_one_sentence_too() -> None:
    assert "Its operator says: nothing yet. " in explained(POOL, "st-pool-a")
    assert len(explained({**POOL, "status": {"message": "x" * 5000}}, "st-pool-a")) < 1000


def test_how_ceph_is_is_said() -> None:
    status = {"phase": "Ready", "ceph": {"health": "HEALTH_ERR"}}
    assert "says: phase Ready; health HEALTH_ERR. " in explained({**POOL, "status": status}, "st-pool-a")


class Api:
    """A cluster that knows one kind, which is in a namespace or not."""

    def __init__(self, *, namespaced: bool) -> None:
        self.namespaced, self.asked = namespaced, ""

    def get(self, path: str) -> dict[str, Any]:
        if path == "/apis/external-secrets.io/v1":
            return {"resources": [{"name": "stores", "kind": "Store", "namespaced": self.namespaced}]}
        self.asked = path
        return {}


@pytest.mark.parametrize(("namespaced", "path"), [(True, "/namespaces/default/stores/one"), (False, "/stores/one")])
def test_it_is_the_cluster_that_knows_whether_a_kind_is_in_a_namespace(
    monkeypatch: pytest.MonkeyPatch, path: str, *, namespaced: bool
) -> None:
    api = Api(namespaced=namespaced)

    def enter(_: ShootRef) -> Api:
        return api

    monkeypatch.setattr(operator_status, "enter", enter)
    metadata = {"name": "one", "namespace": "default"}
    find(
        ShootRef(garden="g", namespace="garden-c5c3", name="st"),
        {"apiVersion": "external-secrets.io/v1", "kind": "Store", "metadata": metadata},
    )
    assert api.asked == f"/apis/external-secrets.io/v1{path}"
