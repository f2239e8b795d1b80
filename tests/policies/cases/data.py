"""What happens to data."""

import copy
from typing import Any, cast

from tests.policies.cases import broken, fine
from tests.policies.judging import UNKNOWN, Plan, Planned, secret

POOL = "CephBlockPool"

# stateful-is-protected


@broken("stateful-is-protected", "CephBlockPool/finance-prod-volumes", "not protected", "set the option protect")
def an_unprotected_pool(plan: Plan) -> None:
    """The example of the documents."""
    plan.find(POOL, "finance-prod-volumes").protect = False


@broken("stateful-is-protected", "Shoot/st-pool-a", "not protected", "deletionProtection")
def an_unprotected_storage_cluster(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").protect = False


@broken("stateful-is-protected", "st-pool-b/rook-ceph/CephCluster/rook-ceph", "not protected", "set the option protect")
def an_unprotected_ceph_cluster(plan: Plan) -> None:
    next(one for one in plan.all("CephCluster") if "st-pool-b" in one.provider).protect = False


@broken("stateful-is-protected", "MariaDB/openstack-db", "not protected", "set the option protect")
def a_database_of_its_own(plan: Plan) -> None:
    plan.add(
        "kubernetes:k8s.mariadb.com/v1alpha1:MariaDB",
        "database",
        {
            "apiVersion": "k8s.mariadb.com/v1alpha1",
            "kind": "MariaDB",
            "metadata": {"name": "openstack-db", "namespace": "openstack-finance-prod"},
            "spec": {"replicas": 3},
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


@broken("stateful-is-protected", "RabbitmqCluster/queue", "not protected", "set the option protect")
def a_queue_of_its_own(plan: Plan) -> None:
    api = "rabbitmq.com/v1beta1"
    metadata = {"name": "queue", "namespace": "openstack-finance-prod"}
    props = {"apiVersion": api, "kind": "RabbitmqCluster", "metadata": metadata, "spec": {"replicas": 3}}
    provider = plan.provider_of("eu-de-1-control-plane")
    plan.add(f"kubernetes:{api}:RabbitmqCluster", "queue", props, provider=provider)


@broken("stateful-is-protected", "Shoot/st-pool-a", 'is "true"', "leave the annotation out")
def a_storage_cluster_that_gardener_may_delete(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").put("true", "metadata", "annotations", "confirmation.gardener.cloud/deletion")


@fine("stateful-is-protected")
def an_unprotected_hypervisor_pool(plan: Plan) -> None:
    plan.find("Shoot", "hv-pool-a").protect = False


# namespaces-are-protected


def namespace(plan: Plan, name: str, pool: str, *, protect: bool = False) -> None:
    props = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    plan.add("kubernetes:core/v1:Namespace", name, props, provider=plan.provider_of(pool), protect=protect)


@broken("namespaces-are-protected", "Namespace/rook-ceph", "would go the Ceph", "set the option protect")
def the_namespace_of_a_ceph_cluster(plan: Plan) -> None:
    namespace(plan, "rook-ceph", "st-pool-a")


@broken("namespaces-are-protected", "Namespace/openstack-finance-prod", "the ControlPlane finance-prod", "deletionProt")
def the_namespace_of_a_control_plane(plan: Plan) -> None:
    plan.find("Namespace", "openstack-finance-prod", "eu-de-1-control-plane").protect = False


@broken("namespaces-are-protected", "Namespace/databases", "the PersistentVolumeClaim data", "set the option protect")
def the_namespace_of_a_volume(plan: Plan) -> None:
    namespace(plan, "databases", "eu-de-1-control-plane")
    metadata = {"name": "data", "namespace": "databases"}
    props = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata}
    provider = plan.provider_of("eu-de-1-control-plane")
    plan.add("kubernetes:core/v1:PersistentVolumeClaim", "data", props, provider=provider, protect=True)


@fine("namespaces-are-protected")
def a_namespace_with_nothing_in_it(plan: Plan) -> None:
    namespace(plan, "empty", "st-pool-a")
    namespace(plan, "openstack-finance-prod", "st-pool-b")


# replication

SIZE = ("spec", "replicated", "size")


@broken("replication", "CephBlockPool/customer-a-prod-images", "is 11", "use at most 10")
def more_copies_than_nodes(plan: Plan) -> None:
    plan.find(POOL, "customer-a-prod-images").put(11, *SIZE)


@broken("replication", "CephBlockPool/customer-a-prod-volumes", "is 1 in production", "use 2 or more")
def one_copy_in_production(plan: Plan) -> None:
    one = plan.find(POOL, "customer-a-prod-volumes")
    one.put({"size": 1, "requireSafeReplicaSize": False}, "spec", "replicated")


@broken("replication", "CephBlockPool/team-a-prod-images", "replicated.size is missing", "write how many copies")
def copies_that_nobody_names(plan: Plan) -> None:
    del plan.find(POOL, "team-a-prod-images").at("spec")["replicated"]


@broken("replication", "CephBlockPool/team-b-staging-images", "with one copy, which Rook refuses", "set it to false")
def one_safe_copy(plan: Plan) -> None:
    plan.find(POOL, "team-b-staging-images").put(1, *SIZE)


@broken("replication", "CephBlockPool/team-a-prod-images", "over its 2 zones", "use at most 2")
def more_copies_than_zones(plan: Plan) -> None:
    plan.find("Shoot", "st-pool-a").put(["a", "b"], "spec", "provider", "workers", 0, "zones")
    plan.find(POOL, "team-a-prod-images").put("zone", "spec", "failureDomain")


@broken(
    "replication", "CephBlockPool/team-a-prod-images", "is not known before the update", "a value that the plan knows"
)
def copies_that_nobody_knows_before_the_update(plan: Plan) -> None:
    plan.find(POOL, "team-a-prod-images").put(UNKNOWN, *SIZE)


@broken("replication", "CephFilesystem/team-a-prod-cephfs", "dataPools[1].replicated.size is 1", "use 2 or more")
def one_copy_of_files(plan: Plan) -> None:
    three, one = {"replicated": {"size": 3}}, {"replicated": {"size": 1}}
    plan.add(
        "kubernetes:ceph.rook.io/v1:CephFilesystem",
        "files",
        {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephFilesystem",
            "metadata": {"name": "team-a-prod-cephfs", "namespace": "rook-ceph"},
            "spec": {"metadataPool": three, "dataPools": [three, one]},
        },
        provider=plan.find(POOL, "team-a-prod-images").provider,
        protect=True,
    )


def coded(plan: Plan, name: str, data: int, coding: int, quota: str = "1Gi") -> None:
    chunks = {"dataChunks": data, "codingChunks": coding}
    plan.find(POOL, name).put({"erasureCoded": chunks, "quotas": {"maxSize": quota}}, "spec")


@broken("replication", "CephBlockPool/customer-a-prod-volumes", "is 3 of 11 chunks", "10 nodes: use at most 10")
def more_chunks_than_nodes(plan: Plan) -> None:
    """Each of the chunks, of data and of coding, wants a node of its own."""
    coded(plan, "customer-a-prod-volumes", 8, 3)


@fine("replication")
def as_many_chunks_as_nodes(plan: Plan) -> None:
    coded(plan, "customer-a-prod-volumes", 8, 2)


@fine("replication")
def as_many_copies_as_nodes(plan: Plan) -> None:
    plan.find(POOL, "customer-a-prod-images").put(10, *SIZE)


@fine("replication")
def one_copy_in_staging(plan: Plan) -> None:
    plan.find(POOL, "team-b-staging-images").put({"size": 1}, "spec", "replicated")


# no-key-material

CEPH_KEY = "AQ" + "b" * 36 + "=="  # as a key of Ceph looks, and is none
PRIVATE = "-----BEGIN RSA " + "PRIVATE KEY-----\nMII\n"


def config_map(plan: Plan, data: dict[str, Any], kind: str = "ConfigMap", field: str = "data") -> None:
    plan.add(
        f"kubernetes:core/v1:{kind}",
        "more",
        {
            "apiVersion": "v1",
            "kind": kind,
            "metadata": {"name": "more", "namespace": "openstack-finance-prod"},
            field: data,
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


@broken("no-key-material", "openstack-finance-prod/Secret/more", "stringData.userKey", "into OpenBao")
def a_secret_with_a_key(plan: Plan) -> None:
    """The example of the documents."""
    config_map(plan, {"userKey": "hidden"}, "Secret", "stringData")


@broken("no-key-material", "openstack-finance-prod/Secret/more", "data.userKey", "ExternalSecret")
def a_secret_that_is_marked_as_one(plan: Plan) -> None:
    config_map(plan, secret({"userKey": "aGlkZGVu"}), "Secret")


@broken("no-key-material", "openstack-finance-prod/ConfigMap/more", "data.keyring holds a key of Ceph", "into OpenBao")
def a_keyring_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"keyring": f"[client.a]\n\tkey = {CEPH_KEY}\n"})


@broken("no-key-material", "openstack-finance-prod/ConfigMap/more", "holds a private key", "into OpenBao")
def a_private_key_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"tls.pem": PRIVATE})


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_with_a_token(plan: Plan) -> None:
    provider = next(one for one in plan.resources if one.name == "hv-pool-a-cluster")
    provider.put("users:\n- name: admin\n  user:\n    token: 31ada4fd-adec-460c\n", "kubeconfig")


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_of_json_with_a_token(plan: Plan) -> None:
    provider = next(one for one in plan.resources if one.name == "hv-pool-a-cluster")
    provider.put('{"users":[{"user":{"token":"31ada4fd-adec-460c"}}]}', "kubeconfig")


@broken("no-key-material", "hv-pool-a", "kubeconfig holds a credential of a kubeconfig", "into OpenBao")
def a_kubeconfig_with_a_token_in_quotes(plan: Plan) -> None:
    provider = next(one for one in plan.resources if one.name == "hv-pool-a-cluster")
    provider.put('users:\n- name: admin\n  user: {token: "31ada4fd-adec-460c"}\n', "kubeconfig")


@broken("no-key-material", "ConfigMap/more", "data.note holds a token of OpenBao", "into OpenBao")
def a_token_of_openbao(plan: Plan) -> None:
    config_map(plan, {"note": "log in with hvs." + "c" * 24})


@broken("no-key-material", "ConfigMap/more", "data.note holds a token of OpenBao", "into OpenBao")
def a_token_of_openbao_as_it_makes_them(plan: Plan) -> None:
    config_map(plan, {"note": "s." + "c" * 24})


@broken("no-key-material", "ConfigMap/more", "data.dsn holds an address with a password", "into OpenBao")
def an_address_with_a_password(plan: Plan) -> None:
    config_map(plan, {"dsn": "mysql+pymysql://root:hunter2@db/x"})


@broken("no-key-material", "Secret/more", "metadata.annotations.last holds a key of Ceph", "into OpenBao")
def a_key_in_an_annotation_of_a_secret(plan: Plan) -> None:
    config_map(plan, {}, "Secret")
    plan.resources[-1].put({"last": f'{{"data":{{"userKey":"{CEPH_KEY}"}}}}'}, "metadata", "annotations")


@broken("no-key-material", "Secret/more", "is not known yet", "into OpenBao")
def a_secret_that_nobody_knows_before_the_update(plan: Plan) -> None:
    config_map(plan, cast("Any", UNKNOWN), "Secret", "stringData")


@fine("no-key-material")
def a_certificate_and_the_name_of_a_secret(plan: Plan) -> None:
    config_map(plan, {"ca.crt": "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n", "secretName": "a"})


@fine("no-key-material")
def what_is_like_a_key_and_is_none(plan: Plan) -> None:
    texts = ["postgres://db:5432/x", "https://a.example/b@c", "password: ${DB_PASSWORD}", "amqp://user:$(PW)@queue/"]
    more = ["token: {{ .token }}", "registry.example.com:5000/a@sha256:1", "tokenFile: /var/run/token", "us.example"]
    config_map(plan, {f"text-{at}": text for at, text in enumerate([*texts, *more])})


@fine("no-key-material")
def a_secret_with_nothing_in_it(plan: Plan) -> None:
    config_map(plan, {}, "Secret")


# no-keys-in-outputs


def outputs(plan: Plan, **told: Any) -> None:  # noqa: ANN401
    plan.find_type("cobaltcore:index:Region").outputs = told


@broken("no-keys-in-outputs", "the output ceph.keyring holds a key of Ceph", "name of its Secret")
def a_key_among_the_outputs(plan: Plan) -> None:
    outputs(plan, ceph={"keyring": f"key = {CEPH_KEY}"})


@broken("no-keys-in-outputs", "the output adminPassword holds what is called a secret", "name of its Secret")
def a_password_among_the_outputs(plan: Plan) -> None:
    outputs(plan, adminPassword="hidden")


@broken("no-keys-in-outputs", "the output clusters[0] holds a private key", "name of its Secret")
def a_secret_key_among_the_outputs(plan: Plan) -> None:
    outputs(plan, clusters=[secret(PRIVATE)])


@broken("no-keys-in-outputs", "the output adminPassword.value holds what is called a secret", "name of its Secret")
def a_password_one_level_deeper_among_the_outputs(plan: Plan) -> None:
    outputs(plan, adminPassword={"value": "hidden"})


@broken("no-keys-in-outputs", "the output passwords[0] holds what is called a secret", "name of its Secret")
def several_passwords_among_the_outputs(plan: Plan) -> None:
    outputs(plan, passwords=["hidden"])


@fine("no-keys-in-outputs")
def the_names_of_secrets_among_the_outputs(plan: Plan) -> None:
    outputs(plan, secret_names=["ceph-client-a"], secretRef="a", token=UNKNOWN)


# no-plain-passwords


def release(plan: Plan, **spec: Any) -> Planned:  # noqa: ANN401
    chart = {"spec": {"chart": "a", "version": "1.2.3", "sourceRef": {"kind": "HelmRepository", "name": "a"}}}
    return plan.add(
        "kubernetes:helm.toolkit.fluxcd.io/v2:HelmRelease",
        "release",
        {
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {"name": "more", "namespace": "hv-pool-a"},
            "spec": {"chart": chart, **spec},
        },
        provider="eu-de-1-garden",
    )


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.auth.adminPassword", "refer to a Secret")
def a_password_among_the_values(plan: Plan) -> None:
    release(plan, values={"auth": {"adminPassword": "hunter2"}})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.auth.adminPassword.value", "refer to a Secret")
def a_password_one_level_deeper(plan: Plan) -> None:
    release(plan, values={"auth": {"adminPassword": {"value": "hunter2"}}})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.passwords[1]", "refer to a Secret")
def several_passwords(plan: Plan) -> None:
    release(plan, values={"passwords": ["${A}", "hunter2"]})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.password is a secret", "refer to a Secret")
def a_password_of_digits(plan: Plan) -> None:
    release(plan, values={"password": 12345})


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.password is a secret", "refer to a Secret")
def a_password_that_begins_as_a_path_does(plan: Plan) -> None:
    release(plan, values={"password": "/Hunter2"})


@broken("no-plain-passwords", "Kustomization/more", "spec.postBuild.substitute.DB_PASSWORD", "refer to a Secret")
def a_password_in_what_flux_fills_in(plan: Plan) -> None:
    api = "kustomize.toolkit.fluxcd.io/v1"
    metadata, spec = (
        {"name": "more", "namespace": "hv-pool-a"},
        {"postBuild": {"substitute": {"DB_PASSWORD": "hunter2"}}},
    )
    props = {"apiVersion": api, "kind": "Kustomization", "metadata": metadata, "spec": spec}
    plan.add(f"kubernetes:{api}:Kustomization", "more", props, provider="eu-de-1-garden")


@broken("no-plain-passwords", "HelmRelease/more", "spec.values.env[0].value (DB_PASSWORD)", "refer to a Secret")
def a_password_in_a_variable(plan: Plan) -> None:
    release(plan, values={"env": [{"name": "DB_PASSWORD", "value": "hunter2"}]})


@broken("no-plain-passwords", "ConfigMap/more", "data.client_secret is a secret", "refer to a Secret")
def a_secret_in_a_config_map(plan: Plan) -> None:
    config_map(plan, {"client_secret": "hunter2"})


@fine("no-plain-passwords")
def references_in_place_of_passwords(plan: Plan) -> None:
    reference = {"secretKeyRef": {"name": "a", "key": "password"}}
    values = {"passwordSecret": {"name": "a"}, "secretName": "a", "tokenPath": "/var/run/token", "password": "${DB}"}
    release(plan, values={**values, "env": [{"name": "DB_PASSWORD", "valueFrom": reference}], "token": ""})


@fine("no-plain-passwords")
def the_name_of_a_key_in_a_secret(plan: Plan) -> None:
    api = "external-secrets.io/v1"
    plan.add(
        f"kubernetes:{api}:ExternalSecret",
        "brought",
        {
            "apiVersion": api,
            "kind": "ExternalSecret",
            "metadata": {"name": "brought", "namespace": "openstack-finance-prod"},
            "spec": {"data": [{"secretKey": "userKey", "remoteRef": {"key": "ceph/a", "property": "userKey"}}]},
        },
        provider=plan.provider_of("eu-de-1-control-plane"),
    )


# arbiters-elsewhere


def arbiter(plan: Plan, third: str) -> None:
    """One monitor of three is there then."""
    ceph = next(one for one in plan.all("CephCluster") if one.name.endswith("st-pool-a-ceph"))
    ceph.put(2, "spec", "mon", "count")
    plan.add(
        "kubernetes:ceph.cobaltcore.sap.com/v1alpha1:RemoteArbiter",
        "arbiter",
        {
            "apiVersion": "ceph.cobaltcore.sap.com/v1alpha1",
            "kind": "RemoteArbiter",
            "metadata": {"name": third, "namespace": "rook-ceph"},
            "spec": {"remoteCluster": {"name": third}, "cephCluster": {"name": "rook-ceph"}},
        },
        provider=plan.provider_of("st-pool-a"),
    )


def zones(plan: Plan, shoot: str, *names: str) -> None:
    plan.find("Shoot", shoot).put(list(names), "spec", "provider", "workers", 0, "zones")


@broken("arbiters-elsewhere", "RemoteArbiter/st-pool-a", "the storage pool itself", "third site", level="advisory")
def an_arbiter_in_the_pool_itself(plan: Plan) -> None:
    arbiter(plan, "st-pool-a")


@broken("arbiters-elsewhere", "RemoteArbiter/st-pool-b", "stands in eu-de-1a", "third site", level="advisory")
def an_arbiter_in_the_zone_of_the_pool(plan: Plan) -> None:
    zones(plan, "st-pool-a", "eu-de-1a", "eu-de-1b")
    zones(plan, "st-pool-b", "eu-de-1a")
    arbiter(plan, "st-pool-b")


@broken("arbiters-elsewhere", "RemoteCluster/st-pool-a", "the storage pool itself", "third site", level="advisory")
def an_arbiter_s_cluster_that_is_the_pool_itself(plan: Plan) -> None:
    arbiter(plan, "st-pool-a")
    cluster = copy.deepcopy(plan.resources[-1])
    cluster.urn, cluster.props["kind"] = f"{cluster.urn}-cluster", "RemoteCluster"
    plan.resources.append(cluster)


@fine("arbiters-elsewhere")
def an_arbiter_in_another_zone(plan: Plan) -> None:
    zones(plan, "st-pool-a", "eu-de-1a", "eu-de-1b")
    zones(plan, "st-pool-b", "eu-de-1c")
    arbiter(plan, "st-pool-b")
