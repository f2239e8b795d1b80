"""The end of the region."""

import re

import pytest

from components.flux_bootstrap import OWNER
from sandbox import flux
from tests.everything import everything
from tests.live_region import CLUSTERS, STACK, asked, program
from tests.live_releases import of_flux
from tests.sandboxes import NAMESPACE, SHOOT, Running

pytestmark = pytest.mark.servers


def test_nothing_goes_as_long_as_anything_is_protected(region: Running) -> None:
    before = everything(region.client("management"))
    code, said = program(region, "destroy", "--yes", *asked(region, STACK))
    assert code != 0, said
    assert "cannot be deleted because it is protected" in " ".join(said.split())
    assert everything(region.client("management")) == before, "the preview is to end it before anything goes"


def test_destroy_leaves_flux_and_nothing_of_the_region(region: Running) -> None:
    """As docs/running.md says: consent in the stack file, an update, the keys, the end."""
    unprotected = asked(region, STACK, protected=False)
    code, said = program(region, "up", "--yes", "--skip-preview", *unprotected)
    assert code == 0, said
    code, said = program(region, "state", "unprotect", "--yes", urn(region, f"{STACK}-management-openbao"))
    assert code == 0, said
    code, said = program(region, "destroy", "--yes", *unprotected)
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


def urn(region: Running, name: str) -> str:
    code, said = program(region, "stack", "--show-urns")
    assert code == 0, said
    found = re.search(rf"urn:pulumi:\S+::{name}(?!\S)", said)
    assert found, f"the state has no {name}: {said}"
    return found[0]
