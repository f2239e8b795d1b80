"""What is delivered today is what was looked at, and not whatever is newest."""

import re
from collections.abc import Callable, Iterator

from policies.objects import KUBERNETES, Node, Object
from policies.policy import Policy, Scope, Severity, Violation, WhenUnknown, at
from policies.scene import Scene

FLUX = "source.toolkit.fluxcd.io"
EXACT = re.compile(r"v?[0-9]+(\.[0-9]+){1,2}([-+][0-9A-Za-z.+-]+)?")
BOUNDED = re.compile(r"(^|[\s,])<=?\s*v?[0-9]+(\.[0-9]+)*")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
IMAGES = ("image", "newImage")


Check = Callable[[Object], Iterator[Violation]]


def subjects(scene: Scene) -> list[tuple[Object, Check]]:
    """The version and the images apart: that one is not known yet hides nothing of the other."""
    return [(one, check) for one in scene.objects if one.type.startswith(KUBERNETES) for check in (_version, _images)]


def judge(subject: tuple[Object, Check], scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    one, check = subject
    yield from check(one)


def _version(one: Object) -> Iterator[Violation]:
    if one.is_a("helm.toolkit.fluxcd.io", "HelmRelease"):
        spec = one.at("spec", "chart", "spec")
        if spec.value is not None:
            yield from _bounded(spec.at("version"))
    elif one.is_a(FLUX, "OCIRepository", "GitRepository"):
        yield from _source(one)
    elif one.is_a(FLUX, "HelmChart"):
        yield from _bounded(one.at("spec", "version"))
    elif one.type in ("kubernetes:helm.sh/v4:Chart", "kubernetes:helm.sh/v3:Release") and one.decoded.tree:
        yield from _bounded(one.at("version"))


def _bounded(node: Node) -> Iterator[Violation]:
    version = node.text()
    parts = (version or "").split("||")  # each of which is enough
    if not all(EXACT.fullmatch(part.strip()) or BOUNDED.search(part) for part in parts):
        yield at(
            node, f"is {version!r}, which takes whatever comes: write one version, or a range such as >=1.2.0 <2.0.0."
        )


def _source(one: Object) -> Iterator[Violation]:
    ref = one.at("spec", "ref")
    if one.kind == "GitRepository":
        if not COMMIT.fullmatch(ref.at("commit").text() or ""):
            yield at(ref.at("commit"), f"is {ref.at('commit').text()!r}: name the commit, as branches and tags move.")
        return
    tag = ref.at("tag").text()
    if ref.at("digest").text() or (tag and COMMIT.fullmatch(tag)):
        return
    yield at(ref.at("digest"), "is missing: name the digest of the artifact, as its tags move.")


def _images(one: Object) -> Iterator[Violation]:
    """A text `image: registry/name:tag`, or a mapping `image: {repository, tag}`."""
    for path, tree in one.decoded.mappings:
        for key in (*IMAGES, "tag"):
            value = tree.get(key)
            if isinstance(value, str) and (value == "latest" if key == "tag" else _floats(value)):
                where = Node(one, f"{path}.{key}" if path else key, value)
                yield at(where, f"is {value!r}: name a digest or a fixed tag, as latest is another image tomorrow.")


def _floats(image: str) -> bool:
    name, _, digest = image.partition("@")
    return not digest and name.rpartition("/")[2].partition(":")[2] in ("", "latest")


POLICY = Policy(
    name="pinned-versions",
    title="Versions are pinned",
    description="Charts have a version or a range with an upper end, artifacts a digest, repositories a commit, and no "
    "image is latest.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Write a version or a range with both ends; for artifacts and images, the digest.",
    subjects=subjects,
    judge=judge,
    scope=Scope.RESOURCE,
    when_unknown=WhenUnknown.WAIT,
    tags=("supply chain", "rule 19"),
)
