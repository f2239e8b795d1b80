"""The rule that every claim of a stack belongs to its region."""

from collections.abc import Iterator

from model.problems import Finding
from model.rules.scene import Scene


def check(scene: Scene) -> Iterator[Finding]:
    claims = [(path, claim.region) for path, claim in [*scene.clusters, *scene.tenants]]
    named = {region for _, region in claims}
    if scene.region is None or named <= {scene.region}:
        return
    if len(named) == 1 and len(claims) > 1:
        yield Finding(
            ("region",),
            f"is {scene.region!r}, and every claim names {named.pop()!r}: use one of the two in all places",
            tuple((*path, "region") for path, _ in claims),
        )
        return
    for path, region in claims:
        if region != scene.region:
            yield Finding(
                (*path, "region"),
                f"is {region!r}, and this stack is the region {scene.region!r}: "
                "correct it, or move the claim to its own region",
                (("region",),),
            )
