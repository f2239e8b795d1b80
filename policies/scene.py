"""What all objects of a stack say together: its clusters, its tenants, and who has what where."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from policies.exemptions import Exemption
from policies.objects import Node, NotKnownError, NotReadableError, Object
from policies.values import Unknown

GARDENER, CEPH, C5C3 = "core.gardener.cloud", "ceph.rook.io", "c5c3.io"
CLUSTER, KIND, REGION = "c5c3.io/cluster", "c5c3.io/cluster-kind", "c5c3.io/region"
TENANT, ENVIRONMENT, SIZE = "c5c3.io/tenant", "c5c3.io/environment", "c5c3.io/size"
MACHINE_POOL = "c5c3.io/machine-pool"
ROLE = "node-role.kubernetes.io/"
KINDS = ("control-plane", "hypervisor", "storage")
ENDING = ("CephClient", "CephObjectStoreUser")  # called <service>-<tenant>; all else is <tenant>-<what>
TENANTS = "openstack-"  # what a tenant's namespace begins with
DATA = ("volumes", "images", "ephemeral", "pool")  # fields that name pools of Ceph
POOLS = ("CephBlockPool", "CephFilesystem", "CephObjectStore")


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster of the region, as its Shoot describes it."""

    shoot: Object

    @cached_property
    def name(self) -> str:
        """Its name among the claims; Gardener's own may be shorter."""
        return self.shoot.label(CLUSTER) or self.shoot.name or self.shoot.resource

    @cached_property
    def workers(self) -> list[Node]:
        return list(self.shoot.at("spec", "provider", "workers").items())

    @cached_property
    def kind(self) -> str | None:
        """By its label, or else by what its nodes are for."""
        label = self.shoot.label(KIND)
        if label in KINDS:
            return label
        for kind in ("storage", "hypervisor"):
            if any(
                f"{ROLE}{kind}" in one.at("labels").mapping() or one.at("name").text() == kind for one in self.workers
            ):
                return kind
        return "control-plane" if self.shoot.at("spec", "provider", "type").text() == "openstack" else None

    @cached_property
    def region(self) -> str | None:
        return self.shoot.label(REGION) or self.shoot.at("spec", "region").text()

    @cached_property
    def labels(self) -> dict[str, str]:
        """Those of the Shoot and of its nodes: either says what the pool is for."""
        found = [one.at("labels").mapping() for one in self.workers]
        return {key: value for labels in [*found, self.shoot.labels] for key, value in labels.items()}

    @property
    def nodes(self) -> int:
        """Those that it has at least."""
        return sum(one.at("minimum").number() or 0 for one in self.workers)

    @cached_property
    def zones(self) -> set[str]:
        return {zone for one in self.workers for zone in one.at("zones").texts()}

    @cached_property
    def machine_pools(self) -> list[Node]:
        found = [one.at("providerConfig", "extraServerLabels", MACHINE_POOL) for one in self.workers]
        return [one for one in found if one.text()]

    @cached_property
    def bare(self) -> bool:
        """Whether it takes servers, and for a group of workers whichever there are."""
        machines = self.shoot.at("spec", "provider", "type").text() == "openstack"
        return not machines and len(self.machine_pools) < len(self.workers)


@dataclass(frozen=True, eq=False)
class Tenant:
    """A tenant of the region, as its ControlPlane describes it."""

    plane: Object

    @cached_property
    def name(self) -> str:
        return self.plane.name or self.plane.label(TENANT) or self.plane.resource

    @property
    def environment(self) -> str:
        """What nobody calls otherwise is held to the rules of production."""
        return self.plane.label(ENVIRONMENT) or "production"

    @property
    def size(self) -> str | None:
        return self.plane.label(SIZE)

    def pools(self, kind: str) -> list[Node]:
        """The names of the pools that it is to have, of one kind."""
        path = ("compute", "hypervisorClusters") if kind == "hypervisor" else ("storage", "storageClusters")
        return list(self.plane.at("spec", *path).items())

    @cached_property
    def references(self) -> list[tuple[Node, str]]:
        found = [(node, node.text()) for kind in ("hypervisor", "storage") for node in self.pools(kind)]
        return [(node, name) for node, name in found if name]

    def data(self) -> Iterator[tuple[str, str]]:
        """The pools of Ceph that its services use, each with what for."""
        for path, tree in self.plane.at("spec").mappings():
            for key in (one for one in DATA if one in tree):
                name = Node(self.plane, f"spec.{path}.{key}", tree.get(key))
                if not isinstance(name.value, dict | list) and (text := name.text()):
                    yield (_role(path) if key == "pool" else key), text

    def shares(self) -> dict[str, Node]:
        """Nodes that are promised to it, by pool."""
        pools = {pool.at("name").text(): pool.at("nodes") for pool in self.plane.at("spec", "compute", "pools").items()}
        return {name: nodes for name, nodes in pools.items() if name and nodes.number() is not None}


def _role(path: str) -> str:
    """By the service whose setting it is: `services.nova.ephemeral`, `services.glance.backend`; else volumes."""
    parts = path.split(".")
    if "ephemeral" in parts:
        return "ephemeral"
    return "images" if "glance" in parts else "volumes"


