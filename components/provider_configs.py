"""What the extensions of Gardener have to know of a Shoot: OpenStack, IronCore's bare metal, Calico."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crds import calico, provider_ironcore_metal as metal, provider_openstack as openstack
from model.pools import Networking
from model.region import OpenStackInfrastructure

OPENSTACK = "openstack"
METAL = "ironcore-metal"
NODES = "10.250.0.0/16"  # Gardener's usual network of nodes, where OpenStack wants one and the claim names none
MACHINE_POOL_LABEL = "c5c3.io/machine-pool"


@dataclass(frozen=True, kw_only=True)
class ProviderConfigs:
    """One provider's type and its three configs in a Shoot."""

    type: str
    infrastructure: Any
    control_plane: Any
    worker: Any
    nodes: str | None  # the network of the nodes, where the provider has to know it


def on_openstack(network: Networking, infrastructure: OpenStackInfrastructure) -> ProviderConfigs:
    api = f"{OPENSTACK}.provider.extensions.gardener.cloud/v1alpha1"
    nodes = network.nodes or NODES
    return ProviderConfigs(
        type=OPENSTACK,
        infrastructure=openstack.InfrastructureConfigArgs(
            api_version=api,
            kind="InfrastructureConfig",
            floating_pool_name=infrastructure.floating_pool,
            networks=openstack.InfrastructureConfigNetworksArgs(workers=nodes),
        ),
        control_plane=openstack.ControlPlaneConfigArgs(
            api_version=api,
            kind="ControlPlaneConfig",
            load_balancer_provider=infrastructure.load_balancer_provider,
        ),
        # Databases of one cluster should not share a host; a cloud with few hosts still gets its workers.
        worker=openstack.WorkerConfigArgs(
            api_version=api,
            kind="WorkerConfig",
            server_group=openstack.WorkerConfigServerGroupArgs(policy="soft-anti-affinity"),
        ),
        nodes=nodes,
    )


def on_metal(network: Networking, machine_pool: str) -> ProviderConfigs:
    """Servers are taken from the machine pool by label; their own names stay the nodes' names when they come back."""
    api = f"{METAL}.provider.extensions.gardener.cloud/v1alpha1"
    networks = [metal.InfrastructureConfigNetworksArgs(name="nodes", cidr=network.nodes)] if network.nodes else None
    return ProviderConfigs(
        type=METAL,
        infrastructure=metal.InfrastructureConfigArgs(api_version=api, kind="InfrastructureConfig", networks=networks),
        control_plane=metal.ControlPlaneConfigArgs(
            api_version=api, kind="ControlPlaneConfig", node_name_policy="ServerName"
        ),
        worker=metal.WorkerConfigArgs(
            api_version=api, kind="WorkerConfig", extra_server_labels={MACHINE_POOL_LABEL: machine_pool}
        ),
        nodes=network.nodes,
    )


def network_config(network: Networking) -> Any:  # noqa: ANN401  (a Shoot's providerConfig is of any type)
    """Calico over VXLAN, which needs no routing of pods by the network below; Cilium chooses for itself."""
    if network.type != "calico":
        return None
    return calico.NetworkConfigArgs(
        api_version="calico.networking.extensions.gardener.cloud/v1alpha1",
        kind="NetworkConfig",
        backend="vxlan",
        ipv4=calico.NetworkConfigIpv4Args(pool="vxlan", mode="Always"),
        typha=calico.NetworkConfigTyphaArgs(enabled=True),
        vxlan=calico.NetworkConfigVxlanArgs(enabled=True),
    )
