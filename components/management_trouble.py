"""What is said of an object in the management cluster that did not become ready and is not Flux's."""

from collections.abc import Callable
from typing import Any

import pulumi

from access.conflict import conflict
from access.failure import waited
from access.garden import Garden as Connection, Object
from access.operator_status import explained, find_in
from access.problem import Problem
from components.flux_trouble import WHAT
from components.readiness import waited_for
from model.region import Management

CLUSTER = "management"


def look(settings: Management) -> Callable[[Object], Object | None]:
    """At the object as it is there now."""

    def found(wanted: Object) -> Object | None:
        return find_in(Connection.of(settings.kubeconfig, what=WHAT), wanted)

    return found


def explain(name: str, settings: Management) -> pulumi.ErrorHook:
    """What its operator says of it."""

    def say(args: pulumi.ErrorHookArgs) -> bool:
        wanted: dict[str, Any] = dict(args.new_inputs or args.old_inputs or {})
        if taken := conflict(f"{wanted.get('kind')} {args.name}", " ".join(args.errors)):
            pulumi.log.error(taken)
        elif waited(args.errors):
            _not_ready(wanted, settings)
        return False

    return pulumi.ErrorHook(name, say)


def _not_ready(wanted: Object, settings: Management) -> None:
    try:
        found = look(settings)(wanted)
    except Problem as problem:
        pulumi.log.error(str(problem))
    else:
        if found is not None:
            pulumi.log.error(explained(found, CLUSTER, waited_for(found["kind"])))
