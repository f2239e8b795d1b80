"""The pack as Pulumi's engine talks to it: every resource once when it is planned, all of them at the end.

Written on Pulumi's own protocol instead of pulumi-policy, which turns a mandatory policy into advice as soon as it
meets a value that is not known yet, shows stack policies what providers answered (nothing, where there is no cluster)
in place of what is planned, and decodes all resources again for each policy.
"""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime import proto
from pulumi.runtime.proto import analyzer_pb2 as messages, analyzer_pb2_grpc

from policies.exemptions import SCHEMA, ConfigError, Exemption, exemptions, lowered
from policies.objects import Object, Place, object_of, place_of
from policies.policy import Level, Policy, Scope, Severity, Violation
from policies.scene import Names, Scene
from policies.values import decode

NAME, VERSION = "cobaltcore", "1.0.0"
LARGEST = 400 * 1024 * 1024  # a whole stack is one message
LEVELS: dict[Level, int] = {
    "advisory": messages.ADVISORY,
    "mandatory": messages.MANDATORY,
    "disabled": messages.DISABLED,
}
SEVERITIES = {
    Severity.LOW: messages.POLICY_SEVERITY_LOW,
    Severity.MEDIUM: messages.POLICY_SEVERITY_MEDIUM,
    Severity.HIGH: messages.POLICY_SEVERITY_HIGH,
    Severity.CRITICAL: messages.POLICY_SEVERITY_CRITICAL,
}


@dataclass(frozen=True, kw_only=True)
class Configured:
    """A policy as the configuration wants it."""

    policy: Policy
    level: Level
    exemptions: Sequence[Exemption] = ()


class Analyzer(proto.AnalyzerServicer):
    """Remembers what is planned: at the end of a preview without a cluster, the engine knows nothing of it any more."""

    def __init__(self, policies: Sequence[Policy], today: Callable[[], date] = date.today) -> None:
        self._policies = {one.name: Configured(policy=one, level=one.level) for one in policies}
        self._today = today
        self._planned: dict[str, Object] = {}
        self._names = Names()
        self._places: dict[bytes, Place] = {}

    def GetAnalyzerInfo(self, request: Any, context: Any) -> proto.AnalyzerInfo:  # noqa: ANN401, ARG002, N802  (Pulumi's names and messages, here and below)
        return proto.AnalyzerInfo(
            name=NAME,
            displayName="CobaltCore regions",
            version=VERSION,
            supportsConfig=True,
            policies=[_info(one.policy) for one in self._policies.values()],
        )

    def GetPluginInfo(self, request: Any, context: Any) -> proto.PluginInfo:  # noqa: ANN401, ARG002, N802
        return proto.PluginInfo(version=VERSION)

    def ConfigureStack(self, request: Any, context: Any) -> proto.AnalyzerStackConfigureResponse:  # noqa: ANN401, ARG002, N802
        return proto.AnalyzerStackConfigureResponse()

    def Configure(self, request: Any, context: Any) -> empty_pb2.Empty:  # noqa: ANN401, N802
        names = {number: level for level, number in LEVELS.items()} | {messages.REMEDIATE: "mandatory"}
        try:
            for name in sorted(request.policyConfig):  # the same mistake is said first each time
                if name not in self._policies:
                    continue
                given = request.policyConfig[name]
                properties = json_format.MessageToDict(given.properties)
                policy, level = self._policies[name].policy, cast("Level", names[given.enforcementLevel])
                lowered(name, policy.level, level, properties, self._today())  # for its mistakes: `all` comes to this
                exempt = exemptions(name, properties, self._today())
                self._policies[name] = Configured(policy=policy, level=level, exemptions=exempt)
        except ConfigError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        return empty_pb2.Empty()

    def Remediate(self, request: Any, context: Any) -> proto.RemediateResponse:  # noqa: ANN401, ARG002, N802
        """Nothing is mended behind a person's back."""
        return proto.RemediateResponse()

    def Analyze(self, request: Any, context: Any) -> proto.AnalyzeResponse:  # noqa: ANN401, ARG002, N802
        one = self._planned[request.urn] = self._object(request)
        self._names.learn(one)
        self._names.tell(one)
        return self._judged(Scope.RESOURCE, Scene(objects=[one], today=self._today()))

    def AnalyzeStack(self, request: Any, context: Any) -> proto.AnalyzeResponse:  # noqa: ANN401, ARG002, N802
        objects = [self._whole(one) for one in request.resources]
        exempt = [entry for one in self._policies.values() for entry in one.exemptions]
        scene = Scene.of(objects, exempt, self._today())
        return self._judged(Scope.STACK, scene)

    def _whole(self, given: Any) -> Object:  # noqa: ANN401
        """As it was planned, with what the engine has of it now. What was never planned is only read."""
        one = self._planned.get(given.urn) or self._object(given)
        one.outputs = decode(given.properties)
        return one

    def _object(self, given: Any) -> Object:  # noqa: ANN401
        return object_of(
            urn=given.urn,
            type_=given.type,
            name=given.name,
            decoded=decode(given.properties),
            place=self._place(given.provider),
            protect=given.options.protect,
            parent=given.options.parent,
        )

    def _place(self, provider: Any) -> Place:  # noqa: ANN401
        """Hundreds of objects have the same provider, and each comes with all of it."""
        told: bytes = provider.SerializeToString(deterministic=True)
        if told not in self._places:
            place = place_of(provider.type, provider.name, provider.urn, decode(provider.properties))
            self._places[told] = place
        return self._places[told]

    def _judged(self, scope: Scope, scene: Scene) -> proto.AnalyzeResponse:
        """What cannot be read is said once. A policy that had nothing else to say has not passed for that."""
        answer = proto.AnalyzeResponse()
        unread: dict[tuple[str, str], str] = {}
        for one in self._policies.values():
            if one.policy.scope is not scope or one.level == "disabled":
                continue
            silent, said = "", 0
            for violation in one.policy.violations(scene):
                place = (violation.object.urn if violation.object else "", violation.unread)
                if violation.unread and place in unread:
                    silent = f"{violation.unread} cannot be read, which {unread[place]} says"
                    continue
                found = _diagnostic(one, violation, scene.today)
                answer.diagnostics.append(found)
                said += 1
                if found.enforcementLevel == messages.MANDATORY:
                    unread[place] = one.policy.name
            if silent and not said:
                answer.not_applicable.append(proto.PolicyNotApplicable(policy_name=one.policy.name, reason=silent))
        return answer


