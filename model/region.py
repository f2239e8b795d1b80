"""A whole region: its clusters, and the rules between them."""

from collections.abc import Mapping

from pydantic import ValidationError

from model.pools import Claim, ControlPlane, HypervisorPool, StoragePool
from model.problems import Problems, sentences
from model.words import Name, Text


class Garden(Claim):
    """Where Gardener is and what it calls the things that a Shoot refers to."""

    kubeconfig: Text
    namespace: Name = "garden-c5c3"


class RegionSpec(Claim):
    region: Name
    garden: Garden
    control_plane: ControlPlane
    hypervisor_pools: tuple[HypervisorPool, ...] = ()
    storage_pools: tuple[StoragePool, ...] = ()

    @property
    def pools(self) -> list[HypervisorPool | StoragePool]:
        return [*self.hypervisor_pools, *self.storage_pools]


KEYS = tuple(field.alias or name for name, field in RegionSpec.model_fields.items())


def load(config: Mapping[str, object], source: str) -> RegionSpec:
    """The region that a stack file describes; every mistake in it as a sentence, or none."""
    try:
        region = RegionSpec.model_validate(config)
    except ValidationError as error:
        raise Problems(sentences(error, source, RegionSpec)) from error
    problems = [f"{source}: cobaltcore:{problem}" for problem in _between(region)]
    if problems:
        raise Problems(problems)
    return region


def _between(region: RegionSpec) -> list[str]:
    found: list[str] = []
    claims = {
        "controlPlane": region.control_plane,
        **{f"hypervisorPools[{at}]": pool for at, pool in enumerate(region.hypervisor_pools)},
        **{f"storagePools[{at}]": pool for at, pool in enumerate(region.storage_pools)},
    }
    for key, claim in claims.items():
        if claim.region != region.region:
            found.append(
                f"{key}.region is {claim.region!r}, and this stack is the region {region.region!r}: "
                "correct it, or move the claim to the stack file of its region."
            )
    owners: dict[str, str] = {}
    for key, claim in claims.items():
        owner = owners.setdefault(claim.name, key)
        if owner != key:
            found.append(f"{key}.name is {claim.name!r}, which {owner} has already: give each cluster its own name.")
    return found
