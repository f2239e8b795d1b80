"""One controller for all stand-ins in all clusters: it follows every kind that is there, from when it is there."""

import contextlib
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field

from sandbox import definitions
from sandbox.api_server import ApiServer
from sandbox.client import BROKEN, Manifest, Refused
from sandbox.operators import ceph, control_plane, failures, flux_operator, greenhouse, hypervisor_share, secret_stores
from sandbox.operators.failures import Failures
from sandbox.operators.operator import Next, Place, differs
from sandbox.operators.stages import Stage, load, stage_of
from sandbox.pki import write_secret
from sandbox.sandbox import Sandbox
from sandbox.vault import Vault, serve
from sandbox.workqueue import WorkQueue

REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
AT_ONCE = 2  # in each cluster
AGAIN_SECONDS = 0.5
STAND_INS = (ceph, control_plane, flux_operator, greenhouse, hypervisor_share, secret_stores)
OPERATORS = {(one.api_version, one.kind): one for module in STAND_INS for one in module.OPERATORS}
KINDS = sorted({*OPERATORS, *((one.api_version, one.kind) for one in load())})  # all that have a stand-in
PUSHED = "ExternalSecret"  # looked at again when the vault changes


@dataclass(kw_only=True)
class Controller:
    """The stand-ins of each cluster have threads of their own: one that does not answer keeps no other waiting."""

    vault: Vault
    failures: Failures
    clusters: list["Cluster"] = field(default_factory=list["Cluster"])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.vault.on_change(lambda: self._again(PUSHED))
        self.failures.on_change(self._again)

    def follow(self, cluster: ApiServer) -> None:
        """Every kind that has a stand-in, as soon as the cluster has the kind."""
        self.begin(Place(cluster=cluster.name, client=cluster.client, vault=self.vault))

    def begin(self, place: Place) -> "Cluster":
        cluster = Cluster(place=place, failures=self.failures)
        with self._lock:
            there = [one for one in self.clusters if not one.place.client.closed.is_set()]
            self.clusters = [*there, cluster]
        threading.Thread(target=cluster.follow, daemon=True, name=f"kinds-{place.cluster}").start()
        return cluster

    def _again(self, kind: str | None = None) -> None:
        for cluster in self.clusters:
            cluster.again(kind)


@dataclass(kw_only=True)
class Cluster:
    """The objects of one cluster that have a stand-in, and the work on them."""

    place: Place
    failures: Failures
    objects: dict[str, Manifest] = field(default_factory=dict[str, Manifest])
    due: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])  # the stage, and its time
    queue: WorkQueue = field(init=False)

    def __post_init__(self) -> None:
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=f"operators-{self.place.cluster}")
        self.queue = WorkQueue(work=self._work, pool=pool)

    def follow(self) -> None:
        """Until the cluster goes."""
        followed: set[tuple[str, str]] = set()
        for event in self.place.client.watch(definitions.API, definitions.KIND, partial=True):
            for kind in _kinds(event.object["metadata"]["name"]):
                if kind not in followed:
                    followed.add(kind)
                    threading.Thread(target=self._follow, args=kind, daemon=True, name=kind[1]).start()
        self.queue.close()

    def again(self, kind: str | None = None) -> None:
        """Look at everything once more, or at all of a kind."""
        for key in list(self.objects):
            if kind is None or key.split("/")[0] == kind:
                self.queue.put(key)

    def _follow(self, api_version: str, kind: str) -> None:
        for event in self.place.client.watch(api_version, kind):
            metadata = event.object["metadata"]
            key = "/".join((kind, metadata.get("namespace", ""), metadata["name"], metadata["uid"]))
            if event.type == "DELETED":
                self.objects.pop(key, None)
                self.due.pop(key, None)
            else:
                self.objects[key] = event.object
                self.queue.put(key)

    def _work(self, key: str) -> float | None:
        manifest = self.objects.get(key)
        if manifest is None or self.place.client.closed.is_set():
            return None
        try:
            return self._reconcile(key, manifest)
        except (Refused, *BROKEN) as error:
            if not isinstance(error, Refused) or error.status not in (404, 409):  # gone, or changed meanwhile
                print(f"{self.place.cluster}/{key}: {error}", flush=True)
        except Exception:  # noqa: BLE001  (the next object must not suffer)
            traceback.print_exc()
        return AGAIN_SECONDS

    def _reconcile(self, key: str, manifest: Manifest) -> float | None:
        failure = self.failures.of(self.place.cluster, manifest)
        if failure:
            operator = OPERATORS.get((manifest["apiVersion"], manifest["kind"]))
            _write(self.place, manifest, failure.status(manifest, operator.failing if operator else {}))
            return None  # the end of a failure is a change that everything is looked at for
        found = _found(self.place, manifest)
        if found.status and _write(self.place, manifest, found.status):
            return found.again
        stage = stage_of(manifest) if found.go_on else None
        if stage:
            return self._pass(key, manifest, stage) or found.again
        if found.go_on:
            _observe(self.place, manifest)
        return found.again

    def _pass(self, key: str, manifest: Manifest, stage: Stage) -> float | None:
        """Let a stage's time pass, then do what it says."""
        name, when = self.due.get(key, ("", 0.0))
        if name != stage.name:
            when = time.monotonic() + stage.delay
            self.due[key] = (stage.name, when)
        if (left := when - time.monotonic()) > 0:
            return left
        self.due.pop(key, None)
        status = stage.status_for(manifest)
        if status:
            self.place.client.patch_status(manifest, status)
        if (finalizers := stage.finalizers(manifest)) != manifest["metadata"].get("finalizers", []):
            self.place.client.patch(manifest, {"metadata": {"finalizers": finalizers}})
        return None


