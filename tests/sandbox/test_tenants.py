"""Tenants by the real program: they come up, are added, changed and removed, and their keys are seen nowhere."""

import base64
import copy
import json
import os
import re
from collections.abc import Generator
from pathlib import Path

import pytest

from components.tenant_objects import PROTECTION
from sandbox.client import Manifest
from tests import live_tenants, sandboxes
from tests.live_tenants import LiveTenants
from tests.sandboxes import faults, own_name, until
from tests.tenant_data import away, counted, images, own
from tests.tenant_region import FULL, KEPT, NEW, PLANE, Region, tenants
from tools import cache

pytestmark = pytest.mark.servers

PROTECTED = re.compile(r'resource "[^"]*::(?P<name>[^":]+)" cannot be deleted\s+because it is protected')


@pytest.fixture(scope="module")
def region(tmp_path_factory: pytest.TempPathFactory) -> Generator[Region]:
    """With two tenants; everything that pulumi and its plugins tell each other is in a log."""
    log = tmp_path_factory.mktemp("grpc") / "log"
    os.environ["PULUMI_DEBUG_GRPC"] = str(log)
    try:
        with sandboxes.running(own_name("tenants")) as running:
            region = Region(running, log)
            said = region.up(KEPT, FULL)
            assert said.code == 0, said.text
            yield region
    finally:
        del os.environ["PULUMI_DEBUG_GRPC"]


@pytest.fixture(scope="module")
def live(region: Region) -> LiveTenants:
    return region.live(KEPT, FULL)


def test_every_object_of_every_tenant_is_ready_where_it_belongs(live: LiveTenants) -> None:
    live_tenants.check_all_are_there(live)


def test_each_object_was_made_after_what_it_needs(live: LiveTenants) -> None:
    live_tenants.check_order(live)


def test_no_node_serves_two_tenants(live: LiveTenants) -> None:
    live_tenants.check_nodes(live)


def test_the_nodes_of_a_tenant_find_its_own_networks(live: LiveTenants) -> None:
    live_tenants.check_networks(live)


def test_the_outputs_say_what_the_objects_say(region: Region, live: LiveTenants) -> None:
    said = region.pulumi(["stack", "output", "tenants", "--json"])
    told = json.loads(said.text[: said.text.rindex("}") + 1])
    assert sorted(told) == ["full", KEPT["name"]]
    there = live.there()
    for name, one in told.items():
        made = there[f"{PLANE} openstack-{name} ControlPlane {name}"]
        assert one["endpoints"] == made["status"]["endpoints"]
        assert one["phase"] == "Ready"
        share = there[f"hv-pool-us openstack-{name} HypervisorShare {name}"]
        (hypervisors,) = one["consumedPools"]["hypervisor"]
        assert hypervisors == {"name": "hv-pool-us", "status": "Ready", "nodeCount": share["status"]["nodeCount"]}
        (storage,) = one["consumedPools"]["storage"]
        assert storage == {"name": "st-pool-us", "status": "Ready", "availableCapacity": room(region)}
    assert told["full"]["cephResources"]["st-pool-us"]["volumePool"] == {
        "name": "full-volumes",
        "status": "Ready",
        "quotaBytes": 1000 * 1024**3,
    }


def room(region: Region) -> int:
    ceph = region.running.client("st-pool-us").get("ceph.rook.io/v1", "CephCluster", "rook-ceph", "rook-ceph")
    assert ceph is not None
    free: int = ceph["status"]["ceph"]["capacity"]["bytesAvailable"]
    assert free > 750 * 1000**4, "of the 750T that the stack file promises, three copies"
    return free


def test_the_keys_are_where_they_are_used_and_nowhere_in_pulumi(region: Region, live: LiveTenants) -> None:
    """One of them is a word that can be nothing else; the others are searched for, too."""
    canary = "canary-of-ceph-4711"
    source: Manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "rook-ceph-client-nova-full", "namespace": "rook-ceph"},
    }
    region.running.client("st-pool-us").patch(source, {"data": {"userKey": base64.b64encode(canary.encode()).decode()}})

    def arrived() -> bool | None:
        there = (region.vault("ceph/st-pool-us/full/nova-full") or {}).get("data", {}).get("userKey")
        used = [
            live.secret(cluster, "openstack-full", "ceph-nova-full")["userKey"] for cluster in ("hv-pool-us", PLANE)
        ]
        return True if {there, *used} == {canary} else None

    until(arrived, lambda: "a changed key does not get to where it is used", 120)
    keys = live_tenants.check_keys(live)
    assert canary in keys
    seen = region.pulumi(["preview", "--refresh", "--diff", "--expect-no-changes"], tenants(KEPT, FULL))
    assert seen.code == 0, seen.text
    assert region.pulumi(["stack", "export"]).code == 0
    assert region.pulumi(["stack", "output", "--show-secrets", "--json"]).code == 0
    state = "".join(
        file.read_text()
        for file in (region.running.home.path / "pulumi").rglob("*")
        if file.suffix in (".json", ".bak")
    )
    places = {"Pulumi's state": state, "what pulumi says": region.printed, "its log": region.log.read_text()}
    for key in keys:
        for form in (key, base64.b64encode(key.encode()).decode()):
            for where, text in places.items():
                assert form not in text, f"a key is in {where}"
    for where, text in places.items():
        assert "ceph-nova-full" in text, f"{where} was not looked at"


