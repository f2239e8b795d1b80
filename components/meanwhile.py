"""What an update says while it waits: Gardener's and Flux's own words, long before its time is over."""

import contextvars
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pulumi

from access import flux_status, operator_status, shoot_status
from access.garden import CORE, Garden as Connection, Object
from access.problem import Problem
from model.region import RegionSpec

LOOK_SECONDS = 10.0
PATIENCE_SECONDS = 20.0  # much goes wrong for a moment and mends itself
KINDS = ("helm.toolkit.fluxcd.io/v2/helmreleases", "kustomize.toolkit.fluxcd.io/v1/kustomizations")
OURS = "labelSelector=app.kubernetes.io%2Fmanaged-by%3Dpulumi"
STORES = "/apis/external-secrets.io/v1/clustersecretstores"
MANAGEMENT = "management"
Look = Callable[[], Mapping[str, str]]  # what is in trouble, and what is said of it


@dataclass(kw_only=True)
class Meanwhile:
    """Says once of each what is said of it, when that has been so for a while."""

    look: Look
    since: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    told: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    failed: bool = False  # a look, in a way that nobody has thought of

    def once(self, now: float) -> None:
        there = set(self.look().items())
        self.since = {one: self.since.get(one, now) for one in there}
        for what, said in sorted(there - self.told):
            if now - self.since[what, said] >= PATIENCE_SECONDS:
                self.told.add((what, said))
                pulumi.log.warn(f"Still waiting, perhaps for this: {what}. It says: {said}.")

    def run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self.patiently(time.monotonic())

    def patiently(self, now: float) -> None:
        """The update itself must not suffer, and the next look may succeed; but nobody is to wonder at the silence."""
        try:
            self.once(now)
        except Exception as error:  # noqa: BLE001  (whatever it is)
            if not self.failed:
                self.failed = True
                pulumi.log.info(
                    f"What the update waits for is not told at the moment: {type(error).__name__}, {error}."
                )


def tell(spec: RegionSpec) -> None:
    """Beside an update, until the program ends."""
    if pulumi.runtime.is_dry_run():
        return
    run = Meanwhile(look=lambda: dict(_trouble(spec))).run
    # What Pulumi logs to is known to this thread's context only.
    threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True, name="meanwhile").start()


def _trouble(spec: RegionSpec) -> Iterator[tuple[str, str]]:
    region = f"labelSelector=c5c3.io%2Fregion%3D{spec.region}"
    for shoot in _listed(spec.garden.kubeconfig, f"{CORE}/namespaces/{spec.garden.namespace}/shoots?{region}"):
        if said := shoot_status.trouble(shoot):
            yield f"cluster {shoot['metadata']['labels'][shoot_status.CLUSTER_LABEL]}", said
    if spec.management is None:
        return
    ours = {MANAGEMENT, spec.control_plane.name, *(pool.name for pool in spec.pools)}  # others' may be beside them
    for kind in KINDS:
        for release in _listed(spec.management.kubeconfig, f"/apis/{kind}?{OURS}"):
            cluster = release["metadata"]["labels"].get(flux_status.CLUSTER_LABEL, MANAGEMENT)
            said = flux_status.trouble(release)
            if said and cluster in ours:
                yield f"release {release['metadata']['name']} in cluster {cluster}", said
    for store in _listed(spec.management.kubeconfig, STORES):
        if said := operator_status.not_ready(store):
            yield f"{store['metadata']['name']} in cluster {MANAGEMENT}, where a new OpenBao is to be unsealed", said


def _listed(kubeconfig: str, path: str) -> list[Object]:
    """Who gives no answer is said elsewhere."""
    try:
        return (Connection.of(kubeconfig).get(path) or {}).get("items", [])
    except Problem:
        return []
