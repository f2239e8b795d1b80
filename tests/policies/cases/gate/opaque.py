"""What hides its objects."""

from typing import Any

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import config_map, inside
from tests.policies.judging import UNKNOWN, Plan, Planned

# nothing-opaque

WITH_COMMANDS = "commands"


def other(plan: Plan, type_: str, name: str, **props: Any) -> Planned:  # noqa: ANN401
    """A resource of another package, with the provider that Pulumi makes for it."""
    plan.add(f"pulumi:providers:{type_.partition(':')[0]}", WITH_COMMANDS, {}, provider="")
    return plan.add(type_, name, props, provider=WITH_COMMANDS)


SECRET: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Secret",
    "type": "greenhouse.sap/oidc",
    "metadata": {"name": "hv-pool-a", "namespace": "c5c3"},
    "data": {"ca.crt": "Y2VydGlmaWNhdGU="},
}


@broken("nothing-opaque", "kubernetes:yaml/v2:ConfigGroup group", "cannot be seen", "write its objects as resources")
def a_group_of_yaml(plan: Plan) -> None:
    plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")


@broken("nothing-opaque", "kubernetes:yaml/v2:ConfigGroup group", "cannot be seen", "write its objects as resources")
def a_group_of_yaml_with_a_harmless_child(plan: Plan) -> None:
    """That one object is seen says nothing of the others."""
    group = plan.add("kubernetes:yaml/v2:ConfigGroup", "group", {}, provider="")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = group.urn


@broken("nothing-opaque", "kubernetes:helm.sh/v3:Release release", "cannot be seen", "let Flux deliver the chart")
def a_release_of_helm(plan: Plan) -> None:
    props = {"chart": "a", "version": "1.2.3"}
    plan.add("kubernetes:helm.sh/v3:Release", "release", props, provider="eu-de-1-garden")


@broken("nothing-opaque", "kubernetes:helm.sh/v3:Release release", "cannot be seen", "let Flux deliver the chart")
def a_release_of_helm_with_a_harmless_child(plan: Plan) -> None:
    a_release_of_helm(plan)
    release = plan.resources[-1]
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = release.urn


@broken("nothing-opaque", "command:local:Command kubectl", "cannot be seen", "write what it makes as resources")
def a_command(plan: Plan) -> None:
    other(plan, "command:local:Command", "kubectl", create="kubectl apply -f -")


@broken("nothing-opaque", "command:local:Command kubectl", "cannot be seen", "write what it makes as resources")
def a_command_with_a_harmless_child(plan: Plan) -> None:
    command = other(plan, "command:local:Command", "kubectl", create="kubectl apply -f -")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = command.urn


@broken("nothing-opaque", "pulumi-python:dynamic:Resource", "cannot be seen", "as resources")
def a_dynamic_provider(plan: Plan) -> None:
    other(plan, "pulumi-python:dynamic:Resource", "any")


@broken("nothing-opaque", "kubectl:index/manifest:Manifest", "cannot be seen", "as resources")
def a_manifest_of_another_package(plan: Plan) -> None:
    other(plan, "kubectl:index/manifest:Manifest", "any", yamlBody="kind: Deployment")


@broken("nothing-opaque", "helm:index/release:Release", "cannot be seen", "as resources")
def a_release_of_another_package(plan: Plan) -> None:
    other(plan, "helm:index/release:Release", "any", chart="a")


@broken("nothing-opaque", "cobaltcore:index:Thing", "cannot be seen", "as resources")
def a_resource_that_calls_itself_a_component_of_ours(plan: Plan) -> None:
    other(plan, "cobaltcore:index:Thing", "any")


@broken("nothing-opaque", "Chart chart", "is known only at the update, where each object is judged", level="advisory")
def flux_s_operator_of_a_cluster_that_is_not_there_yet(plan: Plan) -> None:
    props = {"chart": "oci://ghcr.io/controlplaneio-fluxcd/charts/flux-operator", "version": "0.58.1"}
    plan.add("kubernetes:helm.sh/v4:Chart", "chart", props, provider="")


@broken("nothing-opaque", "kubernetes:helm.sh/v4:Chart chart", "cannot be seen", "let Flux deliver the chart")
def another_chart(plan: Plan) -> None:
    props = {"chart": "oci://ghcr.io/others/charts/pools", "version": "1.2.3"}
    plan.add("kubernetes:helm.sh/v4:Chart", "chart", props, provider="")


@broken("nothing-opaque", "ResourceSet/more: spec.resources[0] is an object", "as resources of their own")
def a_pool_in_a_set_of_flux_s_operator(plan: Plan) -> None:
    pool = {"apiVersion": "ceph.rook.io/v1", "kind": "CephBlockPool", "metadata": {"name": "free"}}
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[{**pool, "spec": {"replicated": {"size": 1}}}])


@broken("nothing-opaque", "ResourceSet/more: spec.resources[0] is an object", "as resources of their own")
def a_key_in_a_set_of_flux_s_operator(plan: Plan) -> None:
    secret = {**SECRET, "data": {**SECRET["data"], "greenhousekubeconfig": "aGlkZGVu"}}
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[secret])


@broken("nothing-opaque", "spec.resourcesTemplate makes objects that no policy sees", "as resources of their own")
def a_template_of_objects(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resourcesTemplate="kind: Secret")


@broken("nothing-opaque", "Object/more: a Object makes objects that no policy sees", "let Flux deliver them")
def an_object_of_crossplane(plan: Plan) -> None:
    inside(plan, "kubernetes.crossplane.io/v1alpha2", "Object", forProvider={"manifest": SECRET})


@broken("nothing-opaque", "ManagedResource/more: a ManagedResource makes objects", "let Flux deliver them")
def a_managed_resource_of_gardener(plan: Plan) -> None:
    inside(plan, "resources.gardener.cloud/v1alpha1", "ManagedResource", secretRefs=[{"name": "a"}])


@broken("nothing-opaque", "Bundle/more: spec.parts[0] is an object that no policy sees", "as resources of their own")
def objects_in_an_object_of_a_kind_that_nobody_knows(plan: Plan) -> None:
    inside(plan, "example.com/v1", "Bundle", parts=[SECRET])


@broken("nothing-opaque", "spec.resources[0] is known only at the update, and is judged there", level="advisory")
def a_set_whose_objects_nobody_knows_before_the_update(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[UNKNOWN])


@fine("nothing-opaque")
def the_secret_without_a_credential_that_greenhouse_wants(plan: Plan) -> None:
    inside(plan, "fluxcd.controlplane.io/v1", "ResourceSet", resources=[SECRET])


@fine("nothing-opaque")
def a_component_of_somebody_else(plan: Plan) -> None:
    """It has no provider, and what it makes is seen."""
    component = plan.add("example:index:Component", "group", {}, provider="")
    config_map(plan, {"a": "b"})
    plan.resources[-1].parent = component.urn
