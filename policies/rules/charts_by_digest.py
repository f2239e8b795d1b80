"""A registry of somebody else's may hand out another chart under the same version."""

import re
from collections.abc import Iterator

from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import Scene

OWN = ("oci://ghcr.io/c5c3/", "oci://ghcr.io/cobaltcore-dev/")
# A mirror has a chart under the host and path of its origin, and has no more of it than somebody has put there.
MIRRORED = re.compile(r"oci://[^/]+/(.*/)?([^/]+\.[^/]+|unpublished)/.*")


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    url = one.at("spec", "url")
    address = f"{url.text() or ''}/"
    if address.startswith("oci://") and not address.startswith(OWN) and not MIRRORED.fullmatch(address):
        yield at(
            url,
            f"is {url.text()!r}, somebody else's registry, of which charts are taken by version: use an OCIRepository "
            "with a digest (digest of the catalogue's entry).",
        )


POLICY = Policy(
    name="charts-by-digest",
    title="Others' charts come by digest",
    description="Charts of somebody else's OCI registry are taken by digest.",
    severity=Severity.MEDIUM,
    level="advisory",
    remedy="Add digest and one version to the system's file in the catalogue, in place of noDigest.",
    subjects=lambda scene: scene.of_kind("source.toolkit.fluxcd.io", "HelmRepository"),
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("supply chain", "rule 19"),
)
