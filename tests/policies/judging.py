"""Planned resources as the engine sends them to the pack, and what the pack answers over its own server."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

import pulumi
from google.protobuf import struct_pb2
from pulumi.runtime import proto, rpc

from policies.analyzer import Analyzer
from policies.registry import POLICIES
from tests.recorder import Recording, Registered

Props = dict[str, Any]
UNKNOWN = rpc.UNKNOWN  # of a text; the engine has one for each kind of value
TODAY = date(2026, 11, 18)
LEVELS = {0: "advisory", 1: "mandatory"}


@dataclass
class Planned:
    """One resource of a plan, to be changed by a test."""

    urn: str
    type: str
    name: str
    props: Props
    protect: bool = False
    provider: str = ""
    """Name of its provider resource."""
    parent: str = ""
    outputs: Props = field(default_factory=dict[str, Any])

    def at(self, *path: str | int) -> Any:  # noqa: ANN401  (whatever stands there)
        found: Any = self.props
        for key in path:
            found = found[key]
        return found

    def put(self, value: Any, *path: str | int) -> None:  # noqa: ANN401  (as above)
        target: Any = self.props
        for key in path[:-1]:
            target = target.setdefault(key, {}) if isinstance(key, str) else target[key]
        target[path[-1]] = value


@dataclass(frozen=True, kw_only=True)
class Said:
    """One answer of the pack."""

    policy: str
    level: str
    says: str
    urn: str


@dataclass
class Plan:
    """What a program has registered, in its order."""

    resources: list[Planned] = field(default_factory=list[Planned])

    def find(self, kind: str, name: str, cluster: str | None = None) -> Planned:
        """In one cluster, where several have an object of that name."""
        found = [one for one in self.all(kind) if one.props.get("metadata", {}).get("name") == name]
        if cluster:
            provider = self.provider_of(cluster)
            found = [one for one in found if one.provider == provider]
        assert len(found) == 1, f"{len(found)} {kind} are called {name}: there are {self.names(kind)}"
        return found[0]

    def find_type(self, token: str) -> Planned:
        return next(one for one in self.resources if one.type == token)

    def all(self, kind: str) -> list[Planned]:
        return [one for one in self.resources if one.type.endswith(f":{kind}")]

    def names(self, kind: str) -> list[str]:
        return [one.props.get("metadata", {}).get("name", one.name) for one in self.all(kind)]

    def add(self, type_: str, name: str, props: Props, *, provider: str, protect: bool = False) -> Planned:
        urn = f"urn:pulumi:test::cobaltcore::{type_}::{name}"
        one = Planned(urn=urn, type=type_, name=name, props=props, protect=protect, provider=provider)
        self.resources.append(one)
        return one

    def copy_of(self, kind: str, name: str, new: str) -> Planned:
        """The same object once more under another name."""
        old = self.find(kind, name)
        one = copy.deepcopy(old)
        one.urn, one.name = f"{old.urn}-{new}", f"{old.name}-{new}"
        one.props["metadata"]["name"] = new
        self.resources.append(one)
        return one

    def provider_of(self, cluster: str) -> str:
        """The provider of a cluster of the region."""
        shoots = [one for one in self.all("Shoot") if one.at("metadata", "labels")["c5c3.io/cluster"] == cluster]
        names = {one.at("metadata", "name") for one in shoots}
        found = [one.name for one in self.resources if one.type.startswith("pulumi:providers") and _leads(one, names)]
        assert found, f"no provider leads to {cluster}"
        return found[0]


def _leads(one: Planned, shoots: set[str]) -> bool:
    return str(one.props.get("clusterIdentifier", "")).rpartition("/")[2] in shoots


def planned(recording: Recording) -> Plan:
    return Plan([_planned(one) for one in recording])


def _planned(one: Registered) -> Planned:
    return Planned(
        urn=_urn(f"{one.type}::{one.name}"),
        type=one.type,
        name=one.name,
        props=copy.deepcopy(one.inputs),
        protect=one.protect,
        provider=one.provider.split("::")[-2] if one.provider else "",
        parent=_urn(one.parent),
        outputs=copy.deepcopy(one.outputs),
    )


def _urn(of: str) -> str:
    """Without the types of the parents, which the recorder has not."""
    kind, _, name = of.rpartition("::")
    return f"urn:pulumi:test::cobaltcore::{kind.rpartition('::')[2].rpartition('$')[2]}::{name}" if of else ""


def sent(value: Any) -> Any:  # noqa: ANN401
    """As the engine writes it into a message: what is not known is a certain text."""
    if isinstance(value, Mapping):
        return {key: sent(one) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [sent(one) for one in cast("Sequence[Any]", value)]
    if isinstance(value, pulumi.output.Unknown):
        return UNKNOWN
    return value


def secret(value: Any) -> Props:  # noqa: ANN401
    """A value that the program has marked as secret."""
    return {rpc._special_sig_key: rpc._special_secret_sig, "value": value}  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def _struct(props: Props) -> struct_pb2.Struct:
    made = struct_pb2.Struct()
    made.update(cast("dict[str, Any]", sent(props)))
    return made


class RefusedError(Exception):
    """The pack does not take its configuration, and the engine goes no further."""


class Engine:
    """The other end of the wire."""

    def abort(self, code: object, says: str) -> None:
        raise RefusedError(f"{code}: {says}")


def judge(
    plan: Plan, config: Mapping[str, Props] | None = None, *, preview: bool = True, today: date = TODAY
) -> list[Said]:
    """All that the pack says of a plan: of each resource as it comes, then of all of them.

    At the end of a preview without a cluster, the engine has no property of any object any more, as here.
    """
    pack = Analyzer(POLICIES, lambda: today)
    if config:
        pack.Configure(configuration(config), cast("Any", Engine()))
    requests, stack = messages(plan, preview=preview)
    answers = [*(pack.Analyze(one, None) for one in requests), pack.AnalyzeStack(stack, None)]
    return [said(one) for answer in answers for one in answer.diagnostics]


def messages(plan: Plan, *, preview: bool = True) -> tuple[list[proto.AnalyzeRequest], proto.AnalyzeStackRequest]:
    """What the engine sends of a plan, by way of the wire."""
    providers = {one.name: one for one in plan.resources if one.type.startswith("pulumi:providers")}
    each = [_request(one, providers) for one in plan.resources]
    all_ = proto.AnalyzeStackRequest(resources=[_resource(one, providers, known=not preview) for one in plan.resources])
    parsed = [proto.AnalyzeRequest.FromString(one.SerializeToString()) for one in each]
    return parsed, proto.AnalyzeStackRequest.FromString(all_.SerializeToString())


def configuration(config: Mapping[str, Props]) -> proto.ConfigureAnalyzerRequest:
    request = proto.ConfigureAnalyzerRequest()
    for name, given in config.items():
        level = given.get("enforcementLevel", "mandatory")
        entry = request.policyConfig[name]
        entry.enforcementLevel = cast("Any", {"advisory": 0, "mandatory": 1, "disabled": 2}[level])
        entry.properties.update({key: value for key, value in given.items() if key != "enforcementLevel"})
    return request


def _provider(one: Planned, providers: Mapping[str, Planned]) -> proto.AnalyzerProviderResource | None:
    provider = providers.get(one.provider)
    if provider is None:
        return None
    return proto.AnalyzerProviderResource(
        type=provider.type, name=provider.name, urn=provider.urn, properties=_struct(provider.props)
    )


def _request(one: Planned, providers: Mapping[str, Planned]) -> proto.AnalyzeRequest:
    return proto.AnalyzeRequest(
        urn=one.urn,
        type=one.type,
        name=one.name,
        properties=_struct(one.props),
        options=proto.AnalyzerResourceOptions(protect=one.protect, parent=one.parent),
        provider=_provider(one, providers),
    )


def _resource(one: Planned, providers: Mapping[str, Planned], *, known: bool) -> proto.AnalyzerResource:
    return proto.AnalyzerResource(
        urn=one.urn,
        type=one.type,
        name=one.name,
        properties=_struct({**(one.props if known else {}), **one.outputs}),
        options=proto.AnalyzerResourceOptions(protect=one.protect, parent=one.parent),
        provider=_provider(one, providers),
    )


def said(one: proto.AnalyzeDiagnostic) -> Said:
    return Said(
        policy=one.policyName,
        level=LEVELS[one.enforcementLevel],
        says=one.message.partition("\n")[2],
        urn=one.urn,
    )


def mandatory(answers: Iterable[Said]) -> set[str]:
    return {one.policy for one in answers if one.level == "mandatory"}
