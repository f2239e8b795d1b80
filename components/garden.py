"""The connection to the garden: Gardener's API, where the Shoots of a region are objects."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from access.conflict import conflict
from access.failure import interrupted, refusal, waited
from access.garden import Garden as Connection, shoot_path
from access.kubeconfig import ShootRef
from access.problem import Problem
from access.shoot_status import CLUSTER_LABEL, explained, failed, kept, not_deleted, refused
from components.kubeconfig_file import file_provider
from components.landscape import Landscape, look
from model.region import Garden, Management
from model.words import Environment

GO_ON = "What was begun goes on in the garden: run the update again when it answers."


@dataclass(frozen=True, kw_only=True)
class GardenAccess:
    """The garden as every cluster of a region is handed it."""

    settings: Garden
    provider: kubernetes.Provider
    landscape: Landscape
    on_error: pulumi.ErrorHook
    management: Management | None = None
    environment: Environment = "production"

    def shoot(self, name: str) -> ShootRef:
        """What a credential command has to know of a Shoot."""
        return ShootRef(
            garden=self.settings.kubeconfig,
            namespace=self.settings.namespace,
            name=name,
            plugin=self.settings.credential_plugin,
            identity=self.settings.identity,
        )


def connect(  # noqa: PLR0913  (each says one thing about the region)
    name: str,
    settings: Garden,
    parent: pulumi.Resource | None = None,
    *,
    management: Management | None = None,
    environment: Environment = "production",
    landscape: Landscape | None = None,
) -> GardenAccess:
    """The one connection of a region; the garden is asked what it offers unless that is given."""
    landscape = landscape or look(settings, parent)
    return GardenAccess(
        settings=settings,
        provider=garden_provider(name, settings, parent, silent=landscape.silent),
        landscape=landscape,
        on_error=explain(f"{name}-explains", settings),
        management=management,
        environment=environment,
    )


def garden_provider(
    name: str, garden: Garden, parent: pulumi.Resource | None, *, silent: bool = False
) -> kubernetes.Provider:
    """The provider of everything that is an object in the garden.

    It has no namespace of its own: behind a garden that gives no answer, the provider would put what has none into that
    one, and plan to make all of it anew.
    """
    return file_provider(
        name,
        garden.kubeconfig,
        key="cobaltcore:garden.kubeconfig",
        what="the garden",
        identifier=garden.namespace,
        parent=parent,
        silent=silent,
    )


def explain(name: str, settings: Garden) -> pulumi.ErrorHook:
    """Say what Gardener says of a Shoot that did not become ready; the provider's own message lacks it."""

    def said(args: pulumi.ErrorHookArgs) -> bool:
        sentence = None if interrupted(args.errors) else _sentence(settings, args)
        if sentence:
            pulumi.log.error(sentence)
        return False  # not again: Gardener goes on by itself

    return pulumi.ErrorHook(name, said)


def _sentence(settings: Garden, args: pulumi.ErrorHookArgs) -> str | None:
    metadata = (args.new_inputs or args.old_inputs or {}).get("metadata", {})
    name: str = metadata["name"]
    cluster: str = metadata.get("labels", {}).get(CLUSTER_LABEL, name)
    error = args.errors[0] if args.errors else ""
    goes = args.failed_operation == "delete"
    if taken := conflict(f"Cluster {cluster} (Shoot {name})", error):
        return taken
    if not goes and refusal(error):
        return refused(name, cluster, error)
    try:
        shoot = Connection.of(settings.kubeconfig).get(shoot_path(settings.namespace, name))
    except Problem as problem:
        return f"Cluster {cluster}: nobody knows how far it is. {problem} {GO_ON}"
    if error and not waited(args.errors):
        return not_deleted(name, cluster, error) if goes else failed(name, cluster, error)
    if shoot is None:
        return None
    return kept(shoot, settings.ready_within) if goes else explained(shoot, settings.ready_within)
