"""A short-lived credential for one cluster, in the form that client-go takes from a command."""

import base64
from datetime import UTC, datetime, timedelta

import yaml

from access.garden import Garden, Object, admin_kubeconfig
from access.login import API

SECONDS = 3600  # what Gardener is asked for; it may give less, and at least ten minutes
EARLY = timedelta(minutes=2)  # a request that is under way when the certificate ends would be refused


def credential(garden: Garden, namespace: str, shoot: str, seconds: int = SECONDS) -> Object:
    """Kept by nobody but the one who asks: client-go holds it in memory until it says that it ends."""
    given = admin_kubeconfig(garden, namespace, shoot, seconds)
    user: Object = yaml.safe_load(base64.b64decode(given["kubeconfig"]))["users"][0]["user"]
    status = {
        "clientCertificateData": base64.b64decode(user["client-certificate-data"]).decode(),
        "clientKeyData": base64.b64decode(user["client-key-data"]).decode(),
        "expirationTimestamp": _early(given["expirationTimestamp"]),
    }
    return {"apiVersion": API, "kind": "ExecCredential", "status": status}


def _early(ends: str) -> str:
    """Some time before the end, but not so early that a short one were over at once."""
    end, now = datetime.fromisoformat(ends), datetime.now(UTC)
    return (end - min(EARLY, (end - now) / 5)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
