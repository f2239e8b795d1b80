"""The connection to the garden: Gardener's API, where the Shoots of a region are objects."""

from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.options import child_opts
from model.region import Garden


def garden_provider(name: str, garden: Garden, parent: pulumi.Resource) -> kubernetes.Provider:
    """The kubeconfig stands in the state as a path, so no credential does.

    Without the file a preview still plans everything, as in a CI gate that has no access; an update needs it.
    """
    file = Path(garden.kubeconfig).expanduser()
    if file.exists():
        kubeconfig: pulumi.Input[str] = str(file)
    elif pulumi.runtime.is_dry_run():
        pulumi.log.info(f"{garden.kubeconfig} is not here: planning without looking at the garden.", parent)
        kubeconfig = _unknown()
    else:
        raise pulumi.RunError(
            f"cobaltcore:garden.kubeconfig is {garden.kubeconfig}, and there is no such file: put the garden's "
            "kubeconfig there, or name the file that it is in."
        )
    return kubernetes.Provider(
        name,
        kubeconfig=kubeconfig,
        cluster_identifier=garden.namespace,
        namespace=garden.namespace,
        opts=child_opts(parent),
    )


def _unknown() -> pulumi.Output[str]:
    """A value that nothing can be computed from yet."""

    async def of(value: Any) -> Any:  # noqa: ANN401
        return value

    return pulumi.Output(set(), of(""), of(value=False))
