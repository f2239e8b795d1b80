"""The stack's README: what a person wants to know of a region, on one page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Told = Mapping[str, Any]
UNITS = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def page(region: str, clusters: Told, pools: Told, tenants: Told) -> str:
    """In Markdown, of the stack's other outputs."""
    return "\n".join([f"# Region {region}", "", *_clusters(clusters), "", *_pools(pools), *_tenants(tenants)])


def _clusters(clusters: Told) -> Iterator[str]:
    rows = [
        (name, one["kind"], one["phase"], one["kubernetesVersion"], one["apiAddress"]) for name, one in clusters.items()
    ]
    yield from _table(("Cluster", "Kind", "Phase", "Kubernetes", "API"), rows)
    yield from (
        "",
        'The way into each, by a command that keeps no credential (`eval "$(make -s env)"` makes it known):',
        "",
    )
    yield from (f"    {one['accessCommand']}" for one in clusters.values())


def _pools(pools: Told) -> Iterator[str]:
    rows = [
        (name, _nodes(one["nodes"]), _capacity(one["capacity"]), one.get("health") or "") for name, one in pools.items()
    ]
    yield from _table(("Pool", "Nodes", "Capacity", "Ceph"), rows)


def _nodes(nodes: Mapping[str, int]) -> str:
    low, high = nodes["minimum"], nodes["maximum"]
    return str(low) if low == high else f"{low} to {high}"


def _capacity(capacity: Told) -> str:
    if "vcpus" in capacity:
        return f"at least {capacity['vcpus']} vCPUs, {capacity['memoryGB']} GB" if capacity["vcpus"] else ""
    promised = f"{capacity['promised']} promised" if capacity.get("promised") else ""
    total, available = capacity.get("total"), capacity.get("available")
    there = f"{binary(available)} of {binary(total)} free" if total and available is not None else ""
    return ", ".join(part for part in (promised, there, f"{capacity['osds']} disks") if part)


def binary(count: int) -> str:
    """Bytes as a person reads them: 1.5Pi."""
    power = min(max(count.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{count / 1024**power:.1f}".removesuffix(".0") + UNITS[power]


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
