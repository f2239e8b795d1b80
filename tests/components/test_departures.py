"""A tenant does not leave a region unseen: what is said while planning, and of what the clusters are asked."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pulumi
import pytest

from access.problem import Problem
from components import departures
from components.departures import Tenant, check, losses, mistakes
from components.garden import GardenAccess
from components.landscape import Landscape
from components.tenants import impossible
from model.tenant import OpenStackCluster
from tests.plans import heard
from tests.regions import loaded, small, small_tenant
from tests.tenants import CONTROL_PLANE, recorded

TENANT = small_tenant()
TWO_COMMITS = (
    "It is protected, and goes by two commits: one that sets deletionProtection to false in its entry, and after an "
    "update one that removes the entry (docs/tenants.md)."
)


def said(*leaving: Tenant, coming: str = "", why: str | None = None) -> list[str]:
    return list(mistakes(leaving, set(coming.split()), why))


def test_who_is_not_protected_and_has_nothing_may_leave() -> None:
    assert said() == []
    assert said(Tenant(name="a"), Tenant(name="b", usage={"machines": 0, "volumes": 0})) == []


def test_a_protected_tenant_is_put_back() -> None:
    assert said(Tenant(name="a", protected=True, usage={"volumes": 1})) == [
        "Tenant a would leave with this, as its entry in cobaltcore:openStackClusters is gone: put the entry back. "
        + TWO_COMMITS
    ]


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"volumes": 1}, "1 volume"),
        ({"machines": 2, "buckets": 3}, "2 machines and 3 buckets"),
        ({"shares": 1, "images": 2, "volumes": 3, "machines": 0}, "3 volumes, 2 images and 1 share"),
    ],
)
def test_a_tenant_that_has_something_is_said_with_the_counts(usage: dict[str, int], counts: str) -> None:
    (sentence,) = said(Tenant(name="a", usage=usage))
    assert sentence == (
        "Tenant a would leave with this, as its entry in cobaltcore:openStackClusters is gone: put the entry back. It "
        f"still has {counts}: move them to another tenant or delete them, and run this again when its control plane "
        "counts none (docs/tenants.md)."
    )


def test_a_renaming_is_called_one() -> None:
    (sentence,) = said(Tenant(name="a", protected=True), coming="b")
    assert sentence == (
        "Tenant a would leave and b come in its place, as no object of Ceph or OpenStack can be renamed: call it a "
        f"again. {TWO_COMMITS}"
    )
    assert "renamed" not in said(Tenant(name="a", protected=True), coming="b c")[0], "who of two would it be"


def test_what_keeps_all_tenants_from_being_made_is_the_reason_that_is_said() -> None:
    (sentence,) = said(Tenant(name="a", usage={"volumes": 2}), why="nobody has published it.")
    assert sentence.startswith(
        "Tenant a would leave with this, as no tenant is made: nobody has published it. It still has 2 volumes: move"
    )


LOSES = "Tenant a is protected, and would lose with this: {}. Put them back; or take them away by two commits, ".format
TWO_STORES: dict[str, Any] = {
    **TENANT,
    "storageClusters": ["st-pool-a", "st-pool-b"],
    "services": {"manila": True},
    "storage": {"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True}}},
}


def live_and_claimed(**changes: Any) -> tuple[Tenant, OpenStackCluster]:  # noqa: ANN401
    """A tenant as its own ControlPlane would describe it, and its claim after changes."""
    config = small()
    config["storagePools"].append({**config["storagePools"][0], "name": "st-pool-b", "ironcore": {"machinePool": "b"}})
    config["hypervisorPools"].append({**config["hypervisorPools"][0], "name": "hv-b", "ironcore": {"machinePool": "c"}})
    before = loaded({**config, "openStackClusters": [TWO_STORES]})
    (after,) = loaded({**config, "openStackClusters": [{**TWO_STORES, **changes}]}).open_stack_clusters
    (made,) = recorded(before).of_type(CONTROL_PLANE)
    return departures.tenant_of(made.inputs), after


@pytest.mark.parametrize(
    ("changes", "lost"),
    [
        (
            {"services": {"manila": True, "cinder": False}, "storageClusters": ["st-pool-a"]},
            "volumes on st-pool-a, volumes on st-pool-b, Cinder",
        ),
        ({"services": {"manila": False}}, "Manila"),
        ({"storageClusters": ["st-pool-a"]}, "volumes on st-pool-b"),
        (
            {"storageClusters": ["st-pool-b", "st-pool-a"]},
            "ephemeral on st-pool-a, filesystem on st-pool-a, images on st-pool-a",
        ),
        ({"hypervisorClusters": ["hv-b"]}, "nodes of hv-pool-a"),
        ({"size": "medium", "hypervisorClusters": ["hv-pool-a", "hv-b"]}, ""),
    ],
    ids=["cinder", "manila", "storage pool", "reordered", "hypervisor pool", "nothing"],
)
def test_a_protected_tenant_that_stays_loses_nothing(changes: dict[str, Any], lost: str) -> None:
    """Its ControlPlane would be changed before Pulumi comes to what it must not delete."""
    live, claim = live_and_claimed(**changes)
    assert [one.partition("one that")[0] for one in losses(live, claim)] == ([LOSES(lost)] if lost else [])
    assert list(losses(replace(live, protected=False), claim)) == []


def plane(name: str, *, annotations: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    metadata = {"name": name, "labels": {"c5c3.io/tenant": name}, "annotations": annotations or {}}
    metadata |= more.pop("metadata", {})
    return {"metadata": metadata, "spec": {"compute": {"hypervisorClusters": ["hv-pool-a"]}}, **more}


def share(tenant: str, machines: int) -> dict[str, Any]:
    return {"metadata": {"labels": {"c5c3.io/tenant": tenant}}, "status": {"machines": machines}}


class Clusters:
    """A garden, and the clusters of its Shoots, as their APIs answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.rows: dict[str, list[dict[str, Any]] | None] = {"eu-de-1-cp": [], "hv-pool-a": []}
        self.made = {"eu-de-1-cp", "hv-pool-a"}
        self.asked: list[str] = []
        self.file = folder / "garden.yaml"
        self.file.write_text("")
        self.silent = False

        def of(*_: object) -> Any:  # noqa: ANN401
            return SimpleNamespace(get=self._shoot)

        def entered(ref: Any) -> Any:  # noqa: ANN401
            def get(path: str) -> dict[str, Any] | None:
                self.asked.append(f"{ref.name} {path}")
                rows = self.rows[ref.name]
                if rows is None:
                    raise Problem(f"{ref.name} gives no answer.")
                return {"items": rows} if rows else None

            return SimpleNamespace(get=get)

        monkeypatch.setattr(departures.Connection, "of", of)
        monkeypatch.setattr(departures, "enter", entered)

    def _shoot(self, path: str) -> dict[str, Any] | None:
        name = path.rpartition("/")[2]
        there = [{"name": "external", "url": "https://api.example.com"}]
        return {"status": {"advertisedAddresses": there if name in self.made else []}}

    def check(self, *tenants: str, why: str | None = None) -> None:
        config = small(openStackClusters=[{**TENANT, "name": name} for name in tenants])
        spec = loaded({**config, "garden": {"kubeconfig": str(self.file)}})
        nobody: Any = None
        landscape = Landscape(silent=self.silent)
        garden = GardenAccess(settings=spec.garden, provider=nobody, landscape=landscape, on_error=nobody)
        check(spec, garden, nobody, why)


