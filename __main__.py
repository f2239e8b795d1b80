"""One region per stack: Pulumi.<region>.yaml says what it is made of, components/ make it."""

import sys

import pulumi

from components import Region, RegionArgs
from model import KEYS, Problems, load

config = pulumi.Config("cobaltcore")
given = {key: value for key in KEYS if (value := config.get_object(key)) is not None}
try:
    spec = load(given, f"Pulumi.{pulumi.get_stack()}.yaml")
except Problems as problems:
    sys.exit(f"{problems}\nNothing was planned.")

region = Region(spec.region, RegionArgs(spec=spec))
pulumi.export("region", spec.region)
pulumi.export("clusters", region.clusters)
