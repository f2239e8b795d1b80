"""How a cluster trusts the management cluster's service accounts, so that Flux needs no stored kubeconfig there."""

from __future__ import annotations

import json

import pulumi
import pulumi_kubernetes as kubernetes

from components.garden import GardenAccess
from components.options import child_opts
from model.region import Management

# Of Kubernetes 1.30 and later; what it says is in JSON, which is YAML too.
API = "apiserver.config.k8s.io/v1beta1"
KEY = "config.yaml"
PREFIX = "management:"
GREENHOUSE = (
    "greenhouse"  # for which Greenhouse's tokens are; whoever has one still has no right but that of its account
)


def audience(shoot: str) -> str:
    """Whom a token must be for; no cluster takes the token of another."""
    return f"c5c3-{shoot}"


def user(namespace: str, service_account: str) -> str:
    """Who a service account of the management cluster is in the region's clusters: the subject of their RBAC."""
    return f"{PREFIX}system:serviceaccount:{namespace}:{service_account}"


def configuration(management: Management, shoot: str) -> str:
    audiences = [audience(shoot), *([GREENHOUSE] if management.greenhouse else [])]
    issuer: dict[str, object] = {"url": management.issuer, "audiences": audiences}
    if management.greenhouse:
        issuer["audienceMatchPolicy"] = "MatchAny"
    if management.certificate_authority:
        issuer["certificateAuthority"] = management.certificate_authority
    mapped = {"username": {"claim": "sub", "prefix": PREFIX}}
    jwt = {"issuer": issuer, "claimMappings": mapped}
    return json.dumps({"apiVersion": API, "kind": "AuthenticationConfiguration", "jwt": [jwt]}, indent=2)


def trust_management(
    name: str, shoot: str, garden: GardenAccess, parent: pulumi.Resource
) -> kubernetes.core.v1.ConfigMap | None:
    """The ConfigMap in the garden that a Shoot names in its structuredAuthentication."""
    if garden.management is None or garden.management.issuer is None:
        return None
    return kubernetes.core.v1.ConfigMap(
        name,
        metadata={"name": f"{shoot}-authentication", "namespace": garden.settings.namespace},
        data={KEY: configuration(garden.management, shoot)},
        opts=child_opts(parent, provider=garden.provider),
    )