@pytest.fixture(name="clusters")
def answering(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clusters:
    return Clusters(monkeypatch, tmp_path)


PROTECTED = {"c5c3.io/deletion-protection": "true"}


def test_whoever_stays_is_let_alone_and_whoever_is_gone_already_too(clusters: Clusters) -> None:
    going = plane("b", annotations=PROTECTED, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    clusters.rows["eu-de-1-cp"] = [plane("a", annotations=PROTECTED, status={"usage": {"volumes": 5}}), going]
    clusters.check("a")
    assert clusters.asked == [
        "eu-de-1-cp /apis/c5c3.io/v1alpha1/controlplanes?labelSelector=c5c3.io/tenant,c5c3.io/region%3Deu-de-1"
    ], "the pools are asked only where somebody leaves"


def test_what_the_clusters_say_refuses_the_plan(clusters: Clusters) -> None:
    counted = plane("b", annotations={}, status={"usage": {"volumes": 2, "machines": 1}})
    clusters.rows["eu-de-1-cp"] = [plane("a", annotations=PROTECTED), counted, plane("c"), plane("d")]
    clusters.rows["hv-pool-a"] = [share("b", 3), share("d", 4), share("e", 9)]
    with pytest.raises(pulumi.RunError) as refused:
        clusters.check("new", "newer")
    first, *sentences = str(refused.value).splitlines()
    assert first == "nothing was planned, and nothing changed."
    assert [one.partition(" would")[0] for one in sentences] == ["Tenant a", "Tenant b", "Tenant d"]
    assert "It still has 3 machines and 2 volumes: " in sentences[1], "whoever counts more machines"
    assert "It still has 4 machines: " in sentences[2], "the operator of the nodes alone has counted"


def test_what_whoever_stays_would_lose_refuses_the_plan(clusters: Clusters) -> None:
    services = {"services": {"manila": {"enabled": True}}}
    clusters.rows["eu-de-1-cp"] = [{**plane("a", annotations=PROTECTED), "spec": services}]
    with pytest.raises(pulumi.RunError, match="Tenant a is protected, and would lose with this: Manila"):
        clusters.check("a")


def test_a_tenant_that_nobody_has_counted_may_leave(clusters: Clusters) -> None:
    """Rook and the operator of the nodes keep what is in use."""
    clusters.rows["eu-de-1-cp"] = [plane("a")]
    clusters.check()


def test_a_setting_by_which_all_tenants_go_is_no_silent_removal(
    clusters: Clusters, monkeypatch: pytest.MonkeyPatch
) -> None:
    clusters.rows["eu-de-1-cp"] = [plane("a", annotations=PROTECTED)]
    with pytest.raises(pulumi.RunError, match=r"as no tenant is made: nobody has published x\. It is protected"):
        clusters.check("a", why="nobody has published x.")
    clusters.rows["eu-de-1-cp"] = [plane("a")]
    warned = heard(monkeypatch, "warn")
    clusters.check("a", why="nobody has published x.")
    assert warned == ["These tenants leave with this, as no tenant is made: a. The reason: nobody has published x."]


@pytest.mark.parametrize("silent", [True, False])
def test_a_cluster_that_gives_no_answer_is_a_warning_that_says_what_holds(
    clusters: Clusters, monkeypatch: pytest.MonkeyPatch, *, silent: bool
) -> None:
    clusters.rows["eu-de-1-cp"], clusters.silent = None, silent
    warned = heard(monkeypatch, "warn")
    clusters.check()
    says = (
        "eu-de-1-cp gives no answer. Nobody looked whether a tenant would leave eu-de-1-control-plane that has data; "
        "one that is protected stays whatever comes."
    )
    assert warned == ([] if silent else [says]), "of a garden that gives no answer it has been said"


def test_a_pool_that_gives_no_answer_is_a_warning_and_the_rest_is_judged(
    clusters: Clusters, monkeypatch: pytest.MonkeyPatch
) -> None:
    clusters.rows |= {"eu-de-1-cp": [plane("a", status={"usage": {"images": 1}})], "hv-pool-a": None}
    warned = heard(monkeypatch, "warn")
    with pytest.raises(pulumi.RunError, match="It still has 1 image: "):
        clusters.check()
    assert warned == ["hv-pool-a gives no answer. Nobody looked whether machines of a run in hv-pool-a."]


def test_where_there_is_no_control_plane_yet_nobody_is_asked(clusters: Clusters) -> None:
    clusters.made.clear()
    clusters.check()
    clusters.file.unlink()
    clusters.check()
    assert clusters.asked == []


@pytest.mark.parametrize(
    ("without", "says"),
    [
        ("management", "nobody delivers the systems that they need. Name the management cluster"),
        ("chartMirror", "nobody has published hypervisor-share-operator"),
        ("secretStore", "Say so in cobaltcore:management.secretStore"),
        ("nothing", None),
    ],
)
def test_what_keeps_tenants_from_being_made_is_known_before_anything_is(without: str, says: str | None) -> None:
    management = {
        "kubeconfig": "m.yaml",
        "issuer": "https://issuer.example.com",
        "secretStore": {"server": "https://bao.example.com:8200"},
    }
    management.pop(without, None)
    given = {"management": management, "chartMirror": "oci://mirror.example.com/charts"}
    given.pop(without, None)
    why = impossible(loaded(small(**given)))
    assert why is None if says is None else says in (why or "")
