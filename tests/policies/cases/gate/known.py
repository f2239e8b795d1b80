"""What the gate has to know of clusters, objects and tenants."""

from tests.policies.cases.case import broken, fine
from tests.policies.cases.planting import FINANCE, PLANE, config_map, inside
from tests.policies.judging import UNKNOWN, Plan, Planned

# clusters-are-named


def provider_of(plan: Plan, name: str) -> Planned:
    return next(one for one in plan.resources if one.name == name and one.type.startswith("pulumi:providers"))


@broken("clusters-are-named", "clusterIdentifier is missing in the provider hv-pool-a-cluster", "name the cluster")
def a_provider_without_an_identifier(plan: Plan) -> None:
    del provider_of(plan, "hv-pool-a-cluster").props["clusterIdentifier"]


@broken("clusters-are-named", "ConfigMap/more", "wherever the machine's kubeconfig leads", "name the provider")
def an_object_of_the_default_provider(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.add("pulumi:providers:kubernetes", "default_4_27_0", {"version": "4.27.0"}, provider="")
    one = plan.resources.pop(-2)
    one.provider = "default_4_27_0"
    plan.resources.append(one)


@broken("clusters-are-named", "clusterIdentifier is not known before the update", "a value that the plan knows")
def an_identifier_that_nobody_knows_before_the_update(plan: Plan) -> None:
    provider_of(plan, "hv-pool-a-cluster").put(UNKNOWN, "clusterIdentifier")


@fine("clusters-are-named")
def a_default_provider_that_nobody_uses(plan: Plan) -> None:
    plan.add("pulumi:providers:kubernetes", "default_4_27_0", {"version": "4.27.0"}, provider="")


@broken("clusters-are-named", "Shoot/hv-pool-a", "cluster-kind is None", "use one of control-plane, hypervisor")
def a_cluster_of_no_kind(plan: Plan) -> None:
    del plan.find("Shoot", "hv-pool-a").at("metadata", "labels")["c5c3.io/cluster-kind"]


@broken("clusters-are-named", "Shoot/hv-pool-a", "'compute'", "use one of control-plane, hypervisor")
def a_cluster_of_a_kind_that_is_none(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").put("compute", "metadata", "labels", "c5c3.io/cluster-kind")


@broken("clusters-are-named", "Kustomization/more", "wherever the machine's kubeconfig leads", "name the provider")
def flux_s_kustomization_of_the_default_provider(plan: Plan) -> None:
    """Its group begins like that of a bundle of Kustomize."""
    one = inside(plan, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", path=".")
    one.provider = plan.add("pulumi:providers:kubernetes", "default_4", {}, provider="").name


# clusters-are-there


def elsewhere(plan: Plan, identifier: str) -> None:
    plan.add("pulumi:providers:kubernetes", "elsewhere", {"clusterIdentifier": identifier}, provider="")


@broken("clusters-are-there", "clusterIdentifier is 'garden-c5c3/st-pool-aa'", "correct the name")
def a_cluster_whose_name_is_misspelt(plan: Plan) -> None:
    elsewhere(plan, "garden-c5c3/st-pool-aa")


@broken("clusters-are-there", "clusterIdentifier is 'garden/st-pool-a'", "correct the name")
def a_cluster_of_another_namespace(plan: Plan) -> None:
    elsewhere(plan, "garden/st-pool-a")


@broken("clusters-are-there", "clusterIdentifier is '/'", "correct the name")
def a_cluster_of_no_name(plan: Plan) -> None:
    elsewhere(plan, "/")


@fine("clusters-are-there")
def a_second_provider_of_a_cluster(plan: Plan) -> None:
    elsewhere(plan, "garden-c5c3/st-pool-a")


# objects-are-known


@broken("objects-are-known", "metadata.namespace is not known before the update", "a value that the plan knows")
def a_namespace_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].put(UNKNOWN, "metadata", "namespace")


@broken("objects-are-known", "metadata is not known before the update", "a value that the plan knows")
def metadata_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].put(UNKNOWN, "metadata")


@broken("objects-are-known", "apiVersion is not known before the update", "a value that the plan knows")
def a_kind_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    plan.resources[-1].props |= {"apiVersion": UNKNOWN, "kind": UNKNOWN}


@broken("objects-are-known", "the namespace of its provider is not known", "a value that the plan knows")
def a_provider_s_namespace_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    del plan.resources[-1].at("metadata")["namespace"]
    provider = provider_of(plan, plan.resources[-1].provider)
    provider.put(UNKNOWN, "namespace")
    untouched = [one for one in plan.resources if one.provider == provider.name and one is not plan.resources[-1]]
    for one in untouched:  # what has no namespace, as a ClusterRole, would be asked for one
        one.props.setdefault("metadata", {}).setdefault("namespace", "none")


@fine("objects-are-known")
def an_object_of_the_provider_s_namespace(plan: Plan) -> None:
    config_map(plan, {"a": "b"})
    del plan.resources[-1].at("metadata")["namespace"]
    provider_of(plan, plan.resources[-1].provider).put("default", "namespace")


# tenant-facts


@broken("tenant-facts", "ControlPlane/finance-prod", "c5c3.io/size is None", "use one of small")
def a_tenant_of_no_size(plan: Plan) -> None:
    del plan.find(PLANE, FINANCE).at("metadata", "labels")["c5c3.io/size"]


@broken("tenant-facts", "ControlPlane/finance-prod", "'huge'", "use one of small")
def a_tenant_of_a_size_that_is_none(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("huge", "metadata", "labels", "c5c3.io/size")


@broken("tenant-facts", "ControlPlane/finance-prod", "'test'", "use one of production")
def an_environment_that_is_none(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("test", "metadata", "labels", "c5c3.io/environment")


@fine("tenant-facts")
def the_largest_size(plan: Plan) -> None:
    plan.find(PLANE, FINANCE).put("xlarge", "metadata", "labels", "c5c3.io/size")
