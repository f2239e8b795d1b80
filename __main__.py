"""One region per stack: Pulumi.<region>.yaml says what it is made of, components/ make it."""

import sys

import pulumi

from components import Region, RegionArgs
from model import KEYS, Problems, load

ALREADY_SAID = 32  # tells Pulumi's language host that the person has the message, and needs no second one

config = pulumi.Config("cobaltcore")
given = {key: config.get(key) if key == "region" else config.get_object(key) for key in KEYS}
try:
    spec = load({key: value for key, value in given.items() if value is not None}, f"Pulumi.{pulumi.get_stack()}.yaml")
except Problems as problems:
    pulumi.log.error(f"nothing was planned.\n{problems}")
    sys.exit(ALREADY_SAID)

region = Region(spec.region, RegionArgs(spec=spec))
pulumi.export("region", spec.region)
pulumi.export("shoots", region.shoots)
