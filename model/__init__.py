"""A region as a person describes it: validated, frozen, and without any Pulumi."""

from model.problems import Problems
from model.region import KEYS, RegionSpec, load

__all__ = ["KEYS", "Problems", "RegionSpec", "load"]
