"""The typed APIs of a region under the names that the program uses, each loaded when one of its kinds is first touched.

This is the only place that knows where the types come from: crd2pulumi's engine today (crds/generator). When the
types come from elsewhere, such as extensions of Pulumi's Kubernetes provider, this file changes and no other.
"""

# pyright: reportUnusedImport=false, reportUnknownMemberType=false

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cobaltcore_crds.c5c3_io import v1alpha1 as c5c3
    from cobaltcore_crds.cache_cs_sap_com import v1alpha1 as valkey
    from cobaltcore_crds.calico_networking_extensions_gardener_cloud import v1alpha1 as calico
    from cobaltcore_crds.ceph_cobaltcore_sap_com import v1alpha1 as arbiter
    from cobaltcore_crds.ceph_rook_io import v1 as rook
    from cobaltcore_crds.cert_manager_io import v1 as cert_manager
    from cobaltcore_crds.cinder_openstack_c5c3_io import v1alpha1 as cinder
    from cobaltcore_crds.compute_ironcore_dev import v1alpha1 as ironcore
    from cobaltcore_crds.core_gardener_cloud import v1beta1 as gardener
    from cobaltcore_crds.cortex_c5c3_io import v1alpha1 as cortex_operator
    from cobaltcore_crds.cortex_cloud import v1alpha1 as cortex
    from cobaltcore_crds.external_secrets_io import v1 as external_secrets, v1alpha1 as push_secrets
    from cobaltcore_crds.fluxcd_controlplane_io import v1 as flux_operator
    from cobaltcore_crds.glance_openstack_c5c3_io import v1alpha1 as glance
    from cobaltcore_crds.greenhouse_sap import v1alpha1 as greenhouse
    from cobaltcore_crds.helm_toolkit_fluxcd_io import v2 as flux_helm
    from cobaltcore_crds.ironcore_metal_provider_extensions_gardener_cloud import v1alpha1 as provider_ironcore_metal
    from cobaltcore_crds.ironcore_provider_extensions_gardener_cloud import v1alpha1 as provider_ironcore
    from cobaltcore_crds.k8s_mariadb_com import v1alpha1 as mariadb
    from cobaltcore_crds.keystone_openstack_c5c3_io import v1alpha1 as keystone
    from cobaltcore_crds.kustomize_toolkit_fluxcd_io import v1 as flux_kustomize
    from cobaltcore_crds.kvm_cloud_sap import v1 as hypervisor_operator, v1alpha1 as node_agent
    from cobaltcore_crds.memcached_c5c3_io import v1beta1 as memcached
    from cobaltcore_crds.metal_ironcore_dev import v1alpha1 as metal
    from cobaltcore_crds.neutron_openstack_c5c3_io import v1alpha1 as neutron
    from cobaltcore_crds.nova_openstack_c5c3_io import v1alpha1 as nova
    from cobaltcore_crds.openstack_k_orc_cloud import v1alpha1 as korc
    from cobaltcore_crds.openstack_provider_extensions_gardener_cloud import v1alpha1 as provider_openstack
    from cobaltcore_crds.ovn_c5c3_io import v1alpha1 as ovn
    from cobaltcore_crds.ovs_c5c3_io import v1alpha1 as ovs
    from cobaltcore_crds.placement_openstack_c5c3_io import v1alpha1 as placement
    from cobaltcore_crds.rabbitmq_com import v1beta1 as rabbitmq
    from cobaltcore_crds.security_gardener_cloud import v1alpha1 as gardener_security
    from cobaltcore_crds.source_toolkit_fluxcd_io import v1 as flux_source
    from cobaltcore_crds.tempest_openstack_c5c3_io import v1alpha1 as tempest

APIS = {
    "arbiter": "ceph.cobaltcore.sap.com/v1alpha1",
    "c5c3": "c5c3.io/v1alpha1",
    "calico": "calico.networking.extensions.gardener.cloud/v1alpha1",
    "cert_manager": "cert-manager.io/v1",
    "cinder": "cinder.openstack.c5c3.io/v1alpha1",
    "cortex": "cortex.cloud/v1alpha1",
    "cortex_operator": "cortex.c5c3.io/v1alpha1",
    "external_secrets": "external-secrets.io/v1",
    "flux_helm": "helm.toolkit.fluxcd.io/v2",
    "flux_kustomize": "kustomize.toolkit.fluxcd.io/v1",
    "flux_operator": "fluxcd.controlplane.io/v1",
    "flux_source": "source.toolkit.fluxcd.io/v1",
    "gardener": "core.gardener.cloud/v1beta1",
    "gardener_security": "security.gardener.cloud/v1alpha1",
    "glance": "glance.openstack.c5c3.io/v1alpha1",
    "greenhouse": "greenhouse.sap/v1alpha1",
    "hypervisor_operator": "kvm.cloud.sap/v1",
    "ironcore": "compute.ironcore.dev/v1alpha1",
    "keystone": "keystone.openstack.c5c3.io/v1alpha1",
    "korc": "openstack.k-orc.cloud/v1alpha1",
    "mariadb": "k8s.mariadb.com/v1alpha1",
    "memcached": "memcached.c5c3.io/v1beta1",
    "metal": "metal.ironcore.dev/v1alpha1",
    "neutron": "neutron.openstack.c5c3.io/v1alpha1",
    "node_agent": "kvm.cloud.sap/v1alpha1",
    "nova": "nova.openstack.c5c3.io/v1alpha1",
    "ovn": "ovn.c5c3.io/v1alpha1",
    "ovs": "ovs.c5c3.io/v1alpha1",
    "placement": "placement.openstack.c5c3.io/v1alpha1",
    "provider_ironcore": "ironcore.provider.extensions.gardener.cloud/v1alpha1",
    "provider_ironcore_metal": "ironcore-metal.provider.extensions.gardener.cloud/v1alpha1",
    "provider_openstack": "openstack.provider.extensions.gardener.cloud/v1alpha1",
    "push_secrets": "external-secrets.io/v1alpha1",
    "rabbitmq": "rabbitmq.com/v1beta1",
    "rook": "ceph.rook.io/v1",
    "tempest": "tempest.openstack.c5c3.io/v1alpha1",
    "valkey": "cache.cs.sap.com/v1alpha1",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module; the imports above are its type)
    if name not in APIS:
        raise AttributeError(f"crds has no API {name!r}; it has {', '.join(sorted(APIS))}")
    from cobaltcore_crds import _utilities  # noqa: PLC0415  (the generator is in this package, and runs before it)

    group, version = APIS[name].replace(".", "_").replace("-", "_").split("/")
    api = _utilities.lazy_import(f"cobaltcore_crds.{group}.{version}")
    globals()[name] = api
    return api
