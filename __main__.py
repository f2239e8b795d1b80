"""One region per stack: Pulumi.<region>.yaml says what it is made of, components/ make it."""

import pulumi

from components import Region, RegionArgs
from model import KEYS, Problems, load

config = pulumi.Config("cobaltcore")
given = {key: config.get(key) if key == "region" else config.get_object(key) for key in KEYS}
try:
    spec = load({key: value for key, value in given.items() if value is not None}, f"Pulumi.{pulumi.get_stack()}.yaml")
except Problems as problems:
    raise pulumi.RunError(f"nothing was planned.\n{problems}") from None

region = Region(spec.region, RegionArgs(spec=spec))
pulumi.export("region", spec.region)
pulumi.export("shoots", region.shoots)
