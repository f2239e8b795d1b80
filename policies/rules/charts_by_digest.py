"""A registry of somebody else's may hand out another chart under the same version."""

import re
from collections.abc import Iterator
from functools import cache

from model.catalog import load_catalog
from model.catalog.entry import OciSource
from policies.objects import Object
from policies.policy import Policy, Scope, Severity, Violation, at
from policies.scene import Scene

OWN = ("oci://ghcr.io/c5c3/", "oci://ghcr.io/cobaltcore-dev/")
# A mirror has a chart under the host and path of its origin, and has no more of it than somebody has put there.
MIRRORED = re.compile(r"oci://[^/]+/(.*/)?([^/]+\.[^/]+|unpublished)/.*")


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    url = one.at("spec", "url")
    address = f"{url.text() or ''}/"
    if not address.startswith("oci://") or address.startswith(OWN) or MIRRORED.fullmatch(address):
        return
    says = f"is {url.text()!r}, somebody else's registry, of which charts are taken by version"
    reasons = documented().get((url.text() or "").rstrip("/"))
    if reasons:
        yield at(url, f"{says}, as the catalogue says: {reasons}", allowed=True)
    else:
        yield at(url, f"{says}: use an OCIRepository with a digest (digest of the catalogue's entry).")


@cache
def documented() -> dict[str, str]:
    """By registry, the catalogue's reasons for taking charts by version. It is read when such a one is met."""
    found: dict[str, list[str]] = {}
    for one in load_catalog().entries:
        source = one.source
        if isinstance(source, OciSource) and source.no_digest:
            found.setdefault(source.url.rstrip("/"), []).append(f"{one.name}: {source.no_digest}")
    return {url: " ".join(reasons) for url, reasons in found.items()}


POLICY = Policy(
    name="charts-by-digest",
    title="Others' charts come by digest",
    description="Charts of somebody else's OCI registry are taken by digest. A HelmRepository has no place for one, so "
    "it is refused unless an entry of the catalogue takes charts of just that address and says in noDigest why, which "
    "is said as advice.",
    severity=Severity.MEDIUM,
    level="mandatory",
    remedy="Add digest and one version to the system's file in the catalogue, or say in noDigest why not.",
    subjects=lambda scene: scene.of_kind("source.toolkit.fluxcd.io", "HelmRepository"),
    judge=judge,
    scope=Scope.RESOURCE,
    tags=("supply chain", "rule 19"),
)
