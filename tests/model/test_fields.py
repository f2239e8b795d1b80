"""Every field of the four claims acts: a changed value is seen in what is planned or derived.

A field in none of the tables in tests/fields.py fails the test, and so does an entry whose field is gone.
"""

import functools
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import get_args

import pytest
from pydantic import BaseModel

from components import Region, RegionArgs
from model import Problems, RegionSpec
from model.ceph import ceph_pools
from tests.fields import MODELS, REGION, RULE, TABLES, TENANT, base_of, with_field
from tests.recorder import record
from tests.regions import loaded
from tests.tenant_changes import changed_by, control_plane_path
from tests.tenants import Seen, changed_objects, leaves, seen_objects, seen_tenants

ROWS = [
    pytest.param(seen, claim, field, value, id=f"{claim}.{field} in {seen}")
    for seen, table in TABLES.items()
    for claim, fields in table.items()
    for field, value in fields.items()
]


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)


def leaf_fields(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Every field that holds a value of its own, by the names of the stack file."""
    for name, field in model.model_fields.items():
        here = f"{path}{field.alias or name}"
        below = next(models_in(field.annotation), None)
        if below is None:
            yield here
        else:
            yield from leaf_fields(below, f"{here}.st-b." if here.endswith(".backends") else f"{here}.")


def planned(region: RegionSpec) -> list[tuple[str, str, str]]:
    recording = record(lambda: Region(region.region, RegionArgs(spec=region)), preview=True)
    shoots = [one for one in recording if one.type.endswith(":Shoot")]  # the provider's unknown kubeconfig has no value
    return sorted(
        (one.type, one.name, f"{json.dumps(one.inputs, sort_keys=True, default=_unknown)} {one.protect}")
        for one in shoots
    )


def _unknown(_: object) -> str:
    """Each unknown value is another object, and none differs from another."""
    return "unknown"


def derived(region: RegionSpec) -> dict[str, object]:
    (tenant,) = region.open_stack_clusters
    return {"Ceph pools": [asdict(pool) for pool in ceph_pools(tenant)], "sizes": tenant.sized}


@functools.cache
def tenant_before_and_after() -> dict[str, tuple[Seen, Seen]]:
    """The tenant's objects without and with each changed field, of all fields at once."""
    fields = {field: value for table in TABLES.values() for field, value in table.get(TENANT, {}).items()}
    fields = {field: value for field, value in fields.items() if field not in RULE[TENANT]}
    specs = {f"{field}=": loaded(with_field(TENANT, field, value)) for field, value in fields.items()}
    bases = {json.dumps(base_of(field)): loaded(base_of(field)) for field in fields}
    seen = seen_tenants({**specs, **{f"base-{at}": spec for at, spec in enumerate(bases.values())}})
    of_bases = {text: seen[f"base-{at}"] for at, text in enumerate(bases)}
    return {field: (of_bases[json.dumps(base_of(field))], seen[f"{field}="]) for field in fields}


@functools.cache
def plan_of_the_base() -> list[tuple[str, str, str]]:
    return planned(loaded(REGION))


def test_every_field_of_the_four_claims_stands_in_exactly_one_table() -> None:
    for claim, model in MODELS.items():
        listed = [field for table in TABLES.values() for field in table.get(claim, {})]
        assert sorted(listed) == sorted(leaf_fields(model)), f"say for each field of {claim} where it is seen, once"


@pytest.mark.parametrize(("seen", "claim", "field", "value"), ROWS)
def test_a_changed_field_is_seen_where_its_table_says_and_nowhere_else(
    seen: str, claim: str, field: str, value: object
) -> None:
    config = with_field(claim, field, value)
    if seen == "rule":
        with pytest.raises(Problems):
            loaded(config)
        return
    changed, base = loaded(config), loaded(base_of(field) if claim == TENANT else REGION)
    assert changed.model_dump() != base.model_dump(), "the region keeps what the file says"
    before, after = derived(base), derived(changed)
    differs = {what for what in before if before[what] != after[what]}
    if claim != TENANT and planned(changed) != plan_of_the_base():
        differs.add("Shoot")
    assert differs == {seen} - {"objects"}, "a field that acts elsewhere too is one that nobody expects there"
    if claim == TENANT:
        without, with_it = tenant_before_and_after()[field]
        assert changed_objects(without, with_it) == changed_by(field, without), "these objects change and no others"
    elif seen == "objects":
        assert changed_objects(seen_objects(base), seen_objects(changed)), "as above"


# Each of them is one value of the ControlPlane, and two of the same type could be taken for each other.
VALUES = [
    pytest.param(field, value, id=field)
    for seen, table in TABLES.items()
    for field, value in table.get(TENANT, {}).items()
    if seen != "rule" and field.startswith(("sizing.", "images."))
]


@pytest.mark.parametrize(("field", "value"), VALUES)
def test_a_size_or_an_image_becomes_the_one_value_of_the_control_plane_that_is_called_so(
    field: str, value: object
) -> None:
    before, after = (values_of(seen["control-plane"]) for seen in tenant_before_and_after()[field])
    changed = {path: after.get(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed == {control_plane_path(field): [value]}


def values_of(seen: str) -> dict[str, list[object]]:
    """Every value of an object by its path, as the recorder wrote it down."""
    found: dict[str, list[object]] = {}
    for path, leaf in leaves(json.loads(seen)[1]["spec"]):
        found.setdefault(path.removeprefix("."), []).append(leaf)
    return found
