"""What is said when an object in a cluster could not be made or changed, or did not become ready."""

from typing import Any

import pulumi

from access.conflict import conflict
from access.failure import NOT_READY, interrupted, waited
from access.kubeconfig import ShootRef
from access.operator_status import explained, find
from access.problem import Problem
from components.deletion_trouble import kept
from components.readiness import READINESS, waited_for

# The first that fits: whatever the reason, the provider calls a cluster unreachable that it could not enter.
REASONS = {
    "Unauthorized": "its API takes the credential no more",
    "provide credentials": "its API takes the credential no more",
    "getting credentials": "the garden gave no credential for it",
    "too many requests": "its API has too much to do",
    "unreachable": "its API gives no answer",
    "connection refused": "its API gives no answer",
    "i/o timeout": "its API gives no answer",
    "deadline exceeded": "its API gives no answer",
}


def explain(name: str, cluster: str, ref: ShootRef) -> pulumi.ErrorHook:
    """Once for each cluster what all that is in it fails for; of each object what its operator says, or keeps."""
    told: list[str] = []

    def say(args: pulumi.ErrorHookArgs) -> bool:
        if interrupted(args.errors):
            return False
        left = kept(cluster, ref, args)
        if left is not None:
            pulumi.log.error(left)
            return False
        errors = " ".join(args.errors)
        why = next((why for mark, why in REASONS.items() if mark in errors), None)
        if taken := conflict(f"Cluster {cluster}, {args.name}", errors):
            pulumi.log.error(taken)
        elif why is None and NOT_READY in errors and waited(args.errors):
            _not_ready(args, cluster, ref)
        elif why is not None and why not in told:
            told.append(why)
            pulumi.log.error(sentence(cluster, ref, args.name, why))
        return False

    return pulumi.ErrorHook(name, say)


def sentence(cluster: str, ref: ShootRef, resource: str, why: str) -> str:
    return (
        f"Cluster {cluster}: {why}, so {resource} and whatever else belongs there could not be made or changed. The "
        f"cluster itself is not lost: see what Gardener says of it (`kubectl -n {ref.namespace} describe shoot "
        f"{ref.name}` in the garden), and run the update again when it is well. Remove nothing from Pulumi's state."
    )


def _not_ready(args: pulumi.ErrorHookArgs, cluster: str, ref: ShootRef) -> None:
    wanted: dict[str, Any] = dict(args.new_inputs or args.old_inputs or {})
    kind: str = wanted.get("kind", "")
    try:
        found = find(ref, wanted)
    except Problem as problem:
        pulumi.log.error(f"Cluster {cluster}: {args.name} is not ready, and nobody knows why. {problem}")
    else:
        if found is not None:
            pulumi.log.error(explained(found, cluster, waited_for(kind) if kind in READINESS else ""))
