"""What runs for a tenant has no power over the node that it runs on, nor over the cluster."""

from collections.abc import Iterator

from policies.objects import Node, Object
from policies.policy import Policy, Severity, Violation, at
from policies.scene import Scene

WORKLOADS = ("Pod", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "Job", "CronJob")
POD = {"Pod": (), "CronJob": ("spec", "jobTemplate", "spec", "template")}
CAPABILITIES = ("ALL", "SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO")
HOST = ("hostNetwork", "hostPID", "hostIPC")
MIGHTY = ("cluster-admin", "admin")
ENFORCE = "pod-security.kubernetes.io/enforce"
TENANTS = "openstack-"


def subjects(scene: Scene) -> list[Object]:
    return [one for one in scene.objects if one.kind and (_of_tenant(one, scene) or one.kind == "ClusterRoleBinding")]


def _of_tenant(one: Object, scene: Scene) -> bool:
    namespaces = {tenant.plane.namespace for tenant in scene.tenants}
    where = one.name if one.is_a("", "Namespace") else one.namespace
    return where is not None and (where in namespaces or where.startswith(TENANTS))


def judge(one: Object, scene: Scene) -> Iterator[Violation]:
    if one.kind in WORKLOADS:
        yield from _pod(one.at(*POD.get(one.kind, ("spec", "template"))).at("spec"))
    elif one.is_a("", "Namespace"):
        level = one.at("metadata", "labels", ENFORCE)
        if level.text() == "privileged":
            yield at(level, "is 'privileged' in a tenant's namespace: use baseline or restricted.")
    elif one.kind in ("RoleBinding", "ClusterRoleBinding"):
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
    """Rights over a whole cluster are nobody's in a tenant's namespace; over the namespace, they may be."""
    role = one.at("roleRef", "name")
    if one.kind != "ClusterRoleBinding" and role.text() != "cluster-admin":
        return
    names = {tenant.plane.namespace for tenant in scene.tenants}
    for subject in one.at("subjects").items():
        where = subject.at("namespace").text()
        user = subject.at("name").text() or ""
        theirs = where is not None and (where in names or where.startswith(TENANTS))
        if (
            theirs or f"serviceaccount:{TENANTS}" in user or f"serviceaccounts:{TENANTS}" in user
        ) and role.text() in MIGHTY:
            yield at(role, f"is {role.text()!r} for {where or user}, a tenant's: bind a role of what it needs.")


POLICY = Policy(
    name="no-privileges",
    title="Tenants have no privileges",
    description="In a tenant's namespace no pod reaches its node (privileged, host networks, host paths, "
    "capabilities), and no account has rights over the cluster.",
    severity=Severity.CRITICAL,
    level="mandatory",
    remedy="Leave the privilege out; what needs it is an agent of the cluster and belongs to the catalogue.",
    subjects=subjects,
    judge=judge,
    tags=("isolation",),
)
