"""One region per stack: Pulumi.<region>.yaml says what it is made of, components/ make it."""

import sys
from pathlib import Path

import pulumi

from components import Region, RegionArgs
from components.meanwhile import tell
from model import Problems, StackFile, from_pulumi

ALREADY_SAID = 32  # tells Pulumi's language host that the person has the message, and needs no second one

root = Path(__file__).resolve().parent
try:
    spec = from_pulumi(
        pulumi.runtime.get_config_env(),
        StackFile.of(pulumi.get_stack(), root),
        root,
        secret=pulumi.runtime.get_config_secret_keys_env(),
    )
except Problems as problems:
    pulumi.log.error(f"nothing was planned.\n{problems}")
    sys.exit(ALREADY_SAID)

try:
    region = Region(spec.region, RegionArgs(spec=spec))
except pulumi.RunError as error:
    pulumi.log.error(str(error))
    sys.exit(ALREADY_SAID)
tell(spec)
pulumi.export("region", spec.region)
pulumi.export("clusters", region.clusters)
pulumi.export("pools", region.pools)
pulumi.export("tenants", region.tenants)
pulumi.export("versions", region.versions)
pulumi.export("readme", region.readme)
