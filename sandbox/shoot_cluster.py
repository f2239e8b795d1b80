"""A Shoot's own cluster, and what Gardener publishes about it in the project's namespace."""

import base64
from typing import Any

import yaml

from sandbox.api_server import NOBODY, ApiServer
from sandbox.client import Client, Manifest
from sandbox.sandbox import Sandbox
from tools.problem import Problem

CORE = "core.gardener.cloud/v1beta1"
CLUSTER_LABEL = "c5c3.io/cluster"
OUR_NAMESPACE = "garden-c5c3"
# In the groups of shoots/adminkubeconfig and shoots/viewerkubeconfig, with the rights that Gardener gives them.
GROUPS = {
    "gardener.cloud:system:admins": "cluster-admin",
    "gardener.cloud:project:admins": "cluster-admin",
    "gardener.cloud:system:viewers": "view",
    "gardener.cloud:project:viewers": "view",
}


def technical_id(shoot: Manifest) -> str:
    project = shoot["metadata"]["namespace"].removeprefix("garden-")
    return f"shoot--{project}--{shoot['metadata']['name']}"


def cluster_name(shoot: Manifest) -> str:
    """The Shoot's own name, except where that is ambiguous."""
    name: str = shoot["metadata"]["name"]
    ambiguous = shoot["metadata"]["namespace"] != OUR_NAMESPACE or name in ("garden", "management")
    return technical_id(shoot) if ambiguous else name


def aliases(shoot: Manifest) -> list[str]:
    """The cluster's name in the region, where Gardener is too narrow for it."""
    label = shoot["metadata"].get("labels", {}).get(CLUSTER_LABEL)
    return [label] if label and label != cluster_name(shoot) else []


def make(sandbox: Sandbox, shoot: Manifest) -> ApiServer:
    """Start the cluster's server; it is ready, and takes the users that Gardener knows."""
    cluster = ApiServer.new(cluster_name(shoot), sandbox.processes)
    try:
        cluster.trust_issuers(authentication(sandbox.garden.client, shoot))
        cluster.start()
        for group, role in GROUPS.items():
            cluster.client.apply(_binding(group, role))
    except BaseException:
        cluster.remove(sandbox.store)
        raise
    return cluster


def authentication(garden: Client, shoot: Manifest) -> dict[str, Any]:
    """Whose tokens the cluster takes, from the ConfigMap that the Shoot names."""
    name = authentication_name(shoot)
    if name is None:
        return NOBODY
    found = garden.get("v1", "ConfigMap", name, shoot["metadata"]["namespace"])
    text: str | None = (found or {}).get("data", {}).get("config.yaml")
    if text is None:
        raise Problem(f"structuredAuthentication names the ConfigMap {name}, and there is none with a key config.yaml.")
    return yaml.safe_load(text)


def authentication_name(shoot: Manifest) -> str | None:
    server: Manifest = shoot["spec"]["kubernetes"].get("kubeAPIServer") or {}
    authentication: Manifest = server.get("structuredAuthentication") or {}
    return authentication.get("configMapName")


def publish(garden: Client, shoot: Manifest, cluster: ApiServer) -> None:
    """What gardener-apiserver needs to answer shoots/adminkubeconfig."""
    client, trust = cluster.trust.client.pair, cluster.trust.cluster.pair
    secret = _published(shoot, CORE, "InternalSecret", "ca-client")
    garden.apply({**secret, "data": {"ca.crt": _data(client.certificate), "ca.key": _data(client.key)}})
    config_map = _published(shoot, "v1", "ConfigMap", "ca-cluster")
    garden.apply({**config_map, "data": {"ca.crt": trust.certificate.decode()}})


def unpublish(garden: Client, shoot: Manifest) -> None:
    garden.delete(_published(shoot, CORE, "InternalSecret", "ca-client"))
    garden.delete(_published(shoot, "v1", "ConfigMap", "ca-cluster"))


def addresses(cluster: ApiServer) -> list[Manifest]:
    return [
        {"name": "external", "url": cluster.url, "application": "kube-apiserver"},
        {"name": "service-account-issuer", "url": cluster.url},
    ]


def _published(shoot: Manifest, api_version: str, kind: str, suffix: str) -> Manifest:
    metadata = shoot["metadata"]
    name = f"{metadata['name']}.{suffix}"
    labels = {"gardener.cloud/role": suffix, "shoot.gardener.cloud/name": metadata["name"]}
    place = {"name": name, "namespace": metadata["namespace"], "labels": labels}
    return {"apiVersion": api_version, "kind": kind, "metadata": place}


def _binding(group: str, role: str) -> Manifest:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": group},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": group}],
    }


def _data(pem: bytes) -> str:
    return base64.b64encode(pem).decode()