def serve(policies: Sequence[Policy]) -> None:
    """Tell the engine the port, and answer until it ends this process."""
    server = start(Analyzer(policies))
    sys.stdout.write(f"{server.port}\n")
    sys.stdout.flush()
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        server.stop()


@dataclass(frozen=True)
class Server:
    server: grpc.Server
    port: int

    def stop(self) -> None:
        self.server.stop(None).wait()


def start(analyzer: Analyzer) -> Server:
    """One thread: what is remembered has one writer."""
    options = [("grpc.max_receive_message_length", LARGEST), ("grpc.max_send_message_length", LARGEST)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=1), options=options)
    analyzer_pb2_grpc.add_AnalyzerServicer_to_server(analyzer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return Server(server, port)


def _diagnostic(one: Configured, violation: Violation, today: date) -> proto.AnalyzeDiagnostic:
    policy, broken = one.policy, violation.object
    address = broken.address if broken else ""
    says = f"{address}: {violation.says}" if address else violation.says
    level = one.level
    exempt = next((entry for entry in one.exemptions if entry.resource == address), None)
    if violation.waits or violation.allowed:
        level = "advisory"
    elif exempt and not exempt.expired(today):
        level = "advisory"
        says = f"{says} (Allowed until {exempt.expires}: {exempt.reason})"
    return proto.AnalyzeDiagnostic(
        policyName=policy.name,
        policyPackName=NAME,
        policyPackVersion=VERSION,
        description=policy.description,
        message=f"{policy.description}\n{says}",
        enforcementLevel=cast("Any", LEVELS[level]),
        urn=broken.urn if broken else "",
        severity=cast("Any", SEVERITIES[policy.severity]),
    )


def _info(policy: Policy) -> proto.PolicyInfo:
    schema = struct_pb2.Struct()
    schema.update(SCHEMA)
    scope = messages.POLICY_TYPE_STACK if policy.scope is Scope.STACK else messages.POLICY_TYPE_RESOURCE
    return proto.PolicyInfo(
        name=policy.name,
        displayName=policy.title,
        description=policy.description,
        enforcementLevel=cast("Any", LEVELS[policy.level]),
        severity=cast("Any", SEVERITIES[policy.severity]),
        policy_type=scope,
        remediation_steps=policy.remedy,
        tags=policy.tags,
        configSchema=proto.PolicyConfigSchema(properties=schema),
    )
