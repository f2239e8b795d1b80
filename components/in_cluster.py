"""What a component needs of a cluster that it has objects in: the options that put them there."""

from dataclasses import dataclass
from typing import Any, Protocol

import pulumi

from components.options import child_opts


class InCluster(Protocol):
    """A ClusterAccess is one; whoever has only a provider wraps it in ByProvider."""

    def options(self, parent: pulumi.Resource, **more: Any) -> pulumi.ResourceOptions: ...  # noqa: ANN401


@dataclass(frozen=True, kw_only=True)
class ByProvider:
    """A cluster that a program reaches by a provider of its own."""

    provider: pulumi.ProviderResource

    def options(self, parent: pulumi.Resource, **more: Any) -> pulumi.ResourceOptions:  # noqa: ANN401
        return child_opts(parent, provider=self.provider, **more)