def _kinds(definition: str) -> Iterator[tuple[str, str]]:
    """The kinds with a stand-in that a definition, as in cephclients.ceph.rook.io, stands for."""
    plural, _, group = definition.partition(".")
    for api_version, kind in KINDS:
        if api_version.split("/")[0] == group and plural in plurals(kind):
            yield api_version, kind


def plurals(kind: str) -> tuple[str, ...]:
    """English has three; each kind has one of them, and no other kind of a group has it."""
    name = kind.lower()
    return f"{name}s", f"{name}es", f"{name[:-1]}ies"


def _found(place: Place, manifest: Manifest) -> Next:
    operator = OPERATORS.get((manifest["apiVersion"], manifest["kind"]))
    if operator is None:
        return Next()
    deleting = "deletionTimestamp" in manifest["metadata"]
    return (operator.delete if deleting else operator.work)(place, manifest)


def _write(place: Place, manifest: Manifest, status: Manifest) -> bool:
    if not differs(status, manifest.get("status")):
        return False
    place.client.patch_status(manifest, status)
    return True


def _observe(place: Place, manifest: Manifest) -> None:
    """A change of the spec needs no work here, but whoever waits for it must see that it was seen."""
    generation, status = manifest["metadata"].get("generation"), manifest.get("status", {})
    if status.get("observedGeneration", generation) != generation:
        place.client.patch_status(manifest, {"observedGeneration": generation})


def start(sandbox: Sandbox) -> None:
    """The phase of the start: stand-ins at work in the management cluster and in every Shoot's, beside one vault."""
    vault = Vault()
    faults = Failures(file=sandbox.folder / failures.FILE)
    controller = Controller(vault=vault, failures=faults)
    faults.on_change(lambda: _tell(sandbox, faults))
    faults.follow()
    controller.follow(sandbox.management)
    sandbox.on_cluster(controller.follow)
    sandbox.reach("vault", serve(vault, lambda token: _issued(sandbox, token)))
    write_secret(sandbox.folder / "vault-token", vault.root.encode())


def _tell(sandbox: Sandbox, faults: Failures) -> None:
    """Whoever wished for a failure waits for this."""
    sandbox.status.failures = [asdict(one) for one in faults.now]
    sandbox.tell()


def _issued(sandbox: Sandbox, token: str) -> bool:
    """Whether a cluster of the sandbox says that a token is one of its own service accounts'."""
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
    for cluster in (sandbox.management, *sandbox.clusters().values()):
        with contextlib.suppress(Refused, *BROKEN):
            if cluster.client.request("POST", REVIEWS, review)["status"].get("authenticated"):
                return True
    return False
