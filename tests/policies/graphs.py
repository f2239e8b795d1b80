"""The documents' regions as they are planned, each made once and copied for every test that breaks something in it."""

import copy
from functools import cache
from typing import Any

from components import Region, RegionArgs
from tests.policies.judging import Plan, planned
from tests.recorder import record
from tests.regions import loaded, stack

# What a region needs to have its tenants; the names lead nowhere.
WHOLE: dict[str, Any] = {
    "management": {
        "kubeconfig": "there-is-none.yaml",
        "issuer": "https://management.example.com",
        "secretStore": {"server": "https://openbao.example.com:8200"},
    },
    "chartMirror": "oci://mirror.example.com/charts",
}


def planned_region(config: dict[str, Any]) -> Plan:
    spec = loaded({**config, **WHOLE})
    return planned(record(lambda: Region(spec.region, RegionArgs(spec=spec)), preview=True))


@cache
def _made(name: str) -> Plan:
    return planned_region(stack(name))


def region(name: str = "eu-de-1") -> Plan:
    return copy.deepcopy(_made(name))
