"""What nobody can look into, nobody can judge."""

import re
from collections.abc import Iterator

from policies.objects import KUBERNETES, PROVIDER, Node, Object
from policies.policy import Policy, Scope, Severity, Violation, WhenUnknown, at
from policies.scene import Scene
from policies.values import Unknown

BUNDLES = (
    (re.compile(r"kubernetes:yaml(/v2)?:.*"), "write its objects as resources"),
    (re.compile(r"kubernetes:kustomize(/v2)?:.*"), "write its objects as resources, or let Flux deliver them"),
    (re.compile(r"kubernetes:helm\.sh/v[0-9]+:.*"), "let Flux deliver the chart"),
)
# Flux cannot bring its own operator. Its objects are seen one by one as soon as its cluster answers.
CHART = "kubernetes:helm.sh/v4:Chart"
BOOTSTRAP = re.compile(r"oci://[^/]+/(.*/)?flux-operator")
OURS = ("pulumi:pulumi:", "pulumi:providers:")
# Packages whose resources are custom ones even where nobody says which provider they have.
COMMANDS = re.compile(r"(command|docker|terraform|pulumi-[a-z]+):.*")
WRITE = "write what it makes as resources of their own"
SETS = "fluxcd.controlplane.io"
TEMPLATES = ("resourcesTemplate", "inputs", "inputsFrom")
# Controllers that make objects of what another object, or a folder somewhere, says.
HOLDERS = {
    ("resources.gardener.cloud", "ManagedResource"),
    ("kubernetes.crossplane.io", "Object"),
    ("kubernetes.m.crossplane.io", "Object"),
    ("work.open-cluster-management.io", "ManifestWork"),
    ("argoproj.io", "Application"),
    ("argoproj.io", "ApplicationSet"),
    ("fleet.cattle.io", "Bundle"),
}
# Greenhouse wants a Secret for each cluster: its address and its authority, and no credential.
HANDED_OVER, PARTS = "greenhouse.sap/oidc", {"ca.crt"}


def judge(one: Object, scene: Scene) -> Iterator[Violation]:  # noqa: ARG001  (as every judge is called)
    remedy = _foreign(one) or next((says for form, says in BUNDLES if not one.kind and form.fullmatch(one.type)), "")
    if one.type == CHART and _bootstraps(one):
        yield Violation(
            object=one,
            says="what the chart makes is known only at the update, where each object is judged.",
            waits=True,
        )
    elif remedy:
        yield Violation(
            object=one, says=f"what it makes cannot be seen before it is made, and so not be judged: {remedy}."
        )
    elif one.kind:
        yield from _inside(one)


def _bootstraps(one: Object) -> bool:
    """The engine tells nothing of a component that a provider makes; who says which chart it is, is held to it."""
    return not one.decoded.tree or bool(BOOTSTRAP.fullmatch(one.at("chart").text() or ""))


def _foreign(one: Object) -> str:
    """Resources of other packages do whatever they do; components are but names for what they have below them."""
    if one.type.startswith(KUBERNETES):
        return WRITE if one.place.type not in ("", PROVIDER) else ""
    custom = one.place.type or COMMANDS.fullmatch(one.type)
    return WRITE if custom and not one.type.startswith(OURS) else ""


def _inside(one: Object) -> Iterator[Violation]:
    """Objects in an object are made by somebody else, without protection and unseen by most policies."""
    if (one.group, one.kind) in HOLDERS:
        yield Violation(
            object=one, says=f"a {one.kind} makes objects that no policy sees: {WRITE}, or let Flux deliver them."
        )
        return
    if one.is_a(SETS, "ResourceSet"):
        for key in TEMPLATES:
            if one.at("spec", key).value is not None:
                yield at(one.at("spec", key), f"makes objects that no policy sees: {WRITE}.")
        for node in one.at("spec", "resources").items():
            if not _handed_over(node):
                yield at(node, f"is an object that no policy sees: {WRITE}.")
        return
    for path, tree in one.decoded.mappings:
        if path and isinstance(tree.get("apiVersion"), str) and "kind" in tree and "metadata" in tree:
            yield Violation(object=one, says=f"{path} is an object that no policy sees: {WRITE}.")


def _handed_over(node: Node) -> bool:
    secret = node.at("apiVersion").text() == "v1" and node.at("kind").text() == "Secret"
    values = node.at("stringData").known() is None and isinstance(node.at("data").known(), dict)
    parts = set(node.at("data").known()) if values else set[str]()
    unknown = any(isinstance(below.value, Unknown) for below in node.items())
    return secret and node.at("type").text() == HANDED_OVER and values and parts <= PARTS and not unknown


POLICY = Policy(
    name="nothing-opaque",
    title="Nothing hides objects",
    description="No resource makes objects that a plan does not show: resources of packages other than Kubernetes, "
    "commands, dynamic providers, Helm releases, groups of YAML, objects inside objects. Two are let through: a "
    "chart, which is how Flux's own operator comes (the engine does not tell of which one; its objects are judged one "
    "by one before they are made, at the update), and the Secret without a credential that Greenhouse wants.",
    severity=Severity.HIGH,
    level="mandatory",
    remedy="Write the objects as resources, or let Flux deliver the chart.",
    subjects=lambda scene: scene.objects,
    judge=judge,
    scope=Scope.RESOURCE,
    when_unknown=WhenUnknown.WAIT,
    tags=("gate",),
)
