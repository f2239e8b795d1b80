"""What the sandbox's registry holds: the catalogue, each system at a version that its range accepts."""

from model.catalog import Catalog
from model.catalog.entry import Entry, GitSource
from sandbox.charts import Chart, Manifests

Ware = Chart | Manifests


def of(catalog: Catalog) -> list[Ware]:
    return [of_entry(entry) for entry in catalog.entries]


def of_entry(entry: Entry) -> Ware:
    source = entry.source
    if isinstance(source, GitSource):
        return Manifests(source=source.url, path=source.path, version=source.commit, crds=entry.crds)
    return Chart(
        source=source.url if source else None,
        name=entry.chart_name,
        version=str(entry.versions.lowest),
        crds=entry.crds,
    )
