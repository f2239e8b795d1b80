"""The stand-in for Gardener's controllers: every Shoot gets its cluster, its nodes and its status."""

import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from sandbox import nodes, shoot_cluster, shoot_status
from sandbox.api_server import ApiServer
from sandbox.client import BROKEN, Manifest, Refused
from sandbox.operators import failures
from sandbox.sandbox import Sandbox
from sandbox.workqueue import WorkQueue
from tools.problem import Problem

CORE = shoot_cluster.CORE
AT_ONCE = 3  # a starting server keeps a core busy for some seconds
THREADS = 16  # a cluster that does not answer keeps one of them
AGAIN_SECONDS = 5.0
FINALIZER = "gardener"
GARDENER = {"id": "sandbox", "name": "sandbox", "version": "v1.150.0"}
OPERATION = "gardener.cloud/operation"


def start(sandbox: Sandbox) -> None:
    Controller(sandbox=sandbox).run()


@dataclass(kw_only=True)
class Controller:
    sandbox: Sandbox
    # The authentication ConfigMap that each Shoot names, for those that name one.
    trusting: dict[str, str | None] = field(default_factory=dict[str, str | None])
    failed: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    clusters: dict[str, ApiServer] = field(default_factory=dict[str, ApiServer])
    distrusted: set[str] = field(default_factory=set[str])  # whose authentication may have changed
    queue: WorkQueue = field(init=False)
    _starting: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(AT_ONCE))

    def __post_init__(self) -> None:
        self.queue = WorkQueue(work=self._work, pool=ThreadPoolExecutor(THREADS, thread_name_prefix="shoot"))

    def run(self) -> None:
        for watch in (self._watch_shoots, self._watch_authentication):
            threading.Thread(target=watch, daemon=True, name=watch.__name__).start()
        wishes = failures.Failures(file=self.sandbox.folder / failures.FILE)
        wishes.on_change(self._look_at_all)
        wishes.follow()

    def _look_at_all(self) -> None:
        for key in list(self.trusting):
            self.queue.put(key)

    def _watch_shoots(self) -> None:
        for event in self.sandbox.garden.client.watch(CORE, "Shoot"):
            key = _key(event.object)
            self.trusting[key] = shoot_cluster.authentication_name(event.object)
            if event.type == "DELETED":
                del self.trusting[key]
            self.queue.put(key)

    def _watch_authentication(self) -> None:
        """A server reads its configuration again by itself: a change of the ConfigMap needs no change of the Shoot."""
        for event in self.sandbox.garden.client.watch("v1", "ConfigMap", shoot_cluster.OUR_NAMESPACE):
            named = event.object["metadata"]["name"]
            for key, config_map in list(self.trusting.items()):
                if config_map == named:
                    self.distrusted.add(key)
                    self.queue.put(key)

    def _work(self, key: str) -> float | None:
        shoot = None
        try:
            # Asked for anew: what a watch told last may be older than what this controller wrote last.
            shoot = self.sandbox.garden.client.get(CORE, "Shoot", *reversed(key.split("/")))
            if shoot is None:
                self._forget(key)
            elif self._due(key, shoot):
                if (left := self._pause(key, shoot)) > 0:
                    return left
                if self._hangs(shoot):
                    return AGAIN_SECONDS
                (self._delete if _leaves(shoot) else self._reconcile)(key, shoot)
                self.failed.pop(key, None)
        except (Problem, Refused, *BROKEN) as error:
            print(f"{key}: {error}", flush=True)
            return self._fail(key, shoot, str(error))
        except Exception:  # noqa: BLE001  (the next Shoot must not suffer)
            traceback.print_exc()
            return self._fail(key, shoot, traceback.format_exc(limit=-1))
        return None

    def _wish(self, shoot: Manifest) -> failures.Failure | None:
        """What somebody wished to happen to a Shoot."""
        wishes = failures.read(self.sandbox.folder / failures.FILE)
        return next((one for one in wishes if one.hits("garden", shoot)), None)

    def _hangs(self, shoot: Manifest) -> bool:
        """Whether nothing is to happen to a Shoot; a wish that it fails is raised."""
        wish = self._wish(shoot)
        if wish and wish.how == "fail":
            raise Problem(wish.message)
        return wish is not None

    def _fail(self, key: str, shoot: Manifest | None, error: str) -> float:
        """Say so and try again, not sooner because of the news that this writes."""
        if shoot is not None:
            self.failed[key] = (shoot["metadata"]["generation"], time.monotonic() + AGAIN_SECONDS)
            self._report(shoot, error)
        return AGAIN_SECONDS

    def _pause(self, key: str, shoot: Manifest) -> float:
        """For how long a Shoot is left alone that has failed just now, as it was asked for last."""
        generation, until = self.failed.get(key, (0, 0.0))
        return until - time.monotonic() if generation == shoot["metadata"]["generation"] else 0.0

    def _due(self, key: str, shoot: Manifest) -> bool:
        """Whether something changed since the last success, or it is to go; the status itself changes nothing."""
        if _leaves(shoot):
            return FINALIZER in shoot["metadata"].get("finalizers", [])
        if key in self.distrusted:
            self.distrusted.discard(key)
            self.failed.pop(key, None)
            if key in self.clusters:
                self.clusters[key].trust_issuers(shoot_cluster.authentication(self.sandbox.garden.client, shoot))
        status = shoot.get("status", {})
        done = status.get("lastOperation", {}).get("state") == "Succeeded"
        seen = status.get("observedGeneration") == shoot["metadata"]["generation"]
        asked = OPERATION in shoot["metadata"].get("annotations", {})
        wish = self._wish(shoot)
        fails = wish is not None and wish.how == "fail"  # one that is ready too
        return asked or fails or not (done and seen and key in self.clusters)

    def _reconcile(self, key: str, shoot: Manifest) -> None:
        last = shoot.get("status", {}).get("lastOperation", {})
        begun = not last or (last["type"] == "Create" and last["state"] != "Succeeded")
        kind = "Create" if begun else "Reconcile"
        shoot = self._claim(shoot)
        identity = {"technicalID": shoot_cluster.technical_id(shoot), "uid": shoot["metadata"]["uid"]}
        seen = {"observedGeneration": shoot["metadata"]["generation"]}  # Gardener says so when it begins, too
        old = shoot.get("status", {}).get("conditions", [])
        fresh = {} if old else shoot_status.conditions("Progressing", old, message="The cluster is being made.")
        started = shoot_status.operation(kind, "Processing", 10, "Deploying the control plane.")
        shoot = self._tell(shoot, {**started, **identity, **seen, **fresh, "gardener": GARDENER, "hibernated": False})
        cluster = self._cluster(key, shoot)
        step = shoot_status.operation(kind, "Processing", 60, "Waiting until the workers are ready.")
        shoot = self._tell(shoot, {**step, "advertisedAddresses": shoot_cluster.addresses(cluster)})
        count = nodes.follow(cluster, shoot, self._machines(shoot))
        self._tell(
            shoot,
            {
                **shoot_status.operation(kind, "Succeeded", 100, f"The cluster is ready, with {count} nodes."),
                **shoot_status.conditions("True", old),
                "lastErrors": None,
            },
        )

    def _cluster(self, key: str, shoot: Manifest) -> ApiServer:
        """The Shoot's cluster, made if there is none, and published."""
        cluster = self.clusters.get(key)
        if cluster is None:
            with self._starting:
                cluster = shoot_cluster.make(self.sandbox, shoot)
            self.clusters[key] = cluster
        else:
            cluster.trust_issuers(shoot_cluster.authentication(self.sandbox.garden.client, shoot))
        if cluster.name not in self.sandbox.clusters():
            self.sandbox.add_cluster(cluster, shoot_cluster.aliases(shoot))
        shoot_cluster.publish(self.sandbox.garden.client, shoot, cluster)
        return cluster

    def _machines(self, shoot: Manifest) -> nodes.Machines:
        profile = self.sandbox.garden.client.get(CORE, "CloudProfile", shoot["spec"]["cloudProfile"]["name"]) or {}
        return {one["name"]: one for one in profile.get("spec", {}).get("machineTypes", [])}

    def _claim(self, shoot: Manifest) -> Manifest:
        """Put Gardener's finalizer on, and take the request for another look off."""
        metadata = shoot["metadata"]
        change: Manifest = {}
        if FINALIZER not in metadata.get("finalizers", []):
            change["finalizers"] = [*metadata.get("finalizers", []), FINALIZER]
        if OPERATION in metadata.get("annotations", {}):
            change["annotations"] = {OPERATION: None}
        return self.sandbox.garden.client.patch(shoot, {"metadata": change}) if change else shoot

    def _delete(self, key: str, shoot: Manifest) -> None:
        shoot = self._tell(shoot, shoot_status.operation("Delete", "Processing", 10, "Deleting the control plane."))
        self._forget(key)
        shoot_cluster.unpublish(self.sandbox.garden.client, shoot)
        # The real admission lets nobody take the finalizer off before this.
        shoot = self._tell(shoot, shoot_status.operation("Delete", "Succeeded", 100, "The cluster is gone."))
        kept = [one for one in shoot["metadata"].get("finalizers", []) if one != FINALIZER]
        self.sandbox.garden.client.patch(shoot, {"metadata": {"finalizers": kept}})

    def _forget(self, key: str) -> None:
        """What is left of the cluster when this fails goes at the next look."""
        cluster = self.clusters.get(key)
        if cluster:
            self.sandbox.drop_cluster(cluster.name)
            cluster.remove(self.sandbox.store)
            del self.clusters[key]

    def _tell(self, shoot: Manifest, status: Manifest) -> Manifest:
        return self.sandbox.garden.client.patch_status(shoot, status)

    def _report(self, shoot: Manifest, error: str) -> None:
        """The failure, where Gardener's users look for it."""
        last = shoot.get("status", {}).get("lastOperation", {})
        kind = "Delete" if _leaves(shoot) else last.get("type", "Create")
        progress = last.get("progress", 10) if last.get("type", kind) == kind else 10  # a deletion begins anew
        status = shoot_status.operation(kind, "Error", progress, error)
        try:
            seen = {"observedGeneration": shoot["metadata"]["generation"]}
            self._tell(shoot, {**status, **seen, **shoot_status.errors(error, shoot_status.PROBLEM)})
        except (Refused, *BROKEN) as failure:
            print(f"{_key(shoot)}: its status could not be written: {failure}", flush=True)


def _leaves(shoot: Manifest) -> bool:
    return "deletionTimestamp" in shoot["metadata"]


def _key(shoot: Manifest) -> str:
    return f"{shoot['metadata']['namespace']}/{shoot['metadata']['name']}"
