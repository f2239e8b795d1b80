"""What holds for every component, those that somebody adds tomorrow included."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pulumi
import pytest

import components
from components.options import child_opts
from tests.plans import made
from tests.recorder import Recording, record
from tests.regions import loaded, small, small_tenant
from tests.tenants import OWN, recorded


def all_components() -> Iterator[type[pulumi.ComponentResource]]:
    for module in pkgutil.iter_modules(components.__path__):
        for _, found in inspect.getmembers(importlib.import_module(f"components.{module.name}"), inspect.isclass):
            own = found.__module__ == f"components.{module.name}"
            if issubclass(found, pulumi.ComponentResource) and own and not found.__subclasses__():
                yield found


def outputs(component: type[Any]) -> set[str]:
    """What it and what it is made of are annotated with; names with _ are its own affair."""
    ours = [one for one in component.__mro__ if one.__module__.startswith("components.")]
    return {name for one in ours for name in inspect.get_annotations(one) if not name.startswith("_")}


COMPONENTS = sorted(all_components(), key=lambda one: one.__name__)
TENANT = small_tenant(
    name="customer",
    services={"manila": True},
    storage={"ceph": {"filesystem": {"enabled": True}, "objectStore": {"enabled": True}}},
)
every = pytest.mark.parametrize("component", COMPONENTS, ids=lambda one: one.__name__)


@pytest.fixture(name="region", scope="module")
def made_region(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return _recorded(tmp_path_factory.mktemp("garden") / "garden.yaml")


def _recorded(file: Path) -> Recording:
    """The small region with a tenant, which stands beside it as long as a Region makes none."""
    recording = made(small(), file)
    recording.extend(one for one in recorded(loaded(small(openStackClusters=[TENANT]))) if one.type != OWN)
    return recording


@every
def test_its_arguments_are_typed_and_frozen(component: type[Any]) -> None:
    parameters = list(inspect.signature(component.__init__, eval_str=True).parameters.values())
    assert [one.name for one in parameters] == ["self", "name", "args", "opts"]
    args = parameters[2].annotation
    assert args.__name__ == f"{component.__name__}Args"
    assert dataclasses.is_dataclass(args)
    assert vars(args)["__dataclass_params__"].frozen
    assert all(field.kw_only for field in dataclasses.fields(args))


@every
def test_it_is_in_the_public_package(component: type[Any]) -> None:
    assert component.__name__ in components.__all__
    assert f"{component.__name__}Args" in components.__all__


@every
def test_its_annotated_outputs_are_those_that_it_registers(component: type[Any], region: Recording) -> None:
    token = f"cobaltcore:index:{component.__name__}"
    for one in region.of_type(token):
        assert one.outputs.keys() == outputs(component), f"{one.name}"
    assert region.of_type(token), "the small region has one of each"


def test_component_types_are_the_identity_of_what_runs(region: Recording) -> None:
    types = {one.type for one in region if not one.custom}
    assert types == {f"cobaltcore:index:{one.__name__}" for one in COMPONENTS}
    assert all(re.fullmatch(r"cobaltcore:index:[A-Z][A-Za-z]+", token) for token in types)


def test_every_object_has_a_parent_an_explicit_provider_and_an_explicit_name(region: Recording) -> None:
    names = [one.name for one in region]
    assert len(names) == len(set(names)), "one name, one thing"
    for one in region:
        if one.custom and not one.type.startswith("pulumi:providers:"):
            assert one.provider, f"{one.name} would use whatever kubeconfig is at hand"
            assert "name" in one.inputs["metadata"], f"{one.name} would get a random name"
        if not one.type.endswith("Region"):
            assert one.parent, f"{one.name} belongs to nobody"


def test_another_name_of_a_component_is_its_own_and_not_its_children_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an alias a component is renamed, and Pulumi itself then finds its children; handed on, each would have it."""
    for component in COMPONENTS:
        monkeypatch.setattr(component, "__init__", _known_before(component))
    region = _recorded(tmp_path / "garden.yaml")
    for one in region:
        assert one.aliases == (() if one.custom else (f"{one.name}-before",)), f"{one.type} {one.name}"
    assert {one.type.rpartition(":")[2] for one in region if one.aliases} == {one.__name__ for one in COMPONENTS}


def _known_before(component: type[Any]) -> Callable[..., None]:
    made: Callable[..., None] = component.__init__

    def init(self: pulumi.Resource, name: str, args: object, opts: pulumi.ResourceOptions | None = None) -> None:
        alias = pulumi.ResourceOptions(aliases=[pulumi.Alias(name=f"{name}-before")])
        made(self, name, args, pulumi.ResourceOptions.merge(opts, alias))

    return init


def test_a_child_that_was_called_otherwise_says_so_and_its_siblings_do_not() -> None:
    def program() -> None:
        own = pulumi.ComponentResource("test:index:Own", "own")
        before = [pulumi.Alias(name="own-old")]
        for name, aliases in (("own-new", before), ("own-other", [])):
            pulumi.ComponentResource("test:index:Child", name, None, child_opts(own, aliases=aliases))

    found = record(program)
    assert (found.named("own-new").aliases, found.named("own-other").aliases) == (("own-old",), ())


def test_a_child_is_called_after_its_parent(region: Recording) -> None:
    for one in region:
        parent = one.parent.rpartition("::")[2]
        if one.custom:
            assert one.name.startswith(f"{parent}-"), f"{one.name} is below {parent}"


def test_only_the_entry_of_the_program_reads_configuration() -> None:
    for file in Path(components.__file__).parent.glob("*.py"):
        assert "pulumi.Config" not in file.read_text(), f"{file.name} is to be handed what it needs"
