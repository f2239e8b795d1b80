"""What is said when an object in a cluster could not be made or changed, because the cluster could not be reached."""

import pulumi

from access.kubeconfig import ShootRef

REASONS = {
    "unreachable": "its API gives no answer",
    "connection refused": "its API gives no answer",
    "i/o timeout": "its API gives no answer",
    "deadline exceeded": "its API gives no answer",
    "too many requests": "its API has too much to do",
    "Unauthorized": "its API takes the credential no more",
    "provide credentials": "its API takes the credential no more",
    "getting credentials": "the garden gave no credential for it",
}


def explain(name: str, cluster: str, ref: ShootRef) -> pulumi.ErrorHook:
    """Once for each cluster: all that is in it fails for the same reason."""
    said: list[str] = []

    def say(args: pulumi.ErrorHookArgs) -> bool:
        errors = " ".join(args.errors)
        why = next((why for mark, why in REASONS.items() if mark in errors), None)
        if why is not None and why not in said:
            said.append(why)
            pulumi.log.error(sentence(cluster, ref, args.name, why))
        return False

    return pulumi.ErrorHook(name, say)


def sentence(cluster: str, ref: ShootRef, resource: str, why: str) -> str:
    return (
        f"Cluster {cluster}: {why}, so {resource} and whatever else belongs there could not be made or changed. The "
        f"cluster itself is not lost: see what Gardener says of it (`kubectl -n {ref.namespace} describe shoot "
        f"{ref.name}` in the garden), and run the update again when it is well. Remove nothing from Pulumi's state."
    )
