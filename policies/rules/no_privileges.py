"""What runs for a tenant has no power over the node that it runs on, nor over the cluster."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene

TEMPLATE = ("spec", "template")
SETS = ("Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "ReplicationController", "Job")
POD = {
    "Pod": (),
    "PodTemplate": ("template",),
    "CronJob": ("spec", "jobTemplate", *TEMPLATE),
    **dict.fromkeys(SETS, TEMPLATE),
}
CAPABILITIES = ("ALL", "SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO")
HOST = ("hostNetwork", "hostPID", "hostIPC")
ENFORCE = "pod-security.kubernetes.io/enforce"
BINDINGS = ("RoleBinding", "ClusterRoleBinding")
# What Kubernetes gives to everybody, and what a webhook needs to ask who calls it.
HARMLESS = ("system:discovery", "system:basic-user", "system:public-info-viewer", "system:auth-delegator")
EVERYBODY = ("system:serviceaccounts", "system:authenticated", "system:unauthenticated")
ACCOUNT, ACCOUNTS = "system:serviceaccount:", "system:serviceaccounts:"


def subjects(scene: Scene) -> list[Object]:
    return [one for one in scene.objects if one.kind and (one.kind in BINDINGS or _of_tenant(one, scene))]


def _of_tenant(one: Object, scene: Scene) -> bool:
    """A pod without a namespace goes wherever the kubeconfig leads, which may be a tenant's."""
    where = one.name if one.is_a("", "Namespace") else one.namespace
    return scene.tenant_s(where) or (where is None and one.kind in POD)


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    if one.kind in POD:
        yield from _pod(one.at(*POD[one.kind]).at("spec"))
    elif one.is_a("", "Namespace"):
        level = one.at("metadata", "labels", ENFORCE)
        if level.text() == "privileged":
            yield at(level, "is 'privileged' in a tenant's namespace: use baseline or restricted.")
    elif one.kind in BINDINGS:
        yield from _binding(one, scene)


def _pod(spec: Node) -> Iterator[Violation]:
    for key in HOST:
        if spec.at(key).flag():
            yield at(spec.at(key), "is True in a tenant's namespace: leave it out, as it opens the node.")
    for volume in spec.at("volumes").items():
        if volume.at("hostPath").value is not None:
            yield at(volume.at("hostPath"), "is a path of the node in a tenant's namespace: use a volume of its own.")
    for group in ("containers", "initContainers", "ephemeralContainers"):
        for container in spec.at(group).items():
            context = container.at("securityContext")
            if context.at("privileged").flag():
                yield at(context.at("privileged"), "is True in a tenant's namespace: leave it out.")
            for added in context.at("capabilities", "add").items():
                if (added.text() or "").removeprefix("CAP_") in CAPABILITIES:
                    yield at(added, f"is {added.text()!r} in a tenant's namespace: leave it out.")


def _binding(one: Object, scene: Scene) -> Iterator[Violation]:
    """A tenant's accounts have rights in its own namespace, and nobody is all-mighty there.

    What a role of somebody's own allows may change any day, so over a cluster it is not looked at what it is.
    """
    role = one.at("roleRef", "name")
    if role.text() in HARMLESS:
        return
    wide = one.kind == "ClusterRoleBinding"
    for subject in one.at("subjects").items():
        where, user = _where(subject), subject.at("name").text() or ""
        if not (scene.tenant_s(where) or (user in EVERYBODY and (wide or scene.tenant_s(one.namespace)))):
            continue
        if wide or role.text() == "cluster-admin":
            yield at(role, f"is {role.text()!r} for {where or user}, a tenant's: bind a role of what it needs.")
        elif where != one.namespace:
            yield at(
                subject,
                f"is {where or user}, which gets rights in {one.namespace}: bind accounts of that namespace only.",
            )


def _where(subject: Node) -> str | None:
    """The namespace of an account, which its name as a user or as a group of users has in it, too."""
    name = subject.at("name").text() or ""
    if name.startswith(ACCOUNT):
        return name.removeprefix(ACCOUNT).partition(":")[0]
    return name.removeprefix(ACCOUNTS) if name.startswith(ACCOUNTS) else subject.at("namespace").text()


POLICY = Policy(
    name="no-privileges",
    title="Tenants have no privileges",
    description="In a tenant's namespace no pod reaches its node (privileged, host networks, host paths, "
    "capabilities), and no account has rights over the cluster or in another namespace.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Leave the privilege out; what needs it is an agent of the cluster and belongs to the catalogue.",
    subjects=subjects,
    judge=judge,
    tags=("isolation",),
)