def test_a_tenant_is_added_changed_and_removed_without_a_hand_on_the_others(region: Region) -> None:
    before = region.live(KEPT, FULL).there()
    steps = region.steps(KEPT, FULL, NEW)
    assert {op for _, op in steps} == {"create"}
    (tenant,) = (urn for urn, _ in steps if urn.endswith("$cobaltcore:index:OpenStackCluster::new"))
    below = [urn.partition("$cobaltcore:index:OpenStackCluster$")[2] for urn, _ in steps if urn != tenant]
    assert below
    assert all("::new-" in one for one in below), f"all of them are below the new tenant: {steps}"
    try:
        _added_then_changed(region)
        assert versions(region.live(KEPT, FULL).there(), before) == versions(before, before)
        _refused_with_data(region)
        _blocked_then_gone(region)
    except AssertionError:
        away(region)
        raise


def versions(there: dict[str, Manifest], of: dict[str, Manifest]) -> dict[str, str]:
    return {at: there[at]["metadata"]["resourceVersion"] for at in of}


def _added_then_changed(region: Region) -> None:
    changed = {**copy.deepcopy(NEW), "storage": {"ceph": {"volumePool": {"quotaGB": 2000}}}}
    assert region.up(KEPT, FULL, NEW).code == 0
    live_tenants.check_all_are_there(region.live(KEPT, FULL, NEW))
    (step,) = region.steps(KEPT, FULL, changed)
    assert step[0].endswith(":CephBlockPool::new-volumes@st-pool-us")
    assert step[1] == "update"


def _refused_with_data(region: Region) -> None:
    counted(region, volumes=2, machines=3)
    before = region.live(NEW).there()
    for said in (region.plan(KEPT, FULL), region.up(KEPT, FULL)):
        assert said.code != 0, "a tenant with data is removed"
        assert "nothing was planned, and nothing changed." in said.text
        assert (
            "Tenant new would leave with this, as its entry in cobaltcore:openStackClusters is gone: put the entry "
            "back. It still has 3 machines and 2 volumes: " in said.text
        )
    assert versions(region.live(NEW).there(), before) == versions(before, before)
    counted(region, volumes=0, machines=0)


def _blocked_then_gone(region: Region) -> None:
    """What its control plane has not counted, Rook knows."""
    images(region, 2)
    kept = region.up(KEPT, FULL)
    assert kept.code != 0, "a pool with data is deleted"
    assert (
        "CephBlockPool new-volumes in cluster st-pool-us is not deleted yet: Rook says: "
        'pool "new-volumes" contains images or snapshots: 2 images. What is in it is not lost: ' in kept.text
    )
    left = region.live(NEW).there()
    assert f"{PLANE} - Namespace openstack-new" in left, "the namespace goes after all that it is for"
    images(region, 0)
    gone = region.up(KEPT, FULL)
    assert gone.code == 0, gone.text
    live_tenants.check_all_are_there(region.live(KEPT, FULL))
    live_tenants.check_nodes(region.live(KEPT, FULL))
    assert region.vault("ceph/st-pool-us", "metadata") == {"keys": ["full/", f"{KEPT['name']}/"]}, "keys are left"
    assert region.vault("openstack/ovn", "metadata") == {"keys": ["full", KEPT["name"]]}, "certificates are left"
    order = deleted(kept.text + gone.text)
    wanted = ["nodes@hv-pool-us", "secret-ovn@hv-pool-us", "key-ovn", "control-plane"]
    wanted += ["secret-nova@st-pool-us", "key-nova@st-pool-us", "client-nova@st-pool-us", "volumes@st-pool-us"]
    wanted += ["namespace"]
    found = [order.index(f"new-{one}") for one in wanted]
    assert found == sorted(found), f"they went in another order: {order}"


