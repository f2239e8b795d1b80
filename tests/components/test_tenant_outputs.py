"""What is told of a tenant, as its live objects say it."""

from typing import Any

import pytest

from components.tenant_outputs import phase
from crds import c5c3
from tests.recorder import Recording
from tests.regions import loaded, small, small_tenant
from tests.tenants import READY, recorded

GIB = 1024**3
ENDPOINTS = {"keystone": "https://keystone.openstack-a.svc.cluster.local:5000"}
ROOK = "kubernetes:ceph.rook.io/v1:"


def told_phase(ready: str | None, reason: str = "", *, was_up: bool = False, step: str | None = None) -> str:
    condition = c5c3.outputs.ControlPlaneStatusConditions(type="Ready", status=ready, reason=reason) if ready else None
    other = c5c3.outputs.ControlPlaneStatusConditions(type="KeystoneReady", status="True")
    conditions = [other, *([condition] if condition else [])]
    endpoints = ENDPOINTS if was_up else None
    return phase(c5c3.outputs.ControlPlaneStatus(conditions=conditions, endpoints=endpoints, update_phase=step))


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        ("Pending", {"ready": None}),
        ("Ready", {"ready": "True", "was_up": True, "step": "Idle"}),
        ("Provisioning", {"ready": "False", "reason": "Progressing"}),
        ("Provisioning", {"ready": "Unknown", "was_up": True}),
        ("Provisioning", {"ready": "False", "reason": "ReconcileFailed", "was_up": True, "step": "UpdatingServices"}),
        ("Failed", {"ready": "False", "reason": "ReconcileFailed"}),
        ("Degraded", {"ready": "False", "reason": "ReconcileFailed", "was_up": True, "step": "Idle"}),
        ("Degraded", {"ready": "False", "reason": "Waiting", "was_up": True}),
        ("Degraded", {"ready": "False", "reason": "Progressing", "was_up": True, "step": "RollingBack"}),
    ],
)
def test_the_phase_is_the_documents_word_for_what_the_operator_says(expected: str, given: dict[str, Any]) -> None:
    assert told_phase(**given) == expected


def test_before_the_operator_has_said_anything_it_is_pending() -> None:
    assert phase(None) == "Pending"


def told(adds: dict[str, Any]) -> dict[str, Any]:
    """What is told of the Ceph of a tenant with all that is optional."""
    ceph = {"volumePool": {"quotaGB": 100}, "filesystem": {"enabled": True}, "objectStore": {"enabled": True}}
    tenant = small_tenant(environment="staging", services={"manila": True}, storage={"ceph": ceph})
    made: Recording = recorded(loaded(small(openStackClusters=[tenant])), {**READY, **adds})
    resources: dict[str, Any] = made.named("a").outputs["ceph_resources"]["st-pool-a"]
    return resources


def test_each_part_of_ceph_says_its_own_state() -> None:
    """All of them different, so that none can be told for another."""
    kinds = ("CephBlockPool", "CephClient", "CephFilesystem", "CephObjectStore")
    found = told({f"{ROOK}{kind}": {"status": {"phase": f"{kind} is well"}} for kind in kinds})
    assert found["filesystem"] == {"name": "a-cephfs", "status": "CephFilesystem is well"}
    assert found["objectStore"] == {"name": "a-rgw", "status": "CephObjectStore is well"}
    assert found["imagePool"] == {"name": "a-images", "status": "CephBlockPool is well"}
    assert found["volumePool"] == {"name": "a-volumes", "status": "CephBlockPool is well", "quotaBytes": 100 * GIB}
    assert found["clients"] == {
        service: {"name": f"{name}-a", "secretRef": f"ceph-{secret}-a", "status": "CephClient is well"}
        for service, name, secret in (
            ("cinder", "openstack", "client"),
            ("glance", "glance", "glance"),
            ("nova", "nova", "nova"),
            ("manila", "manila", "manila"),
        )
    }


def test_what_rook_has_said_nothing_of_is_being_made() -> None:
    found = told({})
    parts = [found[one] for one in ("filesystem", "objectStore", "imagePool", "volumePool")]
    assert {one["status"] for one in [*parts, *found["clients"].values()]} == {"Creating"}


def test_the_quota_is_the_pool_s_own() -> None:
    """Somebody may have changed it there, and the claim would not know."""
    live = {f"{ROOK}CephBlockPool": {"spec": {"quotas": {"maxSize": "7Ti"}}}}
    assert told(live)["volumePool"]["quotaBytes"] == 7 * 1024 * GIB


@pytest.mark.parametrize("tls", [True, False])
def test_where_the_certificates_of_its_networks_are_is_told_where_it_has_some(*, tls: bool) -> None:
    made = recorded(loaded(small(openStackClusters=[small_tenant(tls={"enabled": tls})]))).named("a")
    certificates = {
        "name": "ovn-tls-certs",
        "namespace": "openstack-a",
        "path": "openstack/ovn/a",
        "controlPlane": True,
        "hypervisorClusters": ["hv-pool-a"],
    }
    told: list[dict[str, Any]] = made.outputs["secrets"]
    assert [one for one in told if "ovn" in one["name"]] == ([certificates] if tls else [])
