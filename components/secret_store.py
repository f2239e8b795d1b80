"""How a cluster reads and writes the secrets of OpenBao: one ClusterSecretStore of External Secrets in each.

No secret passes here. A cluster proves who it is with a token of External Secrets' own service account; what OpenBao
has to know for that is in docs/secret-stores.md.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Awaitable, Callable, Mapping

import pulumi
from pulumi_kubernetes.meta import v1 as meta

from access.failure import waited
from access.garden import Object
from access.operator_status import find, not_ready
from access.problem import Problem
from components.certificates import CLIENT, NAMESPACE as INSIDE_NAMESPACE, OPENBAO, SERVER
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.management_trouble import explain, look
from components.options import child_opts
from components.readiness import patience, waiting
from crds import external_secrets
from model.catalog import ClusterKind

NAME = "openbao-cluster-store"
SYSTEM, NAMESPACE = "external-secrets", "external-secrets"  # its service account is called after it too
ENGINE = "kv-v2"
INSIDE = f"https://{OPENBAO}.{INSIDE_NAMESPACE}.svc:8200"  # OpenBao where it runs, with its certificates beside it

Look = Callable[[Object], Object | None]  # at an object as it is in its cluster now


def secret_store(  # noqa: PLR0913  (each says one thing about the store)
    name: str,
    kind: ClusterKind,
    access: ClusterAccess,
    flux: Flux | None,
    releases: Mapping[str, pulumi.Resource],
    *,
    parent: pulumi.Resource,
) -> external_secrets.ClusterSecretStore | None:
    """The store of one of the region's clusters; none where nobody says how the cluster reaches OpenBao."""
    settings = flux.settings.secret_store if flux else None
    if settings is None:
        return None
    client = settings.client_certificate
    authority = settings.certificate_authority
    vault = external_secrets.ClusterSecretStoreSpecProviderVaultArgs(
        server=settings.server,
        path=ENGINE,
        version="v2",
        ca_bundle=base64.b64encode(authority.encode()).decode() if authority else None,
        tls=_client(client, NAMESPACE) if client else None,
        auth=_login(access.cluster, kind),
    )
    opts = access.options(
        parent,
        depends_on=[releases[SYSTEM]],
        custom_timeouts=patience("ClusterSecretStore"),
        on_error=_explain(
            f"{name}-store-explains", access.cluster, kind, functools.partial(find, access.ref), access.on_error
        ),
    )
    return _store(f"{name}-secret-store", vault, opts)


def management_store(name: str, flux: Flux, parent: pulumi.Resource) -> external_secrets.ClusterSecretStore:
    """The store of the management cluster, where OpenBao itself runs."""
    vault = external_secrets.ClusterSecretStoreSpecProviderVaultArgs(
        server=INSIDE,
        path=ENGINE,
        version="v2",
        ca_provider=external_secrets.ClusterSecretStoreSpecProviderVaultCaProviderArgs(
            type="Secret", name=SERVER, key="ca.crt", namespace=INSIDE_NAMESPACE
        ),
        tls=_client(CLIENT, INSIDE_NAMESPACE),
        auth=_login("management", "management"),
    )
    opts = child_opts(
        parent,
        provider=flux.provider,
        depends_on=[flux.hub[SYSTEM], flux.hub["openbao"]],
        custom_timeouts=patience("ClusterSecretStore"),
        on_error=_explain(
            f"{name}-store-explains",
            "management",
            "management",
            look(flux.settings),
            explain(f"{name}-store-fails", flux.settings),
        ),
    )
    return _store(f"{name}-secret-store", vault, opts)


def mount(cluster: str) -> str:
    """OpenBao's mount for the logins of one cluster."""
    return f"kubernetes/{cluster}"


def role(kind: ClusterKind) -> str:
    return f"eso-{kind}"


def _store(
    name: str, vault: external_secrets.ClusterSecretStoreSpecProviderVaultArgs, opts: pulumi.ResourceOptions
) -> external_secrets.ClusterSecretStore:
    return external_secrets.ClusterSecretStore(
        name,
        metadata=meta.ObjectMetaArgs(name=NAME, annotations=waiting("ClusterSecretStore")),
        spec=external_secrets.ClusterSecretStoreSpecArgs(
            provider=external_secrets.ClusterSecretStoreSpecProviderArgs(vault=vault)
        ),
        opts=opts,
    )


def _login(cluster: str, kind: ClusterKind) -> external_secrets.ClusterSecretStoreSpecProviderVaultAuthArgs:
    account = external_secrets.ClusterSecretStoreSpecProviderVaultAuthKubernetesServiceAccountRefArgs(
        name=SYSTEM, namespace=NAMESPACE
    )
    kubernetes = external_secrets.ClusterSecretStoreSpecProviderVaultAuthKubernetesArgs(
        mount_path=mount(cluster), role=role(kind), service_account_ref=account
    )
    return external_secrets.ClusterSecretStoreSpecProviderVaultAuthArgs(kubernetes=kubernetes)


def _client(secret: str, namespace: str) -> external_secrets.ClusterSecretStoreSpecProviderVaultTlsArgs:
    """By reference: the certificate and its key stay in the cluster."""
    return external_secrets.ClusterSecretStoreSpecProviderVaultTlsArgs(
        cert_secret_ref=external_secrets.ClusterSecretStoreSpecProviderVaultTlsCertSecretRefArgs(
            name=secret, namespace=namespace, key="tls.crt"
        ),
        key_secret_ref=external_secrets.ClusterSecretStoreSpecProviderVaultTlsKeySecretRefArgs(
            name=secret, namespace=namespace, key="tls.key"
        ),
    )


def _explain(
    name: str, cluster: str, kind: ClusterKind, look: Look, then: pulumi.ErrorHook | None = None
) -> pulumi.ErrorHook:
    """What a store that is not ready says, and what OpenBao lacks most often; `then` knows all other failures."""

    def say(args: pulumi.ErrorHookArgs) -> bool | Awaitable[bool]:
        if not waited(args.errors) or args.failed_operation == "delete":
            return then.callback(args) if then else False
        pulumi.log.error(unknown_to_openbao(cluster, kind, _said(look, dict(args.new_inputs or args.old_inputs or {}))))
        return False

    return pulumi.ErrorHook(name, say)


def _said(look: Look, wanted: Object) -> str:
    """In the words of External Secrets, which tell whether nobody answers, or OpenBao does not know the cluster."""
    try:
        found = look(wanted)
    except Problem as problem:
        return f"Nobody could look what it says: {problem}"
    return f"It says: {not_ready(found or {}) or 'nothing yet'}."


def unknown_to_openbao(cluster: str, kind: ClusterKind, said: str) -> str:
    first = (
        "OpenBao has to be initialised and unsealed, once and by a person, and then "
        if kind == "management"
        else ("OpenBao has ")
    )
    return (
        f"Cluster {cluster} gets no secrets as long as its ClusterSecretStore {NAME} is not ready. {said} {first}"
        f"to take logins at {mount(cluster)} with the role {role(kind)}: docs/secret-stores.md has the commands. Then "
        "run the update again."
    )
