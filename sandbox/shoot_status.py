"""What Gardener writes into a Shoot's status, in its words."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sandbox.client import Manifest

CONDITIONS = (
    (
        "APIServerAvailable",
        "HealthzRequestSucceeded",
        "API server /healthz endpoint responded with success status code.",
    ),
    ("ControlPlaneHealthy", "ControlPlaneRunning", "All control plane components are healthy."),
    ("EveryNodeReady", "EveryNodeReady", "All nodes are ready."),
    ("SystemComponentsHealthy", "SystemComponentsRunning", "All system components are healthy."),
)
PROBLEM = "ERR_CONFIGURATION_PROBLEM"


def operation(kind: str, state: str, progress: int, description: str) -> Manifest:
    """`kind` is Create, Reconcile or Delete; `state` Processing, Succeeded, Error or Failed."""
    return {
        "lastOperation": {
            "type": kind,
            "state": state,
            "progress": progress,
            "description": description,
            "lastUpdateTime": now(),
        }
    }


def conditions(status: str, old: Sequence[Manifest], *, reason: str = "", message: str = "") -> Manifest:
    """All conditions with one status; one that keeps it keeps the time of its last change too."""
    since = {one["type"]: one["lastTransitionTime"] for one in old if one["status"] == status}
    return {
        "conditions": [
            {
                "type": name,
                "status": status,
                "reason": reason or good_reason,
                "message": message or good_message,
                "lastTransitionTime": since.get(name, now()),
                "lastUpdateTime": now(),
            }
            for name, good_reason, good_message in CONDITIONS
        ]
    }


def errors(description: str, code: str | None = None) -> Manifest:
    codes = {"codes": [code]} if code else {}
    return {"lastErrors": [{"description": description, "lastUpdateTime": now(), "taskID": "Sandbox", **codes}]}


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
