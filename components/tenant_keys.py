"""How a tenant's keys travel: from the Secret where one is made to OpenBao, and from there to where they are used.

Only External Secrets ever reads a key. This program writes where it is to be taken from and put to, so no key can be in
Pulumi's state, outputs or logs.
"""

from __future__ import annotations

from collections.abc import Sequence

import pulumi

from components.in_cluster import InCluster
from components.secret_store import NAME as STORE
from components.tenant_objects import labels, metadata, namespace_of, options
from crds import external_secrets, push_secrets
from model.keys import Key
from model.tenant import OpenStackCluster

STORE_KIND = "ClusterSecretStore"
REFRESH = "1h"


def push_key(  # noqa: PLR0913  (each says one thing about the key)
    name: str,
    key: Key,
    *,
    claim: OpenStackCluster,
    cluster: InCluster,
    namespace: str,
    parent: pulumi.Resource,
    after: Sequence[pulumi.Resource],
) -> push_secrets.PushSecret:
    """From the namespace where it is made to OpenBao; with this object the key goes from there, too."""
    spec = push_secrets.PushSecretSpecArgs(
        refresh_interval=REFRESH,
        update_policy="Replace",
        deletion_policy="Delete",
        secret_store_refs=[push_secrets.PushSecretSpecSecretStoreRefsArgs(kind=STORE_KIND, name=STORE)],
        selector=push_secrets.PushSecretSpecSelectorArgs(
            secret=push_secrets.PushSecretSpecSelectorSecretArgs(name=key.source)
        ),
        data=[_pushed(key, one) for one in key.properties],
    )
    return push_secrets.PushSecret(
        name,
        metadata=metadata("PushSecret", key.owner, namespace, labels(claim)),
        spec=spec,
        opts=options(claim, cluster, parent, kind="PushSecret", after=after),
    )


def _pushed(key: Key, field: str) -> push_secrets.PushSecretSpecDataArgs:
    remote = push_secrets.PushSecretSpecDataMatchRemoteRefArgs(remote_key=key.path, property=field)
    return push_secrets.PushSecretSpecDataArgs(
        match=push_secrets.PushSecretSpecDataMatchArgs(secret_key=field, remote_ref=remote)
    )


def pull_key(  # noqa: PLR0913  (as above)
    name: str,
    key: Key,
    *,
    claim: OpenStackCluster,
    cluster: InCluster,
    parent: pulumi.Resource,
    after: Sequence[pulumi.Resource],
) -> external_secrets.ExternalSecret:
    """From OpenBao into the tenant's namespace of a cluster; the Secret goes with this object."""
    spec = external_secrets.ExternalSecretSpecArgs(
        refresh_interval=REFRESH,
        secret_store_ref=external_secrets.ExternalSecretSpecSecretStoreRefArgs(kind=STORE_KIND, name=STORE),
        target=external_secrets.ExternalSecretSpecTargetArgs(name=key.secret, creation_policy="Owner"),
        data=[
            external_secrets.ExternalSecretSpecDataArgs(
                secret_key=field,
                remote_ref=external_secrets.ExternalSecretSpecDataRemoteRefArgs(key=key.path, property=field),
            )
            for field in key.properties
        ],
    )
    return external_secrets.ExternalSecret(
        name,
        metadata=metadata("ExternalSecret", key.secret, namespace_of(claim.name), labels(claim)),
        spec=spec,
        opts=options(claim, cluster, parent, kind="ExternalSecret", after=after),
    )
