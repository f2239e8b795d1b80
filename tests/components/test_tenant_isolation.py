"""What a tenant's objects name: its own pools, clients, Secrets and namespace, and never another's."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from model import RegionSpec
from model.ceph import ceph_pools
from model.ceph_clients import MANILA, ceph_clients
from model.ceph_keys import ceph_keys
from model.tenant import OpenStackCluster
from tests.random_regions import regions
from tests.recorder import Recording, Registered
from tests.regions import loaded, namesakes, small, small_tenant, stack
from tests.tenants import TENANT as COMPONENT, cluster_of, leaves, objects, of_tenant, place, recorded

BLOCK = re.compile(r"profile (?P<profile>rbd|rbd-read-only) pool=(?P<pool>[a-z0-9-]+)")
FILESYSTEM = {
    "mon": re.compile(r"allow r fsname=(?P<pool>[a-z0-9-]+)"),
    "mgr": re.compile(
        r'allow command "fs (?P<command>(subvolume|subvolumegroup|clone) [a-z_ ]+)" '
        r"with vol_name=(?P<pool>[a-z0-9-]+)"
    ),
}
PATH = re.compile(r"ceph/(?P<pool>[a-z0-9-]+)/(?P<tenant>[a-z0-9-]+)/(?P<owner>[a-z0-9-]+)")
OVN, OVN_PATH = "ovn-tls-certs", "openstack/ovn/{}".format
WORD = re.compile(r"[A-Za-z0-9][-A-Za-z0-9]*")


def own_names(tenant: OpenStackCluster) -> set[str]:
    """Everything that carries the tenant's name."""
    pools = {pool.name for pool in ceph_pools(tenant)}
    clients = {one.name for one in ceph_clients(tenant)}
    keys = {name for one in ceph_keys(tenant) for name in (one.owner, one.source, one.secret)}
    return {tenant.name, f"openstack-{tenant.name}", *pools, *clients, *keys}


def rights(client: Registered) -> Iterator[tuple[str, str, str]]:
    """Daemon, what may be done, and where: each right of a client. A right that is not understood fails."""
    service = client.name.partition("client-")[2].partition("@")[0]
    caps: dict[str, str] = client.inputs["spec"]["caps"]
    for daemon, text in caps.items():
        for right in text.split(", "):
            found = (FILESYSTEM[daemon] if service == "manila" else BLOCK).fullmatch(right)
            if found is None:
                assert (daemon, right) == ("mon", "profile rbd"), f"{client.name}: {daemon} {right!r} opens too much"
                continue
            yield daemon, found.groupdict().get("profile", "filesystem"), found["pool"]


def check(spec: RegionSpec) -> None:
    recording = recorded(spec)
    names = {tenant.name: own_names(tenant) for tenant in spec.open_stack_clusters}
    found = [place(one, spec.region) for one in objects(recording)]
    assert len(found) == len(set(found)), "one object, one owner"
    check_edges(recording, names)
    for tenant in spec.open_stack_clusters:
        others = {name for one in names if one != tenant.name for name in names[one]}
        for one in of_tenant(recording, tenant.name):
            words = {word for _, leaf in leaves(one.inputs) for word in WORD.findall(str(leaf))}
            strange = words & (others - names[tenant.name])
            assert not strange, f"{one.name} of {tenant.name} names {sorted(strange)} of another tenant"
            if one.inputs["kind"] == "CephClient":
                at = one.name.partition("@")[2]
                mine = {pool.name for pool in ceph_pools(tenant) if pool.storage_cluster == at}
                assert {pool for _, _, pool in rights(one)} <= mine, f"{one.name} opens what is not on {at}"
        check_keys(recording, spec, tenant)
    check_nodes(recording, spec)


def check_edges(recording: Recording, tenants: Iterable[str]) -> None:
    """No object of a tenant waits for another's, which would then have to be there, and to be deleted later."""
    mine = {
        name: {(COMPONENT, name), *((one.type, one.name) for one in of_tenant(recording, name))} for name in tenants
    }
    whose = {one: name for name, all_ in mine.items() for one in all_}
    assert len(whose) == sum(map(len, mine.values())), "no two objects of tenants are called alike"
    for name in mine:
        for one in of_tenant(recording, name):
            owners = {whose.get(type_and_name(urn), name) for urn in one.depends_on}
            assert owners <= {name}, f"{one.name} waits for what is {' and '.join(sorted(owners - {name}))}'s"


def type_and_name(urn: str) -> tuple[str, str]:
    _, _, types, name = urn.split("::", 3)
    return types.rpartition("$")[2], name


