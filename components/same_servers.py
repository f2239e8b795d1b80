"""A cluster stays where it is and keeps its servers, unless its claim consents to others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pulumi

from model.pools import Cluster, ControlPlane

Inputs = Mapping[str, Any]
Servers = tuple[str | None, str]


def keep(name: str, claim: Cluster) -> pulumi.ResourceHook:
    """Asked before every change of the Shoot, in a preview too; what it refuses is not sent to Gardener."""

    def look(args: pulumi.ResourceHookArgs) -> None:
        old, new = _spec(args.old_inputs), _spec(args.new_inputs)
        refused = [*_moved(claim, old, new), *_exchanged(claim, old, new)]
        if refused:
            raise pulumi.RunError("\n".join(refused))

    return pulumi.ResourceHook(name, look, pulumi.ResourceHookOptions(on_dry_run=True))


def _moved(claim: Cluster, old: Inputs, new: Inputs) -> Iterator[str]:
    was, becomes = old.get("region"), new.get("region")
    if was is not None and was != becomes:
        yield (
            f"{claim.name}: region changes from {was} to {becomes}, and Gardener moves no cluster: describe a new one "
            "there, and move to it."
        )


def _exchanged(claim: Cluster, old: Inputs, new: Inputs) -> Iterator[str]:
    """Gardener would exchange the servers one after the other, and with each what its disks hold."""
    if isinstance(claim, ControlPlane) or not claim.deletion_protection:
        return
    was, becomes = _servers(old), _servers(new)
    if was is not None and was != becomes:
        yield (
            f"{claim.name}: ironcore changes from {_words(was)} to {_words(becomes)}, which exchanges every server of "
            "the pool, with what runs on it and lies on its disks: add a new pool of the new servers and move to it. "
            f"To consent all the same, set deletionProtection of {claim.name} to false."
        )


def _spec(inputs: Inputs | None) -> Inputs:
    """What is known of the Shoot: one that was imported may have come with less than this program writes."""
    return _part(inputs or {}, "spec")


def _servers(spec: Inputs) -> Servers | None:
    """Machine class, and the machine pool by whose label Gardener finds its servers; none where none are known."""
    workers: Sequence[Inputs] = _part(spec, "provider").get("workers") or ()
    if not workers:
        return None
    labels = _part(_part(workers[0], "providerConfig"), "extraServerLabels")
    return _part(workers[0], "machine").get("type"), " ".join(labels.values())


def _part(inputs: Inputs, key: str) -> Inputs:
    found: Inputs | None = inputs.get(key)
    return found or {}


def _words(servers: Servers | None) -> str:
    machine_class, pool = servers or (None, "")
    return f"{machine_class or 'no machine class'} of {pool or 'any machine pool'}"