def deleted(text: str) -> list[str]:
    """What pulumi says that it deleted, in that order."""
    return [found["name"] for found in re.finditer(r"^ *- +\S+ (?P<name>new-\S+) deleted", text, re.MULTILINE)]


def test_a_protected_tenant_is_neither_removed_nor_renamed(region: Region) -> None:
    """Renamed, it would be both: the one goes, and another comes."""
    name: str = KEPT["name"]
    renamed = {**KEPT, "name": "other"}
    before = region.live(KEPT, FULL).there()
    for claims, says in (
        ([FULL], f"Tenant {name} would leave with this, as its entry in cobaltcore:openStackClusters is gone"),
        ([renamed, FULL], f"Tenant {name} would leave and other come in its place, as no object of Ceph or"),
    ):
        for said in (region.plan(*claims), region.up(*claims)):
            assert said.code != 0, said.text
            assert says in said.text
            assert "It is protected, and goes by two commits: " in said.text
    there = region.live(KEPT, FULL).there()
    assert sorted(there) == sorted(before)
    assert versions(there, before) == versions(before, before)


def test_what_nobody_sees_while_planning_pulumi_s_state_still_keeps(region: Region) -> None:
    """All of it, to the last key: Pulumi goes on after the first object that it must not delete."""
    name: str = KEPT["name"]
    live, plane = region.live(KEPT, FULL), own("ControlPlane", KEPT["name"])
    live.client(PLANE).patch(plane, {"metadata": {"annotations": {PROTECTION: None}}})
    try:
        before = live.there()
        said = region.up(FULL)
        assert said.code != 0, "a protected tenant is removed"
        refused = {found["name"] for found in PROTECTED.finditer(said.text)}
        assert refused == {f"{name}-nodes@hv-pool-us"}, "what goes first is kept, so all that it needs is"
        assert not re.search(r"^ *- +\S+ \S+ deleted", said.text, re.MULTILINE), said.text
        assert "is not deleted yet" not in said.text, "nobody has asked for it"
        there = live.there()
        assert sorted(there) == sorted(before)
        assert versions(there, before) == versions(before, before)
        assert region.vault(f"ceph/st-pool-us/{name}/nova-{name}"), "its key is in OpenBao still"
    finally:
        live.client(PLANE).patch(plane, {"metadata": {"annotations": {PROTECTION: "true"}}})
    live_tenants.check_all_are_there(region.live(KEPT, FULL))
    assert region.steps(KEPT, FULL) == [], "and the next run finds all as it was"


# --- Faults of the operators of a tenant's objects, as a person meets them who runs `pulumi up`.


def test_a_pool_that_fails_and_a_control_plane_that_hangs_are_said_and_the_next_update_sets_all_right(
    region: Region, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each in its cluster, with what its operator says; a minute is little for both, and the rule is much more."""
    in_a_minute(tmp_path, monkeypatch, "CephBlockPool", "ControlPlane")
    larger = {**KEPT, "storage": {"ceph": {"volumePool": {"quotaGB": 6000}}}}
    pool = f"{KEPT['name']}-volumes"
    fails = ("fail", "CephBlockPool", pool, "--cluster", "st-pool-us", "--message", "no OSD is left")
    with faults(region.running, fails, ("hang", "ControlPlane", "full")):
        said = region.pulumi(["up", "--yes", "--skip-preview"], tenants(larger, {**FULL, "network": {"mtu": 1400}}))
    assert said.code != 0, said.text
    assert "Traceback" not in said.text
    text = " ".join(said.text.split())
    assert f"CephBlockPool {pool} in cluster st-pool-us is not ready: it was waited for up to 1 min" in text, said.text
    assert "Ready is False, no OSD is left" in text
    assert f"ControlPlane full in cluster {PLANE} is not ready: it was waited for up to 1 min" in text, said.text
    again = region.up(KEPT, FULL)
    assert again.code == 0, again.text
    live_tenants.check_all_are_there(region.live(KEPT, FULL))


def in_a_minute(folder: Path, monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    """The program waits a minute for objects of these kinds, where it waits up to forty else."""
    (folder / "sitecustomize.py").write_text(
        "import dataclasses\n"
        "from components.readiness import READINESS\n"
        f"for kind in {kinds!r}:\n"
        "    READINESS[kind] = dataclasses.replace(READINESS[kind], minutes=1)\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{cache.ROOT}")