def check_keys(recording: Recording, spec: RegionSpec, tenant: OpenStackCluster) -> None:
    """Each goes from its storage pool to where the tenant uses it, by a path of its own, and no other way."""
    mine = of_tenant(recording, tenant.name)
    pushed: dict[str, str] = {}
    for one in mine:
        if one.inputs["kind"] == "PushSecret":
            at = cluster_of(one, spec.region)
            if at == spec.control_plane.name:
                assert paths(one) == {OVN_PATH(tenant.name)}, f"{one.name} goes to {paths(one)}"
                assert one.inputs["metadata"]["namespace"] == f"openstack-{tenant.name}"
                pushed[OVN_PATH(tenant.name)] = one.name
                continue
            for path in sorted(paths(one)):
                found = PATH.fullmatch(path)
                assert found, f"{one.name} goes to {path}"
                assert (found["pool"], found["tenant"]) == (at, tenant.name), f"{one.name} goes to {path}"
                assert path not in pushed, f"{path} is written by {pushed[path]} and {one.name}"
                pushed[path] = one.name
    named = {name for one in mine if one.inputs["kind"] == "ControlPlane" for name in secrets_of(one.inputs["spec"])}
    brought: set[str] = set()
    for one in mine:
        if one.inputs["kind"] == "ExternalSecret":
            at, name = cluster_of(one, spec.region), one.inputs["spec"]["target"]["name"]
            assert paths(one) <= pushed.keys(), f"{one.name} waits for what nobody brings"
            assert one.inputs["metadata"]["namespace"] == f"openstack-{tenant.name}"
            if at == spec.control_plane.name:
                brought.add(name)
            else:
                assert at in tenant.hypervisor_clusters, f"{one.name} goes to {at}, which the tenant does not use"
                assert name == OVN or name.startswith("ceph-nova-"), f"{one.name} is no key of Nova's or OVN's"
                assert (name == OVN) == (paths(one) == {OVN_PATH(tenant.name)}), f"{one.name} has another's keys"
        if one.inputs["kind"] == "HypervisorShare":
            here = {
                other.inputs["spec"]["target"]["name"]
                for other in mine
                if other.inputs["kind"] == "ExternalSecret"
                and cluster_of(other, spec.region) == cluster_of(one, spec.region)
            }
            ceph = {row["secretRef"]["name"] for row in one.inputs["spec"].get("ceph", [])}
            certificates = {OVN} if tenant.tls.enabled else set[str]()
            assert ceph | certificates == here
            assert one.inputs["spec"]["ovn"].get("tls") == ({"secretRef": {"name": OVN}} if certificates else None)
    swift = {key.secret for key in ceph_keys(tenant) if key.role == "swift"}
    assert brought == named | swift, "a control plane gets the keys that it names and no other"


def paths(one: Registered) -> set[str]:
    rows: list[Any] = one.inputs["spec"]["data"]
    return {row["match"]["remoteRef"]["remoteKey"] if "match" in row else row["remoteRef"]["key"] for row in rows}


def secrets_of(spec: dict[str, Any]) -> set[str]:
    """Every Secret that a ControlPlane names, by name alone or with its key."""
    return {str(leaf) for path, leaf in leaves(spec) if path.endswith((".secretRef", ".secretRef.name"))}


def check_nodes(recording: Recording, spec: RegionSpec) -> None:
    """A pool's nodes are enough for all, and no two tenants mark theirs alike."""
    for pool in spec.hypervisor_pools:
        here = [
            one
            for one in objects(recording)
            if one.inputs["kind"] == "HypervisorShare" and cluster_of(one, spec.region) == pool.name
        ]
        marks = [json.dumps(one.inputs["spec"]["nodeLabels"]) for one in here]
        assert len(marks) == len(set(marks))
        promised = [one.inputs["spec"].get("nodes") for one in here]
        left = pool.workers - sum(number or 0 for number in promised)
        assert left >= (1 if None in promised else 0), f"{pool.name} has too few nodes for its tenants"


@pytest.mark.parametrize("name", ["eu-de-1", "us-east-1"])
def test_no_tenant_of_a_stack_file_names_what_is_another_s(name: str) -> None:
    check(loaded(stack(name)))


def test_names_that_look_like_another_tenant_s_are_none() -> None:
    check(loaded(namesakes()))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(config=regions(most_pools=3, least_tenants=2, most_tenants=9))
def test_no_tenant_of_any_region_names_what_is_another_s(config: dict[str, Any]) -> None:
    check(loaded(config))


TENANT = small_tenant(services={"manila": True})


def client_rights(name: str, **storage: Any) -> dict[str, set[tuple[str, str, str]]]:  # noqa: ANN401
    tenant = {**TENANT, "name": name, "storage": {"ceph": {"filesystem": {"enabled": True}, **storage}}}
    recording = recorded(loaded(small(openStackClusters=[tenant])))
    clients = [one for one in recording if one.type.endswith("CephClient")]
    return {one.inputs["metadata"]["name"]: set(rights(one)) for one in clients}


def test_each_service_may_do_what_it_needs_and_no_more() -> None:
    write, read = "rbd", "rbd-read-only"
    assert client_rights("a") == {
        "openstack-a": {("mgr", write, "a-volumes"), ("osd", write, "a-volumes"), ("osd", read, "a-images")},
        "glance-a": {("mgr", write, "a-images"), ("osd", write, "a-images")},
        "nova-a": {
            *{(daemon, write, pool) for daemon in ("mgr", "osd") for pool in ("a-volumes", "a-ephemeral")},
            ("osd", read, "a-images"),
        },
        "manila-a": {(daemon, "filesystem", "a-cephfs") for daemon in ("mon", "mgr")},
    }


def test_manila_may_give_its_own_commands_for_its_own_filesystem_and_none_that_deletes_one() -> None:
    """A right to the manager's whole module would not look at the filesystem that a command names."""
    (client,) = (one for one in ceph_clients(manila()) if one.service == "manila")
    commands = [FILESYSTEM["mgr"].fullmatch(one) for one in client.caps["mgr"].split(", ")]
    assert [found and found["command"] for found in commands] == list(MANILA)
    assert not [one for one in MANILA if one.startswith("volume")]
    assert client.caps.keys() == {"mon", "mgr"}, "the manager does the rest"


def manila() -> OpenStackCluster:
    config = small(openStackClusters=[{**TENANT, "storage": {"ceph": {"filesystem": {"enabled": True}}}}])
    (tenant,) = loaded(config).open_stack_clusters
    return tenant


def test_a_right_to_a_pool_goes_with_the_pool() -> None:
    for client, found in client_rights("a", ephemeralPool={"enabled": False}).items():
        assert not [right for right in found if right[2] == "a-ephemeral"], f"{client} names a pool that is not there"
