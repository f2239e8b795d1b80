"""What a program registers, with the resource options that Pulumi's own mocks do not show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pulumi
from pulumi.runtime import rpc, settings
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
    deleted_with: str = ""
    replace_with: tuple[str, ...] = ()
    retain: bool = False
    timeout: str = ""
    on_error: tuple[str, ...] = ()
    before_update: tuple[str, ...] = ()
    ignore_changes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Names or URNs under which it was known before."""
    outputs: Inputs = field(default_factory=dict[str, Any])


class Recording(list[Registered]):
    hooks: dict[str, pulumi.ErrorHook]
    guards: dict[str, pulumi.ResourceHook]
    reads: list[Registered]

    def __init__(self) -> None:
        super().__init__()
        self.hooks, self.guards, self.reads = {}, {}, []

    def named(self, name: str) -> Registered:
        found = [resource for resource in self if resource.name == name]
        assert len(found) == 1, f"one resource is called {name}, not {len(found)}; there are {[r.name for r in self]}"
        return found[0]

    def of_type(self, token: str) -> list[Registered]:
        return [resource for resource in self if resource.type == token]

    def register_error_hook(self, hook: pulumi.ErrorHook) -> None:
        """What Pulumi's callback server would do."""
        self.hooks[hook.name] = hook

    def register_resource_hook(self, hook: pulumi.ResourceHook) -> None:
        self.guards[hook.name] = hook


@dataclass(frozen=True, kw_only=True)
class _Echo(Mocks):
    """Every resource comes out as it went in, with what its server adds, by the type."""

    adds: Mapping[str, Inputs]

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, Inputs]:
        return f"{args.name}-id", {**cast("Any", args).inputs, **self.adds.get(args.typ, {})}

    def call(self, args: MockCallArgs) -> tuple[Inputs, list[tuple[str, str]] | None]:
        raise AssertionError(f"the program called {args.token}: a plan asks nothing of the outside")


class _Recorder(MockMonitor):
    def __init__(self, adds: Mapping[str, Inputs]) -> None:
        super().__init__(_Echo(adds=adds))
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
                    deleted_with=request.deletedWith,
                    replace_with=tuple(request.replace_with),
                    retain=request.retainOnDelete,
                    timeout=request.customTimeouts.create,
                    on_error=tuple(request.hooks.on_error),
                    before_update=tuple(request.hooks.before_update),
                    ignore_changes=tuple(request.ignoreChanges),
                    aliases=(*request.aliasURNs, *(one.urn or one.spec.name for one in request.aliases)),
                )
            )
        return cast("Any", super()).RegisterResource(request)

    def ReadResource(self, request: Any) -> Any:  # noqa: N802, ANN401  (as above)
        self.recording.reads.append(
            Registered(
                type=request.type,
                name=request.name,
                inputs={"id": request.id},
                parent=request.parent,
                provider=request.provider,
                protect=False,
                custom=True,
                depends_on=tuple(request.dependencies),
            )
        )
        return cast("Any", super()).ReadResource(request)

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802, ANN401  (as above)
        found = next((one for one in self.recording if request.urn.endswith(f"{one.type}::{one.name}")), None)
        if found:
            found.outputs.update(rpc.deserialize_properties(request.outputs, keep_unknowns=True))
        return cast("Any", super()).RegisterResourceOutputs(request)


def record(
    build: Callable[[], object], *, preview: bool = False, adds: Mapping[str, Inputs] | None = None
) -> Recording:
    """Run a program, or a part of one, to its end and return all that it registered.

    `adds` is what servers add to the objects of a type, such as a status.
    """
    recorder = _Recorder(adds or {})
    set_mocks(recorder.mocks, project="cobaltcore", stack="test", preview=preview, monitor=recorder)
    cast("Any", settings.SETTINGS).callbacks = recorder.recording  # Pulumi's mocks have no server for hooks

    def program() -> pulumi.Output[None]:
        build()
        return pulumi.Output.from_input(None)

    run: Callable[[Callable[[], object]], Callable[[], None]] = cast("Any", pulumi.runtime).test
    run(program)()
    return recorder.recording
