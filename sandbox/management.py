"""The management cluster: where Flux and the secrets of a region live."""

from sandbox.sandbox import Sandbox

# Other clusters trust its service accounts, so its discovery must be readable without a credential.
DISCOVERY = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "service-account-issuer-discovery-for-all"},
    "roleRef": {
        "apiGroup": "rbac.authorization.k8s.io",
        "kind": "ClusterRole",
        "name": "system:service-account-issuer-discovery",
    },
    "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:unauthenticated"}],
}


def start(sandbox: Sandbox) -> None:
    sandbox.management.start()
    sandbox.management.client.apply(DISCOVERY)
