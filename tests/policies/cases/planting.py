"""What several cases plant, and where."""

from typing import Any, cast

from tests.policies.judging import Plan, Planned

PLANE, POOL = "ControlPlane", "CephBlockPool"
HYPERVISORS = ("spec", "compute", "hypervisorClusters")
STORAGE = ("spec", "storage", "storageClusters")
WORKERS = ("spec", "provider", "workers", 0)
FINANCE, STAGING = "finance-prod", "customer-b-staging"


def relabel(plan: Plan, shoot: str, key: str, value: str | None) -> None:
    """On the Shoot and on its nodes, as the components do it."""
    one = plan.find("Shoot", shoot)
    for labels in (one.at("metadata", "labels"), one.at(*WORKERS).setdefault("labels", {})):
        labels.pop(key, None)
        if value is not None:
            labels[key] = value


def zones(plan: Plan, shoot: str, *names: str) -> None:
    plan.find("Shoot", shoot).put(list(names), *WORKERS, "zones")


def renamed(plan: Plan, name: str) -> None:
    """A tenant of another name with everything that it has."""
    for one in plan.resources:
        meta = one.props.get("metadata", {})
        if STAGING in str(meta):
            one.props = _replaced(one.props, name)
    plan.find(PLANE, name).put(f"openstack-{name}", "metadata", "namespace")


def _replaced(tree: Any, name: str) -> Any:  # noqa: ANN401  (whatever an object is made of)
    if isinstance(tree, dict):
        return {key: _replaced(value, name) for key, value in cast("dict[str, Any]", tree).items()}
    if isinstance(tree, list):
        return [_replaced(value, name) for value in cast("list[Any]", tree)]
    return tree.replace(STAGING, name) if isinstance(tree, str) else tree


def ceph(plan: Plan, pool: str) -> Planned:
    return next(one for one in plan.all("CephCluster") if one.name.endswith(f"{pool}-ceph"))


def coded(plan: Plan, name: str, data: int, coding: int, quota: str = "1Gi") -> None:
    chunks = {"dataChunks": data, "codingChunks": coding}
    plan.find(POOL, name).put({"erasureCoded": chunks, "quotas": {"maxSize": quota}}, "spec")


def arbiter(plan: Plan, third: str) -> None:
    """One monitor of three is there then."""
    ceph(plan, "st-pool-a").put(2, "spec", "mon", "count")
    plan.add(
        "kubernetes:ceph.cobaltcore.sap.com/v1alpha1:RemoteArbiter",
        "arbiter",
        {
            "apiVersion": "ceph.cobaltcore.sap.com/v1alpha1",
            "kind": "RemoteArbiter",
            "metadata": {"name": third, "namespace": "rook-ceph"},
            "spec": {"remoteCluster": {"name": third}, "cephCluster": {"name": "rook-ceph"}},
        },
        provider=plan.provider_of("st-pool-a"),
    )


def config_map(plan: Plan, data: dict[str, Any], kind: str = "ConfigMap", field: str = "data") -> None:
    plan.add(
        f"kubernetes:core/v1:{kind}",
        "more",
        {
            "apiVersion": "v1",
            "kind": kind,
            "metadata": {"name": "more", "namespace": "openstack-finance-prod"},
            field: data,
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


def release(plan: Plan, **spec: Any) -> Planned:  # noqa: ANN401
    chart = {"spec": {"chart": "a", "version": "1.2.3", "sourceRef": {"kind": "HelmRepository", "name": "a"}}}
    return plan.add(
        "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease",
        "release",
        {
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {"name": "more", "namespace": "hv-pool-a"},
            "spec": {"chart": chart, **spec},
        },
        provider="eu-de-1-garden",
    )


def inside(plan: Plan, api: str, kind: str, **spec: Any) -> Planned:  # noqa: ANN401
    props = {"apiVersion": api, "kind": kind, "metadata": {"name": "more", "namespace": "flux-system"}, "spec": spec}
    return plan.add(f"kubernetes:{api}:{kind}", "more", props, provider="eu-de-1-garden")
