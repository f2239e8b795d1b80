"""The systems that a region delivers in a sandbox, held against what the catalogue has for each of its clusters."""

from collections.abc import Iterator
from datetime import datetime

from components.flux import releases
from model import RegionSpec
from model.catalog import ClusterKind, Release
from model.catalog.entry import GitSource
from sandbox import discovery
from sandbox.client import Manifest
from tests.sandboxes import NAMESPACE, SHOOT, Running

HELM, KUSTOMIZE = "helm.toolkit.fluxcd.io/v2", "kustomize.toolkit.fluxcd.io/v1"
HUB = "flux-system"  # where the management cluster's own releases are


def of_flux(running: Running) -> dict[tuple[str, str], Manifest]:
    """Every release by the namespace of its cluster and its name."""
    management = running.client("management")
    found = [*management.list(HELM, "HelmRelease"), *management.list(KUSTOMIZE, "Kustomization")]
    return {(one["metadata"]["namespace"], one["metadata"]["name"]): one for one in found}


def condition(one: Manifest) -> Manifest:
    return next(row for row in one["status"]["conditions"] if row["type"] == "Ready")


def since(one: Manifest) -> datetime:
    return datetime.fromisoformat(condition(one)["lastTransitionTime"])


def kinds(spec: RegionSpec) -> dict[str, ClusterKind]:
    """Of each cluster, by the namespace of its releases."""
    return {
        HUB: "management",
        spec.control_plane.name: "control-plane",
        **{pool.name: "hypervisor" for pool in spec.hypervisor_pools},
        **{pool.name: "storage" for pool in spec.storage_pools},
    }


def expected(spec: RegionSpec) -> Iterator[tuple[str, Release]]:
    rows = releases(spec)
    for namespace, kind in kinds(spec).items():
        yield from ((namespace, release) for release in rows[kind] if not release.entry.bootstrap)


def check_all_are_ready(running: Running, spec: RegionSpec) -> None:
    """Each in its cluster and namespace, and no other."""
    there, wanted = of_flux(running), list(expected(spec))
    assert sorted(there) == sorted((namespace, release.name) for namespace, release in wanted)
    clusters = _clusters(running)
    for namespace, release in wanted:
        said = condition(there[namespace, release.name])
        assert said["status"] == "True", f"{release.name} in {namespace}: {said['message']}"
        marks = running.client(clusters[namespace]).list("v1", "ConfigMap", release.namespace)
        assert mark(release) in [one["metadata"]["name"] for one in marks], (
            f"{release.name} has nothing in the namespace {release.namespace} of {clusters[namespace]}"
        )


def check_all_kinds_are_there(running: Running, spec: RegionSpec) -> None:
    """In each cluster, what the catalogue says that its systems bring; real or a stand-in."""
    clusters = _clusters(running)
    served = {
        namespace: {f"{one.plural}.{one.group}" for one in discovery.served(running.client(name))}
        for namespace, name in clusters.items()
    }
    lacking = {
        (clusters[namespace], release.name): sorted(set(release.entry.crds) - served[namespace])
        for namespace, release in expected(spec)
    }
    assert {where: names for where, names in lacking.items() if names} == {}


def _clusters(running: Running) -> dict[str, str]:
    """By the namespace of its releases, as Gardener calls it."""
    shoots = running.garden.list(SHOOT, "Shoot", NAMESPACE)
    names = {one["metadata"]["labels"]["c5c3.io/cluster"]: one["metadata"]["name"] for one in shoots}
    return {HUB: "management", **names}


def mark(release: Release) -> str:
    """The object that each chart and each folder of the sandbox's registry has."""
    if isinstance(release.source, GitSource):
        return f"{release.source.url.rpartition('/')[2].removesuffix('.git')}-manifests"
    return f"{release.name}-chart"