class Names:
    """Which cluster a provider stands for: its identifier is the namespace and name of the Shoot."""

    def __init__(self) -> None:
        self._clusters: dict[str, str] = {}

    def learn(self, one: Object) -> None:
        if one.is_a(GARDENER, "Shoot"):
            try:
                name = one.label(CLUSTER)
            except (NotKnownError, NotReadableError):
                name = None  # the policies that want the label say so
            self._clusters[f"{one.namespace}/{one.name}"] = name or str(one.name)

    def tell(self, one: Object) -> None:
        identifier = one.place.identifier
        known = identifier if identifier and not isinstance(identifier, Unknown) else one.place.provider
        one.cluster = self._clusters.get(known, known)


@dataclass(frozen=True, kw_only=True)
class Scene:
    objects: Sequence[Object]
    exemptions: Sequence[Exemption] = ()
    today: date = field(default_factory=date.today)

    @staticmethod
    def of(objects: Iterable[Object], exemptions: Sequence[Exemption] = (), today: date | None = None) -> "Scene":
        """With every object in the cluster that its provider names, in an order that two runs share."""
        found, names = sorted(objects, key=lambda one: one.urn), Names()
        for one in found:
            names.learn(one)
        for one in found:
            names.tell(one)
        return Scene(objects=found, exemptions=exemptions, today=today or date.today())  # noqa: DTZ011  (a day of the person who reads it)

    def of_kind(self, group: str, *kinds: str) -> list[Object]:
        return [one for kind in kinds for one in self._by_kind.get((group, kind), [])]

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], list[Object]]:
        found: dict[tuple[str, str], list[Object]] = {}
        for one in self.objects:
            found.setdefault((one.group, one.kind), []).append(one)
        return found

    @cached_property
    def clusters(self) -> list[Cluster]:
        return [Cluster(one) for one in self.of_kind(GARDENER, "Shoot")]

    def pools(self, *kinds: str) -> dict[str, Cluster]:
        return {one.name: one for one in self.clusters if one.kind in (kinds or ("hypervisor", "storage"))}

    @cached_property
    def tenants(self) -> list[Tenant]:
        return [Tenant(one) for one in self.of_kind(C5C3, "ControlPlane")]

    @cached_property
    def by_name(self) -> dict[str, Tenant]:
        return {one.name: one for one in self.tenants}

    @cached_property
    def _owned(self) -> dict[str, list[Object]]:
        found: dict[str, list[Object]] = {}
        for one in self.ceph():
            found.setdefault(self.tenant_of(one) or "", []).append(one)
        return found

    def owned(self, tenant: Tenant) -> list[Object]:
        """The pools, filesystems and object stores of a tenant."""
        return self._owned.get(tenant.name, [])

    @cached_property
    def users(self) -> dict[str, list[tuple[Node, Tenant]]]:
        """Who uses a pool: by what the ControlPlanes name, and by what stands in the pool's own cluster."""
        found: dict[str, list[tuple[Node, Tenant]]] = {}
        for tenant in self.tenants:
            try:
                references = tenant.references
            except (NotKnownError, NotReadableError):
                continue  # said by the policy that wants the pools to be there
            for name, node in {name: node for node, name in reversed(references)}.items():
                found.setdefault(name, []).append((node, tenant))
        return found

    def cluster_of(self, one: Object) -> Cluster | None:
        """The cluster of the region that an object stands in; none for the garden and the management cluster."""
        return self._clusters.get(one.cluster)

    @cached_property
    def _clusters(self) -> dict[str, Cluster]:
        return {one.name: one for one in self.clusters}

    @cached_property
    def _namespaces(self) -> set[str]:
        return {tenant.plane.namespace for tenant in self.tenants if tenant.plane.namespace}

    def tenant_s(self, namespace: str | None) -> bool:
        """Whether a namespace is a tenant's."""
        return namespace is not None and (namespace.startswith(TENANTS) or namespace in self._namespaces)

    @cached_property
    def roles(self) -> dict[str, set[str]]:
        """What each pool of Ceph is for, by the ControlPlanes that name it; one that none names is for anything."""
        found: dict[str, set[str]] = {}
        for tenant in self.tenants:
            try:
                named = [*tenant.data()]
            except (NotKnownError, NotReadableError):
                continue  # said by the policy that wants the names to be the tenant's
            for role, pool in named:
                found.setdefault(pool, set()).add(role)
        return found

    def only(self, pool: Object, *roles: str) -> bool:
        """Whether a pool is used, and for nothing else."""
        used = self.roles.get(pool.name or "", set[str]()) | self.roles.get(
            pool.at("spec", "name").text() or "", set[str]()
        )
        return bool(used) and used <= set(roles)

    def tenant_of(self, one: Object) -> str | None:
        """Whose an object is: by its namespace, its label, or a tenant's name before its own."""
        label = one.label(TENANT)
        if label:
            return label
        if one.namespace and one.namespace.startswith(TENANTS):
            return one.namespace.removeprefix(TENANTS)
        return self.named_after(one.name or "", ends=one.kind in ENDING)

    def named_after(self, name: str, *, ends: bool = False) -> str | None:
        """The tenant whose name a name begins (or ends) with: the longest, as team-b's is not team's."""
        parts = name.split("-")
        begins = ["-".join(parts[:at]) for at in range(len(parts) - 1, 0, -1)]
        finishes = ["-".join(parts[at:]) for at in range(1, len(parts))]
        order = [*finishes, *begins] if ends else [*begins, *finishes]
        return next((one for one in order if one in self.by_name), None)

    def ceph(self, *kinds: str) -> Iterator[Object]:
        """Objects of Ceph that are a tenant's: not those of the Ceph cluster itself."""
        for one in self.of_kind(CEPH, *(kinds or POOLS)):
            if one.at("spec", "name").text() not in (".mgr", ".nfs", ".rgw.root"):
                yield one
