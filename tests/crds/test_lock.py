"""Every kind of crds/lock.toml, through the one import seam. A new row is tested by being there."""

import inspect
import json
import typing
from collections.abc import Awaitable, Mapping, Sequence
from importlib import resources
from types import ModuleType
from typing import Any, cast

import pulumi
import pulumi_kubernetes as kubernetes
import pytest

import crds
from crds.generator import lock
from tests.recorder import record

KINDS: list[dict[str, str]] = json.loads((resources.files("cobaltcore_crds") / "kinds.json").read_text())
SEAM = {version: name for name, version in crds.APIS.items()}


def module_of(row: Mapping[str, str]) -> ModuleType:
    assert row["apiVersion"] in SEAM, f"{row['apiVersion']} has no name in crds/__init__.py: nobody can import it"
    return getattr(crds, SEAM[row["apiVersion"]])


def title(row: Mapping[str, str]) -> str:
    return f"{row['kind']}.{row['apiVersion']}"


def kinds_of(source: lock.Source) -> list[str]:
    if isinstance(source, lock.CrdSource):
        return [kind for file in source.crds for kind in file.kinds]
    return source.kinds


def smallest(hint: Any) -> Any:  # noqa: ANN401  (a type hint and a value for it)
    """A value of a type, with typed arguments wherever the type has some."""
    assert not isinstance(hint, typing.ForwardRef | str), f"the hint {hint} was not resolved"
    options = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in (Sequence, list):
        return [smallest(options[0])]
    if origin in (Mapping, dict):
        return {"key": smallest(options[1])}
    if inspect.isclass(hint) and pulumi_input(hint):
        return hint(**{name: smallest(one) for name, one in required(hint).items()})
    if options:  # a union, such as Input[int]: the plain value is one of its members
        plain = [one for one in options if typing.get_origin(one) not in (Awaitable, pulumi.Output)]
        typed = [one for one in plain if inspect.isclass(one) and pulumi_input(one)]
        return smallest((typed or plain)[0])
    plain_values: dict[Any, Any] = {str: "a", int: 1, float: 1.5, bool: True}
    return plain_values.get(hint, {"free": "form"})


def pulumi_input(hint: type) -> bool:
    return bool(getattr(hint, "_pulumi_input_type", False))


def required(hint: Any) -> dict[str, Any]:  # noqa: ANN401  (a class of typed arguments)
    """The arguments without a default, and spec, which every kind should be tried with."""
    signature = inspect.signature(hint.__init__)
    names = [
        name
        for name, parameter in signature.parameters.items()
        if name != "__self__" and (parameter.default is inspect.Parameter.empty or name == "spec")
    ]
    # Pulumi's Input names Output[T] as a string.
    hints = typing.get_type_hints(hint.__init__, {**vars(pulumi.output), **vars(inspect.getmodule(hint))})
    return {name: hints[name] for name in names}


@pytest.mark.parametrize("row", KINDS, ids=title)
def test_a_kind_is_made_of_typed_arguments_and_says_what_it_is(row: dict[str, str]) -> None:
    module = module_of(row)
    arguments: Any = getattr(module, f"{row['kind']}Args", None) or getattr(module, f"{row['kind']}InitArgs")
    made = {name: smallest(hint) for name, hint in required(arguments).items()}

    def program() -> None:
        provider = kubernetes.Provider("cluster", kubeconfig="{}")
        metadata = kubernetes.meta.v1.ObjectMetaArgs(name="one")
        options = pulumi.ResourceOptions(provider=provider)
        getattr(module, row["kind"])("one", arguments(metadata=metadata, **made), opts=options)

    recorded = record(program).named("one")
    assert recorded.type == f"kubernetes:{row['apiVersion']}:{row['kind']}", "the provider finds the API by the token"
    assert recorded.inputs["apiVersion"] == row["apiVersion"]
    assert recorded.inputs["kind"] == row["kind"]
    assert recorded.inputs["metadata"] == {"name": "one"}, "the typed metadata of the Kubernetes SDK goes through"
    assert ("spec" in made) == ("spec" in recorded.inputs), "typed arguments arrive at the provider"
    assert "status" not in inspect.signature(arguments.__init__).parameters, "a status is the operator's to write"


def test_the_package_holds_exactly_the_kinds_of_the_lock_file() -> None:
    wanted = [kind for source in lock.load() for kind in kinds_of(source)]
    assert [row["kind"] for row in KINDS] == wanted, "run make setup: the generated package is of another lock file"


def test_the_seam_names_each_api_once_and_none_that_is_not_there() -> None:
    assert len(SEAM) == len(crds.APIS), "two names for one API"
    assert set(SEAM) == {row["apiVersion"] for row in KINDS}


def test_the_seam_s_types_are_the_modules_that_it_loads() -> None:
    source = inspect.getsource(crds)
    for name, version in crds.APIS.items():
        group, api = version.replace(".", "_").replace("-", "_").split("/")
        line = next(line for line in source.splitlines() if line.startswith(f"    from cobaltcore_crds.{group} import"))
        assert f"{api} as {name}" in line, f"the type checker sees another module than crds.{name} is"


def test_an_api_that_is_not_there_is_named_in_the_error() -> None:
    with pytest.raises(AttributeError, match=r"crds has no API 'gardner'; it has .*gardener"):
        cast("Any", crds).gardner  # noqa: B018


def test_aggregated_apis_have_the_scope_that_their_servers_give_them() -> None:
    scopes = {title(row): row["scope"] for row in KINDS}
    for one in ("Shoot.core.gardener.cloud/v1beta1", "CredentialsBinding.security.gardener.cloud/v1alpha1"):
        assert scopes[one] == "Namespaced"
    for one in ("CloudProfile.core.gardener.cloud/v1beta1", "Project.core.gardener.cloud/v1beta1"):
        assert scopes[one] == "Cluster", "in a namespace that its API does not have, nothing could find it"
    for one in ("MachineClass.compute.ironcore.dev/v1alpha1", "MachinePool.compute.ironcore.dev/v1alpha1"):
        assert scopes[one] == "Cluster"


def test_the_controller_gen_rows_pin_what_its_go_sum_pins() -> None:
    pinned = (lock.CRDS.parent / "tools/go/controller-gen/go.sum").read_text().splitlines()
    for source in lock.load():
        if isinstance(source, lock.TypesSource):
            assert f"{source.module} {source.version} {source.h1}" in pinned
