"""The options of every child resource, in one place."""

from collections.abc import Sequence

import pulumi


def child_opts(
    parent: pulumi.Resource,
    *,
    provider: pulumi.ProviderResource | None = None,
    protect: bool | None = None,
    depends_on: Sequence[pulumi.Resource] = (),
) -> pulumi.ResourceOptions:
    """Parent and provider are said for each child; protection and dependencies only where they mean something.

    Aliases and other options of the component are not handed down: they are its own.
    """
    return pulumi.ResourceOptions(parent=parent, provider=provider, protect=protect, depends_on=list(depends_on))
