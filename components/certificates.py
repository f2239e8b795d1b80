"""The certificates that a region makes for itself: OpenBao's, and an issuer for tenants that name none.

cert-manager keeps every key in its cluster; only names pass here. OpenBao asks whoever calls it for a certificate of
the same authority, so that nobody else gets as far as its logins.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.meta import v1 as meta

from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.management_trouble import explain
from components.options import child_opts
from components.readiness import patience, waiting
from crds import cert_manager
from model.pools import SELF_SIGNED, Issuer

SYSTEM = "cert-manager"
OPENBAO, NAMESPACE = "openbao", "openbao-system"
AUTHORITY, SERVER, CLIENT = "openbao-ca", "openbao-tls", "openbao-client-tls"  # and the Secrets of the same names
AUTHORITY_HOURS, LEAF_HOURS, RENEW_HOURS = "26280h", "8760h", "720h"  # three years, one, and thirty days before
INSIDE = (
    OPENBAO,
    f"{OPENBAO}.{NAMESPACE}",
    f"{OPENBAO}.{NAMESPACE}.svc",
    f"{OPENBAO}.{NAMESPACE}.svc.cluster.local",
    f"*.{OPENBAO}-internal",  # each of the three, as the others call it
    f"*.{OPENBAO}-internal.{NAMESPACE}.svc.cluster.local",
    "localhost",
)


def self_signed(name: str, opts: pulumi.ResourceOptions) -> cert_manager.ClusterIssuer:
    """The issuer that a claim has without a word: good for a region that nobody outside has to trust."""
    return cert_manager.ClusterIssuer(
        name,
        metadata=meta.ObjectMetaArgs(name=SELF_SIGNED, annotations=waiting("ClusterIssuer")),
        spec=cert_manager.ClusterIssuerSpecArgs(self_signed=cert_manager.ClusterIssuerSpecSelfSignedArgs()),
        opts=opts,
    )


def tenants_issuer(
    name: str,
    issuer: Issuer,
    access: ClusterAccess,
    releases: Mapping[str, pulumi.Resource],
    *,
    parent: pulumi.Resource,
) -> cert_manager.ClusterIssuer | None:
    """The default issuer of a control plane. One that a person names is that person's to make."""
    if issuer != Issuer(name=SELF_SIGNED) or SYSTEM not in releases:
        return None
    opts = access.options(parent, depends_on=[releases[SYSTEM]], custom_timeouts=patience("ClusterIssuer"))
    return self_signed(f"{name}-issuer", opts)


def openbao_certificates(
    name: str, flux: Flux, manager: pulumi.Resource, parent: pulumi.Resource
) -> list[pulumi.Resource]:
    """What OpenBao's pods mount. Its namespace is there first, and stays with the data when the region goes."""
    on_error = explain(f"{name}-certificates-explain", flux.settings)

    def options(kind: str, *after: pulumi.Resource) -> pulumi.ResourceOptions:
        patient = patience(kind)
        return child_opts(parent, provider=flux.provider, depends_on=after, custom_timeouts=patient, on_error=on_error)

    namespace = kubernetes.core.v1.Namespace(
        f"{name}-{NAMESPACE}",
        metadata={"name": NAMESPACE, "annotations": {"pulumi.com/patchForce": "true"}},
        opts=child_opts(parent, provider=flux.provider, retain_on_delete=True),
    )
    root = self_signed(f"{name}-issuer", options("ClusterIssuer", manager))
    authority = cert_manager.Certificate(
        f"{name}-{AUTHORITY}",
        metadata=_metadata("Certificate", AUTHORITY),
        spec=_authority(),
        opts=options("Certificate", namespace, root),
    )
    issuer = cert_manager.Issuer(
        f"{name}-{AUTHORITY}-issuer",
        metadata=_metadata("Issuer", AUTHORITY),
        spec=cert_manager.IssuerSpecArgs(ca=cert_manager.IssuerSpecCaArgs(secret_name=AUTHORITY)),
        opts=options("Issuer", authority),
    )
    names, addresses = _reached_by(flux.settings.secret_store.server if flux.settings.secret_store else None)
    leaves = {
        SERVER: _leaf(SERVER, ["server auth"], names, addresses),
        CLIENT: _leaf(CLIENT, ["client auth"], [CLIENT], []),
    }
    made = [
        cert_manager.Certificate(
            f"{name}-{leaf}",
            metadata=_metadata("Certificate", leaf),
            spec=spec,
            opts=options("Certificate", issuer),
        )
        for leaf, spec in leaves.items()
    ]
    return [namespace, *made]


def _metadata(kind: str, name: str) -> meta.ObjectMetaArgs:
    return meta.ObjectMetaArgs(name=name, namespace=NAMESPACE, annotations=waiting(kind))


def _authority() -> cert_manager.CertificateSpecArgs:
    """It keeps its key when it is renewed, so that whoever trusts the old one trusts what the new one signs."""
    return cert_manager.CertificateSpecArgs(
        is_ca=True,
        common_name=AUTHORITY,
        secret_name=AUTHORITY,
        duration=AUTHORITY_HOURS,
        renew_before=LEAF_HOURS,  # no leaf outlives it
        private_key=cert_manager.CertificateSpecPrivateKeyArgs(algorithm="ECDSA", size=256, rotation_policy="Never"),
        issuer_ref=cert_manager.CertificateSpecIssuerRefArgs(
            group="cert-manager.io", kind="ClusterIssuer", name=SELF_SIGNED
        ),
    )


def _leaf(
    name: str, usages: Sequence[str], names: Sequence[str], addresses: Sequence[str]
) -> cert_manager.CertificateSpecArgs:
    return cert_manager.CertificateSpecArgs(
        common_name=name,
        secret_name=name,
        dns_names=list(names),
        ip_addresses=list(addresses) or None,
        usages=list(usages),
        duration=LEAF_HOURS,
        renew_before=RENEW_HOURS,
        private_key=cert_manager.CertificateSpecPrivateKeyArgs(algorithm="ECDSA", size=256, rotation_policy="Always"),
        issuer_ref=cert_manager.CertificateSpecIssuerRefArgs(group="cert-manager.io", kind="Issuer", name=AUTHORITY),
    )


def _reached_by(server: str | None) -> tuple[list[str], list[str]]:
    """Names and addresses: inside the management cluster, in its own pod, and where the region's clusters find it."""
    names: list[str] = [*INSIDE]
    addresses = ["127.0.0.1"]
    host = urlsplit(server).hostname if server else None
    if host:
        places = addresses if _is_address(host) else names
        places += [host] if host not in places else []
    return names, addresses


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
