"""What a program registers, with the resource options that Pulumi's own mocks do not show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pulumi
from pulumi.runtime import rpc
from pulumi.runtime.mocks import MockCallArgs, MockMonitor, MockResourceArgs, Mocks, set_mocks

Inputs = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Registered:
    type: str
    name: str
    inputs: Inputs
    parent: str
    provider: str
    protect: bool
    custom: bool
    depends_on: tuple[str, ...]


class Recording(list[Registered]):
    def named(self, name: str) -> Registered:
        found = [resource for resource in self if resource.name == name]
        assert len(found) == 1, f"one resource is called {name}, not {len(found)}; there are {[r.name for r in self]}"
        return found[0]

    def of_type(self, token: str) -> list[Registered]:
        return [resource for resource in self if resource.type == token]


class _Echo(Mocks):
    """Every resource comes out as it went in."""

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, Inputs]:
        return f"{args.name}-id", cast("Any", args).inputs

    def call(self, args: MockCallArgs) -> tuple[Inputs, list[tuple[str, str]] | None]:
        raise AssertionError(f"the program called {args.token}: a plan asks nothing of the outside")


class _Recorder(MockMonitor):
    def __init__(self) -> None:
        super().__init__(_Echo())
        self.recording = Recording()

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802, ANN401  (Pulumi's name and its generated message)
        if request.type != "pulumi:pulumi:Stack":
            self.recording.append(
                Registered(
                    type=request.type,
                    name=request.name,
                    inputs=rpc.deserialize_properties(request.object, keep_unknowns=True),
                    parent=request.parent,
                    provider=request.provider,
                    protect=request.protect,
                    custom=request.custom,
                    depends_on=tuple(request.dependencies),
                )
            )
        return cast("Any", super()).RegisterResource(request)


def record(build: Callable[[], object], *, preview: bool = False) -> Recording:
    """Run a program, or a part of one, to its end and return all that it registered."""
    recorder = _Recorder()
    set_mocks(recorder.mocks, project="cobaltcore", stack="test", preview=preview, monitor=recorder)

    def program() -> pulumi.Output[None]:
        build()
        return pulumi.Output.from_input(None)

    run: Callable[[Callable[[], object]], Callable[[], None]] = cast("Any", pulumi.runtime).test
    run(program)()
    return recorder.recording
