"""The provider of a cluster that is given, by a kubeconfig file that a person has."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as kubernetes

from access.login import locate
from components.options import child_opts
from components.unknown import unknown


def file_provider(  # noqa: PLR0913  (each says one thing about the cluster)
    name: str,
    path: str,
    *,
    key: str,
    what: str,
    identifier: str,
    parent: pulumi.Resource | None,
    silent: bool = False,
) -> kubernetes.Provider:
    """The kubeconfig stands in the state as a path, so no credential does.

    Without the file a preview still plans everything, as in a CI gate that has no access; an update needs it. A cluster
    that gives no answer is planned for like one that nobody has access to: as it may be, and not as if it were gone.
    """
    file = locate(path)
    if silent:
        kubeconfig: pulumi.Input[str] = unknown()
    elif file.exists():
        kubeconfig = str(file)
    elif pulumi.runtime.is_dry_run():
        pulumi.log.info(f"{path} is not here: planning without looking at {what}.", parent)
        kubeconfig = unknown()
    else:
        raise pulumi.RunError(
            f"{key} is {path}, and there is no such file: put the kubeconfig of {what} there, or name the file that it "
            "is in."
        )
    return kubernetes.Provider(name, kubeconfig=kubeconfig, cluster_identifier=identifier, opts=child_opts(parent))
