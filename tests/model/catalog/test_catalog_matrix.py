"""The catalogue against the documents: the workload matrix, row by row, and the kinds that this project knows."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import yaml

from crds.generator import lock
from model.catalog import load_catalog
from model.catalog.entry import Entry
from model.catalog.versions import VersionRange

CATALOG = load_catalog()
ALL = ("management", "control-plane", "hypervisor", "storage")
M, CP, HV, ST = (("management",), ("control-plane",), ("hypervisor",), ("storage",))
HUB = ("management", "control-plane", "hypervisor")


class Row(NamedTuple):
    """What the documents say of a system; no namespace where they name none."""

    name: str
    clusters: tuple[str, ...]
    namespace: str | None
    phase: str
    groups: tuple[str, ...] = ()
    optional: bool = False


MATRIX = [
    Row("flux-operator", M, "flux-system", "F0", ("fluxcd.controlplane.io",)),
    Row(
        "flux-instance",
        M,
        "flux-system",
        "F0",
        ("source.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io"),
    ),
    Row("cert-manager", ALL, "cert-manager", "F1", ("cert-manager.io",)),
    Row("prometheus-operator-crds", CP, "monitoring", "F1", ("monitoring.coreos.com",)),
    Row("openbao", M, "openbao-system", "F0"),
    Row("openbao-operator", CP, "openbao-operator-system", "F2", ("openbao.org",), optional=True),
    Row("external-secrets", ALL, "external-secrets", "F1", ("external-secrets.io",)),
    Row("greenhouse", M, None, "F2", ("greenhouse.sap",), optional=True),
    Row("aurora", M, None, "F2", optional=True),
    Row("mariadb-operator-crds", CP, "mariadb-system", "F2", ("k8s.mariadb.com",)),
    Row("mariadb-operator", CP, "mariadb-system", "F2"),
    Row("rabbitmq-cluster-operator", CP, None, "F2", ("rabbitmq.com",)),
    Row("rabbitmq-topology-operator", CP, None, "F2", ("rabbitmq.com",)),
    Row("valkey-operator", CP, None, "F2", ("cache.cs.sap.com",)),
    Row("memcached-operator", CP, "memcached-system", "F2", ("memcached.c5c3.io",)),
    Row("keystone-operator", CP, "openstack", "F2", ("keystone.openstack.c5c3.io",)),
    Row("glance-operator", CP, "openstack", "F2", ("glance.openstack.c5c3.io",)),
    Row("placement-operator", CP, "openstack", "F2", ("placement.openstack.c5c3.io",)),
    Row("nova-operator", CP, "openstack", "F2", ("nova.openstack.c5c3.io",)),
    Row("neutron-operator", CP, "openstack", "F2", ("neutron.openstack.c5c3.io",)),
    Row("cinder-operator", CP, "openstack", "F2", ("cinder.openstack.c5c3.io",)),
    Row("ovn-operator", CP, "ovn-system", "F2", ("ovn.c5c3.io",)),
    Row("cortex-crds", CP, None, "F2", ("cortex.cloud",), optional=True),
    Row("cortex-postgres", CP, None, "F2", optional=True),
    Row("cortex-operator", CP, "openstack", "F2", ("cortex.c5c3.io",), optional=True),
    Row("tempest-operator", CP, "openstack", "F2", ("tempest.openstack.c5c3.io",), optional=True),
    Row("horizon-operator", CP, "horizon-system", "F2", ("horizon.openstack.c5c3.io",)),
    Row("barbican-operator", CP, "barbican-system", "F2", ("barbican.openstack.c5c3.io",)),
    Row("garage-operator", CP, "garage-system", "F2", ("garage.rajsingh.info",)),
    Row("k-orc", CP, "orc-system", "F2", ("openstack.k-orc.cloud",)),
    Row("c5c3-operator", CP, "c5c3-system", "F3", ("c5c3.io",)),
    Row("openstack-hypervisor-operator-crd", HV, None, "H", ("kvm.cloud.sap",)),
    Row("openstack-hypervisor-operator", HV, None, "H"),
    Row("kvm-node-agent", HV, None, "H", ("kvm.cloud.sap",)),
    Row("ovs-agent", HV, "ovn-system", "H", ("ovs.c5c3.io",)),
    Row("ovn-controller", HV, None, "H"),
    Row("ovs-vswitchd", HV, None, "H"),
    Row("nova-compute", HV, None, "H"),
    Row("libvirt", HV, None, "H"),
    Row("labels-injector", HV, None, "H"),
    Row("hypervisor-share-operator", HV, None, "H", ("c5c3.io",)),  # ours
    Row("rook-ceph", ST, "rook-ceph", "T", ("ceph.rook.io",)),
    Row("local-static-provisioner", ST, None, "T"),
    Row("external-arbiter-operator", ST, None, "T", ("ceph.cobaltcore.sap.com",), optional=True),
    Row("prysm", ST, None, "T"),
    Row("prometheus", HUB, None, "F2"),
    Row("fluent-bit", HUB, None, "F2"),
    Row("opentelemetry-collector", HUB, None, "F2"),
    Row("openstack-database-exporter", CP, None, "F2"),
    Row("node-exporter", HV, None, "F2"),
    Row("libvirt-exporter", HV, "monitoring", "H"),
]

WATCHED = "a region may be watched from outside"
ONLY_IF_USED = "no service needs it unless a tenant asks for it"
DIFFERENT: dict[tuple[str, str], tuple[object, str]] = {
    ("openbao", "phase"): ("F1", "its listener's certificates come from cert-manager, which comes in F1"),
    ("prometheus-operator-crds", "clusters"): (ALL, "every cluster's charts bring monitors"),
    ("prometheus", "clusters"): (ALL, "Rook's metrics are collected where they are"),
    ("node-exporter", "clusters"): (("hypervisor", "storage"), "storage servers have a load too"),
    ("valkey-operator", "optional"): (True, "no service of the documents uses Valkey"),
    ("horizon-operator", "optional"): (True, ONLY_IF_USED),
    ("barbican-operator", "optional"): (True, ONLY_IF_USED),
    ("garage-operator", "optional"): (True, ONLY_IF_USED),
    ("libvirt", "optional"): (True, "GardenLinux may bring libvirt: a node has one of them"),
    ("prometheus", "optional"): (True, WATCHED),
    ("fluent-bit", "optional"): (True, WATCHED),
    ("opentelemetry-collector", "optional"): (True, WATCHED),
    ("openstack-database-exporter", "optional"): (True, WATCHED),
    ("node-exporter", "optional"): (True, WATCHED),
    ("libvirt-exporter", "optional"): (True, WATCHED),
}


def groups(entry: Entry) -> set[str]:
    return {crd.split(".", 1)[1] for crd in entry.crds}


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.name)
def test_a_row_of_the_matrix_is_in_the_catalogue_as_it_says(row: Row) -> None:
    entry = CATALOG.by_name[row.name]
    said = {"clusters": row.clusters, "phase": row.phase, "optional": row.optional}
    ours = {"clusters": entry.clusters, "phase": entry.phase, "optional": bool(entry.optional)}
    for field, value in said.items():
        changed = DIFFERENT.get((row.name, field))
        assert ours[field] == (changed[0] if changed else value), f"{row.name}: {field}"
        assert not changed or changed[0] != value, f"{row.name}: {field} is no difference any more"
    assert entry.namespace == (row.namespace or entry.namespace)
    assert set(row.groups) <= groups(entry), "the kinds that others write must be there when it is"
    assert not entry.crds or row.groups, f"{row.name} brings kinds, and the row names no group"


def test_nothing_is_in_the_catalogue_that_the_matrix_does_not_have() -> None:
    assert sorted(CATALOG.by_name) == sorted(row.name for row in MATRIX)


# The kinds that a ControlPlane becomes.
MADE = [
    *("mariadbs.k8s.mariadb.com", "rabbitmqclusters.rabbitmq.com", "memcacheds.memcached.c5c3.io"),
    *("valkeys.cache.cs.sap.com", "ovnclusters.ovn.c5c3.io", "services.openstack.k-orc.cloud"),
    *("keystones.keystone.openstack.c5c3.io", "glances.glance.openstack.c5c3.io"),
    *("placements.placement.openstack.c5c3.io", "novas.nova.openstack.c5c3.io", "neutrons.neutron.openstack.c5c3.io"),
    *("cinders.cinder.openstack.c5c3.io", "cortexes.cortex.c5c3.io", "tempests.tempest.openstack.c5c3.io"),
]


def test_the_c5c3_operator_waits_for_all_that_it_makes_objects_of() -> None:
    reached: set[str] = set()
    waiting = ["c5c3-operator"]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting += set(CATALOG.by_name[name].waits_for) - reached
    brought = {crd for name in reached for crd in CATALOG.by_name[name].crds}
    assert [crd for crd in MADE if crd not in brought] == []


def test_the_page_explains_every_key() -> None:
    page = (lock.CRDS.parent / "docs" / "catalog.md").read_text()
    keys = {field.alias or name for name, field in Entry.model_fields.items()} - {"name"}
    assert sorted(key for key in keys if key not in page) == []


def typed() -> Iterator[tuple[str, str]]:
    """The CRDs that this project has types of, and the module that each is taken from."""
    for source in lock.load():
        if isinstance(source, lock.CrdSource):
            for file in source.crds:
                group, _, plural = file.file.rsplit("/", 1)[-1].removesuffix(".yaml").partition("_")
                if plural:
                    yield f"{plural}.{group}", source.module
                else:  # Rook has all of them in one file
                    yield from ((f"{kind.lower()}s.ceph.rook.io", source.module) for kind in file.kinds)
        if isinstance(source, lock.OwnSource):
            for crd in yaml.load_all((lock.CRDS / "own" / source.file).read_text(), yaml.CSafeLoader):
                yield crd["metadata"]["name"], "ours"


TYPED = dict(typed())

# Brought by a chart and not typed here, since the program writes none of them.
UNTYPED: dict[str, str] = {
    "fluxcd.controlplane.io": "fluxreports resourcesetinputproviders",
    "source.toolkit.fluxcd.io": "externalartifacts",
    "notification.toolkit.fluxcd.io": "alerts providers receivers",
    "cert-manager.io": "certificaterequests",
    "acme.cert-manager.io": "challenges orders",
    "monitoring.coreos.com": "alertmanagerconfigs alertmanagers podmonitors probes prometheusagents prometheuses "
    "prometheusrules scrapeconfigs servicemonitors thanosrulers",
    "openbao.org": "openbaoclusters openbaorestores openbaotenants",
    "external-secrets.io": "clusterexternalsecrets clusterpushsecrets",
    "generators.external-secrets.io": "acraccesstokens cloudsmithaccesstokens clustergenerators "
    "ecrauthorizationtokens fakes gcraccesstokens generatorstates githubaccesstokens grafanas mfas passwords "
    "quayaccesstokens sshkeys stssessiontokens uuids vaultdynamicsecrets webhooks",
    "greenhouse.sap": "catalogs clusterkubeconfigs clusterplugindefinitions plugindefinitions plugins "
    "teamrolebindings teamroles teams",
    "k8s.mariadb.com": "backups connections databases grants maxscales restores sqljobs users",
    "rabbitmq.com": "bindings exchanges federations operatorpolicies permissions policies queues schemareplications "
    "shovels superstreams topicpermissions users vhosts",
    "keystone.openstack.c5c3.io": "keystoneidentitybackends",
    "glance.openstack.c5c3.io": "glancebackends",
    "horizon.openstack.c5c3.io": "horizons",
    "barbican.openstack.c5c3.io": "barbicans barbicansecretstores",
    "garage.rajsingh.info": "garageadmintokens garagebuckets garageclusters garagekeys garagenodes "
    "garagereferencegrants",
    "openstack.k-orc.cloud": "addressscopes flavors floatingips groups images keypairs networks ports roleassignments "
    "routerinterfaces routers securitygroups servergroups servers sharenetworks subnets trunks volumes volumetypes",
    "c5c3.io": "keystoneservices",
    "cortex.cloud": "committedresources decisions deschedulings flavorgroupcapacities histories kpis projectquotas "
    "reservations",
    "ceph.rook.io": "cephblockpoolradosnamespaces cephbucketnotifications cephbuckettopics cephcosidrivers "
    "cephfilesystemmirrors cephfilesystemsubvolumegroups cephnfses cephnvmeofgateways cephobjectrealms "
    "cephobjectstoreaccounts cephobjectzonegroups cephobjectzones",
    "objectbucket.io": "objectbucketclaims objectbuckets",
}
UNTYPED_CRDS = {f"{name}.{group}" for group, names in UNTYPED.items() for name in names.split()}

# Gardener's and IronCore's own, which are there before a region is; extensions' configurations travel in a Shoot.
GIVEN = re.compile(r".*\.(metal\.ironcore\.dev|.*extensions\.gardener\.cloud)")


def test_every_kind_that_comes_with_a_chart_is_typed_or_known_not_to_be() -> None:
    brought = {crd for entry in CATALOG.entries for crd in entry.crds}
    assert sorted(brought - TYPED.keys() - UNTYPED_CRDS) == [], "a misspelt name, or a kind that nobody thought of"
    assert sorted(UNTYPED_CRDS - brought) == [], "listed and brought by nobody"
    assert sorted(UNTYPED_CRDS & TYPED.keys()) == [], "listed as untyped, and typed since"


def test_every_kind_that_the_program_can_write_comes_with_a_chart() -> None:
    brought = {crd for entry in CATALOG.entries for crd in entry.crds}
    assert sorted(crd for crd in TYPED.keys() - brought if not GIVEN.fullmatch(crd)) == []


# Charts whose version is that of the operator, and so of the schema in the lock file.
SAME_VERSION = [
    "flux-operator",
    "cert-manager",
    "external-secrets",
    "mariadb-operator-crds",
    "rabbitmq-cluster-operator",
    "memcached-operator",
    "k-orc",
    "rook-ceph",
]


@pytest.mark.parametrize("name", SAME_VERSION)
def test_a_chart_s_range_has_the_version_whose_kinds_are_typed(name: str) -> None:
    entry = CATALOG.by_name[name]
    modules = {TYPED[crd] for crd in entry.crds if crd in TYPED}
    pinned = [one.version for one in lock.load() if isinstance(one, lock.CrdSource) and one.module in modules]
    assert len(pinned) == 1
    assert entry.versions.contains(pinned[0]), f"{pinned[0]} is typed, and Flux would install {entry.version}"


def test_the_typed_flux_is_the_one_that_is_installed() -> None:
    values: Any = CATALOG.by_name["flux-instance"].values
    assert values["instance"]["distribution"]["version"] == "2.9.x"
    assert "2.9.4" in (lock.CRDS / "lock.toml").read_text()
    assert VersionRange.parse(CATALOG.by_name["flux-instance"].version).contains("0.59.0")
