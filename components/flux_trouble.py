"""What is said when one of Flux's objects could not be made, changed or deleted, or did not become ready."""

from typing import Any

import pulumi

from access.conflict import conflict
from access.failure import interrupted, waited, words
from access.flux_status import CLUSTER_LABEL, SOURCES, explained, flux_path
from access.garden import Garden as Connection
from access.problem import Problem
from components.flux_sources import NAMESPACE
from model.region import Management

WHAT = "management cluster"


def explain(name: str, settings: Management) -> pulumi.ErrorHook:
    """Flux's words of what it could not deliver, which the provider's message lacks; else the provider's, in order."""
    told: set[str] = set()

    def said(args: pulumi.ErrorHookArgs) -> bool:
        sentence = _sentence(settings, args)
        if sentence and sentence not in told:  # a management cluster that is silent fails for all of them alike
            told.add(sentence)
            pulumi.log.error(sentence)
        return False  # not again: Flux goes on by itself

    return pulumi.ErrorHook(name, said)


def _sentence(settings: Management, args: pulumi.ErrorHookArgs) -> str | None:
    inputs: dict[str, Any] = dict(args.new_inputs or args.old_inputs or {})
    metadata: dict[str, Any] = inputs.get("metadata", {})
    if interrupted(args.errors):
        return None
    if taken := conflict(f"{inputs.get('kind')} {args.name}", " ".join(args.errors)):
        return taken
    path = flux_path(inputs["apiVersion"], inputs["kind"], metadata.get("namespace", NAMESPACE), metadata["name"])
    try:
        found = Connection.of(settings.kubeconfig, what=WHAT).get(path)
    except Problem as problem:
        return str(problem)
    if args.failed_operation != "delete" and waited(args.errors):
        return explained(found, settings.ready_within) if found is not None else None
    return refused(inputs, args)


def refused(inputs: dict[str, Any], args: pulumi.ErrorHookArgs) -> str:
    """It is not that Flux was slow: the management cluster did not take it, or does not let it go."""
    kind, metadata = inputs["kind"], inputs["metadata"]
    name, namespace = metadata["name"], metadata.get("namespace", NAMESPACE)
    labels: dict[str, str] = metadata.get("labels") or {}
    what = f"{kind} {name}" + ("" if kind in SOURCES else f" for cluster {labels.get(CLUSTER_LABEL, 'management')}")
    look = f"`kubectl -n {namespace} describe {kind.lower()} {name}` in the management cluster shows it"
    if args.failed_operation != "delete":
        return (
            f"{what} could not be made or changed, and what was there is as before. The management cluster says: "
            f"{words(args.errors)}. Mend what it names ({look}), then run the update again."
        )
    if waited(args.errors):
        return (
            f"{what} is not deleted yet: Flux is to take away first what it has installed, and was not done in time. "
            f"Mend what keeps it ({look}), then run the update again."
        )
    return (
        f"{what} could not be deleted, and is there as before. The management cluster says: {words(args.errors)}. Mend "
        f"what it names ({look}), then run the update again."
    )
