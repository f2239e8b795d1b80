"""Flux's operator: the objects of a ResourceSet, as they stand there. It has no templates here and prunes nothing."""

from sandbox.client import Manifest
from sandbox.operators.operator import Next, Operator, Place, condition, part

API = "fluxcd.controlplane.io/v1"
AGAIN_SECONDS = 1.0


def resource_set(place: Place, manifest: Manifest) -> Next:
    for one in part(manifest, "spec").get("resources", []):
        namespace = one["metadata"].get("namespace")
        if namespace and place.client.get("v1", "Namespace", namespace) is None:
            message = f'namespaces "{namespace}" not found'
            failed = condition(manifest, "Ready", status=False, reason="ReconciliationFailed", message=message)
            return Next(status={"conditions": [failed]}, again=AGAIN_SECONDS)
        place.client.apply(one)
    message = "Reconciliation finished"
    ready = condition(manifest, "Ready", status=True, reason="ReconciliationSucceeded", message=message)
    return Next(status={"conditions": [ready]})


OPERATORS = [Operator(api_version=API, kind="ResourceSet", work=resource_set)]
