"""The stack's README: what a person wants to know of a region, on one page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Told = Mapping[str, Any]


def page(region: str, clusters: Told, pools: Told, tenants: Told) -> str:
    """In Markdown, of the stack's other outputs."""
    return "\n".join([f"# Region {region}", "", *_clusters(clusters), "", *_pools(pools), *_tenants(tenants)])


def _clusters(clusters: Told) -> Iterator[str]:
    rows = [
        (name, one["kind"], one["phase"], one["kubernetesVersion"], one["apiAddress"]) for name, one in clusters.items()
    ]
    yield from _table(("Cluster", "Kind", "Phase", "Kubernetes", "API"), rows)
    for one in list(clusters.values())[:1]:
        yield from ("", "A kubeconfig of the first, which holds no credential:", "", f"    {one['accessCommand']}")


def _pools(pools: Told) -> Iterator[str]:
    rows = [(name, one["nodes"], _capacity(one["capacity"]), one.get("health") or "") for name, one in pools.items()]
    yield from _table(("Pool", "Nodes", "Capacity", "Ceph"), rows)


def _capacity(capacity: Told) -> str:
    if "vcpus" in capacity:
        return f"{capacity['vcpus']} vCPUs, {capacity['memoryGB']} GB" if capacity["vcpus"] else ""
    return f"{capacity.get('total') or 'as much as the disks have'}, {capacity['osds']} disks"


def _tenants(tenants: Told) -> Iterator[str]:
    if tenants:
        rows = [
            (name, one["phase"], _consumed(one), one["endpoints"].get("keystone", "")) for name, one in tenants.items()
        ]
        yield ""
        yield from _table(("Tenant", "Phase", "Pools", "Keystone"), rows)


def _consumed(tenant: Told) -> str:
    consumed = tenant["consumedPools"]
    return ", ".join(one["name"] for one in [*consumed["hypervisor"], *consumed["storage"]])


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Its columns are as wide as what stands in them, for those who read it as text."""
    texts = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in texts) for at in range(len(head))]
    for number, row in enumerate(texts):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"
