"""The release catalogue: every system that a region's clusters get, and the order in which they get it."""

from model.catalog.entry import Entry, ReleaseOverride
from model.catalog.releases import FOLDER, Catalog, Dependency, Release, load_catalog
from model.catalog.wanted import Wish, wanted, wishes, wishes_of
from model.catalog.words import CLUSTER_KINDS, ENVIRONMENTS, PHASES, ClusterKind

__all__ = [
    "CLUSTER_KINDS",
    "ENVIRONMENTS",
    "FOLDER",
    "PHASES",
    "Catalog",
    "ClusterKind",
    "Dependency",
    "Entry",
    "Release",
    "ReleaseOverride",
    "Wish",
    "load_catalog",
    "wanted",
    "wishes",
    "wishes_of",
]
