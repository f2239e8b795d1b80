"""A region as a person describes it: validated, frozen, and without any Pulumi."""

from model.load import KEYS, from_pulumi, load, stack_file
from model.places import StackFile
from model.problems import Problems
from model.region import RegionSpec

__all__ = ["KEYS", "Problems", "RegionSpec", "StackFile", "from_pulumi", "load", "stack_file"]
