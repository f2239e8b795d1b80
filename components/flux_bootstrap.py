"""Flux itself, which the program brings, since there is no Flux yet that could."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes

from components.flux_chart import OPERATOR, FluxChart
from components.options import child_opts
from components.readiness import patience, waiting
from model.catalog import Release

API = "fluxcd.controlplane.io/v1"
INSTANCE = "flux"  # the one name that the operator takes
NAMESPACE = "flux-system"
OWNER, REGION_KEY = "c5c3-region", "region"  # who brings what is in the management cluster


def bootstrap(  # noqa: PLR0913  (each says one thing about the management cluster)
    name: str,
    releases: Sequence[Release],
    *,
    region: str,
    chart: FluxChart,
    provider: kubernetes.Provider,
    on_error: pulumi.ErrorHook,
    minutes: int,
    parent: pulumi.Resource,
) -> dict[str, pulumi.Resource]:
    """The operator's chart, then the instance. Both stay when the region goes: Flux takes away what Flux brought."""
    first = {one.name: one for one in releases if one.entry.bootstrap}
    operator, instance = first[OPERATOR], first["flux-instance"]
    namespace = kubernetes.core.v1.Namespace(
        f"{name}-{operator.namespace}",
        metadata={"name": operator.namespace, "annotations": {"pulumi.com/patchForce": "true"}},
        opts=child_opts(parent, provider=provider, retain_on_delete=True),
    )
    owner = kubernetes.core.v1.ConfigMap(
        f"{name}-owner",
        metadata={"name": OWNER, "namespace": NAMESPACE, "labels": {"app.kubernetes.io/managed-by": "pulumi"}},
        data={REGION_KEY: region},
        opts=child_opts(parent, provider=provider, depends_on=[namespace]),
    )
    brought = _chart(f"{name}-{operator.name}", operator, chart, provider, [namespace, owner], parent)
    made = kubernetes.apiextensions.CustomResource(
        f"{name}-{instance.name}",
        api_version=API,
        kind="FluxInstance",
        metadata={
            "name": INSTANCE,
            "namespace": instance.namespace,
            "annotations": {**waiting("FluxInstance"), "pulumi.com/patchForce": "true"},
        },
        spec=instance.values["instance"],
        opts=child_opts(
            parent,
            provider=provider,
            depends_on=[brought],
            retain_on_delete=True,
            custom_timeouts=patience("FluxInstance", minutes),
            on_error=on_error,
        ),
    )
    return {operator.name: brought, instance.name: made}


def _chart(  # noqa: PLR0913, PLR0917  (as above)
    name: str,
    operator: Release,
    chart: FluxChart,
    provider: kubernetes.Provider,
    after: Sequence[pulumi.Resource],
    parent: pulumi.Resource,
) -> pulumi.Resource:
    return kubernetes.helm.v4.Chart(
        name,
        name=operator.name,
        namespace=operator.namespace,
        chart=chart.url,
        version=chart.version,
        values=operator.values,
        plain_http=chart.insecure or None,
        opts=child_opts(parent, provider=provider, depends_on=after, retain_on_delete=True),
    )
