"""Greenhouse: a namespace for an organization, and a Cluster for each Secret there that says where one is.

Into that Secret it writes the credential of the hour, a token of a service account that is called after the cluster.
"""

import base64
import json

from sandbox.client import Manifest
from sandbox.operators.operator import Next, Operator, Place

API = "greenhouse.sap/v1alpha1"
SECRET_TYPE = "greenhouse.sap/oidc"  # noqa: S105  (a type, and no secret)
ADDRESS = "oidc.greenhouse.sap/api-server-url"
AUDIENCE, KEY = "greenhouse", "greenhousekubeconfig"
LOOK_SECONDS = 2.0


def organization(place: Place, manifest: Manifest) -> Next:
    name = manifest["metadata"]["name"]
    if place.client.get("v1", "Namespace", name) is None:
        place.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    for secret in place.client.list("v1", "Secret", name):
        if secret.get("type") == SECRET_TYPE and KEY not in secret.get("data", {}):
            _register(place, secret)
    return Next(again=LOOK_SECONDS)


def _register(place: Place, secret: Manifest) -> None:
    where = {key: secret["metadata"][key] for key in ("name", "namespace")}
    place.client.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": where})
    asked = {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": [AUDIENCE], "expirationSeconds": 3600},
    }
    account = f"/api/v1/namespaces/{where['namespace']}/serviceaccounts/{where['name']}"
    token = place.client.request("POST", f"{account}/token", asked)["status"]["token"]
    cluster = {
        "server": secret["metadata"]["annotations"][ADDRESS],
        "certificate-authority-data": base64.b64decode(secret["data"]["ca.crt"]).decode(),
    }
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": where["name"], "cluster": cluster}],
        "users": [{"name": where["name"], "user": {"token": token}}],
    }
    place.client.patch(secret, {"data": {KEY: base64.b64encode(json.dumps(kubeconfig).encode()).decode()}})
    place.client.apply({"apiVersion": API, "kind": "Cluster", "metadata": where, "spec": {"accessMode": "direct"}})


OPERATORS = [Operator(api_version=API, kind="Organization", work=organization)]
