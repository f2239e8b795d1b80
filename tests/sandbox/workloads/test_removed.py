"""The end of the region."""

import pytest

from components.flux_bootstrap import OWNER
from sandbox import flux
from tests.live_region import CLUSTERS, STACK, asked, program
from tests.live_releases import of_flux
from tests.sandboxes import NAMESPACE, SHOOT, Running

pytestmark = pytest.mark.servers


def test_destroy_leaves_flux_and_nothing_of_the_region(region: Running) -> None:
    for shoot in region.garden.list(SHOOT, "Shoot", NAMESPACE):
        region.garden.patch(shoot, {"metadata": {"annotations": {"confirmation.gardener.cloud/deletion": "true"}}})
    code, said = program(region, "state", "unprotect", "--all", "--yes")
    assert code == 0, said
    code, said = program(region, "destroy", "--yes", "--skip-preview", *asked(region, STACK))
    assert code == 0, said
    management = region.client("management")
    assert not of_flux(region)
    assert not management.list("external-secrets.io/v1", "ClusterSecretStore")
    assert not management.list("fluxcd.controlplane.io/v1", "ResourceSet")
    assert management.get("v1", "ConfigMap", OWNER, flux.NAMESPACE) is None, "another region may bring the systems now"
    left = {one["metadata"]["name"] for one in management.list("v1", "Namespace")}
    assert not left & (CLUSTERS.keys() - {flux.NAMESPACE}), left
    assert management.list("fluxcd.controlplane.io/v1", "FluxInstance"), "Flux takes away what Flux brought, and stays"
    assert not region.garden.list(SHOOT, "Shoot", NAMESPACE)
