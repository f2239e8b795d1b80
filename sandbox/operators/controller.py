"""One controller for all stand-ins in all clusters: it follows every kind that is there, from when it is there."""

import contextlib
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

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
AT_ONCE = 4
AGAIN_SECONDS = 0.5
STAND_INS = (ceph, control_plane, flux_operator, greenhouse, hypervisor_share, secret_stores)
OPERATORS = {(one.api_version, one.kind): one for module in STAND_INS for one in module.OPERATORS}
PUSHED = "ExternalSecret"  # looked at again when the vault changes


@dataclass(frozen=True, kw_only=True)
class Watched:
    place: Place
    manifest: Manifest


@dataclass(kw_only=True)
class Controller:
    vault: Vault
    failures: Failures
    objects: dict[str, Watched] = field(default_factory=dict[str, Watched])
    due: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])  # the stage, and its time
    queue: WorkQueue = field(init=False)

    def __post_init__(self) -> None:
        self.queue = WorkQueue(work=self._work, pool=ThreadPoolExecutor(AT_ONCE, thread_name_prefix="operators"))
        self.vault.on_change(lambda: self._again(PUSHED))
        self.failures.on_change(self._again)

    def follow(self, cluster: ApiServer) -> None:
        """Every kind that has a stand-in, as soon as the cluster has the kind."""
        place = Place(cluster=cluster.name, client=cluster.client, vault=self.vault)
        threading.Thread(target=self._follow_kinds, args=(place,), daemon=True, name=f"kinds-{cluster.name}").start()

    def _follow_kinds(self, place: Place) -> None:
        followed: set[tuple[str, str]] = set()
        for event in place.client.watch(definitions.API, definitions.KIND, partial=True):
            for kind in _kinds(event.object["metadata"]["name"]):
                if kind not in followed:
                    followed.add(kind)
                    threading.Thread(target=self._follow, args=(place, *kind), daemon=True, name=kind[1]).start()

    def _follow(self, place: Place, api_version: str, kind: str) -> None:
        for event in place.client.watch(api_version, kind):
            metadata = event.object["metadata"]
            key = "/".join((place.cluster, kind, metadata.get("namespace", ""), metadata["name"], metadata["uid"]))
            if event.type == "DELETED":
                self.objects.pop(key, None)
                self.due.pop(key, None)
            else:
                self.objects[key] = Watched(place=place, manifest=event.object)
                self.queue.put(key)

    def _again(self, kind: str | None = None) -> None:
        for key in list(self.objects):
            if kind is None or key.split("/")[1] == kind:
                self.queue.put(key)

    def _work(self, key: str) -> float | None:
        watched = self.objects.get(key)
        if watched is None or watched.place.client.closed.is_set():
            return None
        try:
            return self._reconcile(key, watched.place, watched.manifest)
        except (Refused, *BROKEN) as error:
            if not isinstance(error, Refused) or error.status not in (404, 409):  # gone, or changed meanwhile
                print(f"{key}: {error}", flush=True)
        except Exception:  # noqa: BLE001  (the next object must not suffer)
            traceback.print_exc()
        return AGAIN_SECONDS

    def _reconcile(self, key: str, place: Place, manifest: Manifest) -> float | None:
        failure = self.failures.of(place.cluster, manifest)
        if failure:
            if failure.status:
                _write(place, manifest, failure.status(manifest))
            return None  # the end of a failure is a change that everything is looked at for
        found = _found(place, manifest)
        if found.status and _write(place, manifest, found.status):
            return found.again
        stage = stage_of(manifest) if found.go_on else None
        if stage:
            return self._pass(key, place, manifest, stage) or found.again
        if found.go_on:
            _observe(place, manifest)
        return found.again

    def _pass(self, key: str, place: Place, manifest: Manifest, stage: Stage) -> float | None:
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
            place.client.patch_status(manifest, status)
        if (finalizers := stage.finalizers(manifest)) != manifest["metadata"].get("finalizers", []):
            place.client.patch(manifest, {"metadata": {"finalizers": finalizers}})
        return None


def _kinds(definition: str) -> Iterator[tuple[str, str]]:
    """The kinds with a stand-in that a definition, as in cephclients.ceph.rook.io, stands for."""
    plural, _, group = definition.partition(".")
    for api_version, kind in {*OPERATORS, *((one.api_version, one.kind) for one in load())}:
        if api_version.split("/")[0] == group and plural in _plurals(kind):
            yield api_version, kind


def _plurals(kind: str) -> tuple[str, ...]:
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
    faults.follow()
    controller.follow(sandbox.management)
    sandbox.on_cluster(controller.follow)
    sandbox.status.endpoints["vault"] = serve(vault, lambda token: _issued(sandbox, token))
    write_secret(sandbox.folder / "vault-token", vault.root.encode())


def _issued(sandbox: Sandbox, token: str) -> bool:
    """Whether a cluster of the sandbox says that a token is one of its own service accounts'."""
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
    for cluster in (sandbox.management, *sandbox.clusters().values()):
        with contextlib.suppress(Refused, *BROKEN):
            if cluster.client.request("POST", REVIEWS, review)["status"].get("authenticated"):
                return True
    return False
