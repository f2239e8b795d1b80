"""A cluster stays where it is and keeps its servers, unless its claim consents to others."""

from collections.abc import Iterator, Mapping
from typing import Any

import pulumi

from model.pools import Cluster, ControlPlane

Inputs = Mapping[str, Any]


def keep(name: str, claim: Cluster) -> pulumi.ResourceHook:
    """Asked before every change of the Shoot, in a preview too; what it refuses is not sent to Gardener."""

    def look(args: pulumi.ResourceHookArgs) -> None:
        old, new = _spec(args.old_inputs), _spec(args.new_inputs)
        refused = [*_moved(claim, old, new), *_exchanged(claim, old, new)]
        if refused:
            raise pulumi.RunError("\n".join(refused))

    return pulumi.ResourceHook(name, look, pulumi.ResourceHookOptions(on_dry_run=True))


def _moved(claim: Cluster, old: Inputs, new: Inputs) -> Iterator[str]:
    if old["region"] != new["region"]:
        yield (
            f"{claim.name}: region changes from {old['region']} to {new['region']}, and Gardener moves no cluster: "
            "describe a new one there, and move to it."
        )


def _exchanged(claim: Cluster, old: Inputs, new: Inputs) -> Iterator[str]:
    """Gardener would exchange the servers one after the other, and with each what its disks hold."""
    if isinstance(claim, ControlPlane) or not claim.deletion_protection:
        return
    was, becomes = _servers(old), _servers(new)
    if was != becomes:
        yield (
            f"{claim.name}: ironcore changes from {' of '.join(was)} to {' of '.join(becomes)}, which exchanges every "
            "server of the pool, with what runs on it and lies on its disks: add a new pool of the new servers and "
            f"move to it. To consent all the same, set deletionProtection of {claim.name} to false."
        )


def _spec(inputs: Inputs | None) -> Inputs:
    found: Inputs = (inputs or {})["spec"]
    return found


def _servers(spec: Inputs) -> tuple[str, str]:
    """Machine class, and the machine pool by whose label Gardener finds its servers."""
    worker: Inputs = spec["provider"]["workers"][0]
    labels: Mapping[str, str] = worker["providerConfig"]["extraServerLabels"]
    return worker["machine"]["type"], " ".join(labels.values())
