"""External Secrets: stores, secrets pushed into the vault, and secrets made of what is in it; with its own messages."""

import base64
import json
import re
from typing import Any, cast

from sandbox.client import Manifest
from sandbox.operators.operator import Next, Operator, Place, condition, owned, part
from sandbox.operators.stages import find, now

API = "external-secrets.io/v1"
PUSH_API = "external-secrets.io/v1alpha1"
FINALIZER = "pushsecret.externalsecrets.io/finalizer"
AGAIN_SECONDS = 1.0  # while something is missing
LOOK_SECONDS = 10.0  # at a source that nobody watches
_FIELD = re.compile(r"\{\{-?\s*\.(?P<key>[\w.-]+)\s*-?\}\}")


class Failed(Exception):  # noqa: N818  (the message is the operator's)
    """Becomes the message of the condition Ready."""


def store(_place: Place, manifest: Manifest) -> Next:
    if find(".spec.provider.vault", manifest) is None:
        return _not_ready(manifest, "ValidationFailed", "could not validate provider: the sandbox has only vault")
    ready = condition(manifest, "Ready", status=True, reason="Valid", message="store validated")
    return Next(status={"capabilities": "ReadWrite", "conditions": [ready]})


def external_secret(place: Place, manifest: Manifest) -> Next:
    name: str = part(manifest, "spec", "target").get("name") or manifest["metadata"]["name"]
    try:
        data = _fetched(place, manifest)
        version = _provide(place, manifest, name, data)
    except Failed as failed:
        return _not_ready(manifest, "SecretSyncedError", str(failed))
    ready = condition(manifest, "Ready", status=True, reason="SecretSynced", message="secret synced")
    status: Manifest = {"binding": {"name": name}, "conditions": [ready], "syncedResourceVersion": version}
    if find(".status.syncedResourceVersion", manifest) != version:
        status["refreshTime"] = now()
    return Next(status=status)


def push_secret(place: Place, manifest: Manifest) -> Next:
    try:
        mounts = [_mount(place, manifest, one) for one in manifest["spec"]["secretStoreRefs"]]
        source = _source(place, manifest)
        for mount in mounts:
            for one in manifest["spec"].get("data", []):
                _push(place, mount, one["match"], source)
    except Failed as failed:
        return _not_ready(manifest, "Errored", str(failed))
    _finalize(place, manifest)
    message = "PushSecret synced successfully"
    ready = condition(manifest, "Ready", status=True, reason="Synced", message=message)
    return Next(status={"conditions": [ready]}, again=LOOK_SECONDS)


def push_secret_gone(place: Place, manifest: Manifest) -> Next:
    if FINALIZER in manifest["metadata"].get("finalizers", []):
        for reference in manifest["spec"]["secretStoreRefs"]:
            for one in manifest["spec"].get("data", []):
                try:
                    mount = _mount(place, manifest, reference)
                except Failed:
                    continue  # with the store gone there is nothing to reach
                _unpush(place, mount, one["match"]["remoteRef"])
        rest = [one for one in manifest["metadata"]["finalizers"] if one != FINALIZER]
        place.client.patch(manifest, {"metadata": {"finalizers": rest}})
    return Next()


OPERATORS = [
    Operator(api_version=API, kind="SecretStore", work=store),
    Operator(api_version=API, kind="ClusterSecretStore", work=store),
    Operator(api_version=API, kind="ExternalSecret", work=external_secret),
    Operator(api_version=PUSH_API, kind="PushSecret", work=push_secret, delete=push_secret_gone),
]


def _not_ready(manifest: Manifest, reason: str, message: str) -> Next:
    failed = condition(manifest, "Ready", status=False, reason=reason, message=message)
    return Next(status={"conditions": [failed]}, again=AGAIN_SECONDS)


def _mount(place: Place, manifest: Manifest, reference: Manifest) -> str:
    """The engine that a store leads to, if the store is there and ready."""
    kind: str = reference.get("kind") or "SecretStore"
    name: str = reference.get("name") or ""
    namespace = None if kind == "ClusterSecretStore" else manifest["metadata"]["namespace"]
    found = place.client.get(API, kind, name, namespace)
    if found is None:
        plural = f"{kind.lower()}s.external-secrets.io"
        raise Failed(f'could not get {kind} "{name}", {plural} "{name}" not found')
    if find('.status.conditions.[] | select( .type == "Ready" ) | .status', found) != "True":
        raise Failed(f'{kind} "{name}" is not ready')
    return str(find(".spec.provider.vault.path", found) or "secret").strip("/")


def _fetched(place: Place, manifest: Manifest) -> dict[str, str]:
    spec: Manifest = manifest["spec"]
    data: dict[str, str] = {}
    for one in spec.get("dataFrom", []):
        reference = part(one, "extract")
        mount = _mount(place, manifest, part(one, "sourceRef", "storeRef") or spec["secretStoreRef"])
        data |= {key: _text(value) for key, value in _read(place, mount, reference).items()}
    for one in spec.get("data", []):
        reference = one["remoteRef"]
        mount = _mount(place, manifest, part(one, "sourceRef", "storeRef") or spec["secretStoreRef"])
        secret = _read(place, mount, reference)
        wanted: str | None = reference.get("property")
        if wanted and wanted not in secret:
            raise Failed(f"could not get secret data from provider: property {wanted} does not exist in the secret")
        data[one["secretKey"]] = _text(secret[wanted]) if wanted else json.dumps(secret)
    return data


def _read(place: Place, mount: str, reference: Manifest) -> dict[str, Any]:
    key: str = reference.get("key", "")
    secret = place.vault.read(mount, key.removeprefix(f"{mount}/"))
    if secret is None:
        raise Failed(f"could not get secret data from provider: Secret does not exist: {mount}/{key}")
    return secret


def _provide(place: Place, manifest: Manifest, name: str, data: dict[str, str]) -> str:
    """Make the Secret, or leave it when it is the same; its version."""
    target, template = part(manifest, "spec", "target"), part(manifest, "spec", "target", "template")
    if "data" in template:
        made = {key: _render(text, data) for key, text in template["data"].items()}
        data = {**data, **made} if template.get("mergePolicy") == "Merge" else made
    secret = owned(manifest, "v1", "Secret", name)
    if target.get("creationPolicy", "Owner") != "Owner":
        del secret["metadata"]["ownerReferences"]
    secret["metadata"] |= part(template, "metadata")
    secret |= {"type": template.get("type") or "Opaque", "data": {key: _encoded(text) for key, text in data.items()}}
    return place.client.apply(secret)["metadata"]["resourceVersion"]


def _render(text: str, data: dict[str, str]) -> str:
    rendered = _FIELD.sub(lambda found: data.get(found["key"], "<no value>"), text)
    if "{{" in rendered:
        raise Failed("could not apply template: the sandbox knows only {{ .name }}")
    return rendered


def _source(place: Place, manifest: Manifest) -> dict[str, str]:
    name: str = manifest["spec"]["selector"]["secret"]["name"]
    secret = place.client.get("v1", "Secret", name, manifest["metadata"]["namespace"])
    if secret is None:
        raise Failed(f'could not get source secret: secrets "{name}" not found')
    return {key: base64.b64decode(value).decode() for key, value in secret.get("data", {}).items()}


def _push(place: Place, mount: str, match: Manifest, source: dict[str, str]) -> None:
    reference: Manifest = match["remoteRef"]
    path, wanted = reference["remoteKey"].removeprefix(f"{mount}/"), match.get("secretKey")
    if wanted and wanted not in source:
        raise Failed(f"set secret failed: secret key {wanted} does not exist")
    value: Any = source[wanted] if wanted else dict(source)
    if "property" in reference:
        value = {**(place.vault.read(mount, path) or {}), reference["property"]: _text(value)}
    elif wanted:
        try:
            value = json.loads(value)
        except ValueError:
            raise Failed("set secret failed: error unmarshalling vault secret: the value is no JSON") from None
    place.vault.write(mount, path, value)


def _unpush(place: Place, mount: str, reference: Manifest) -> None:
    path = reference["remoteKey"].removeprefix(f"{mount}/")
    rest = place.vault.read(mount, path) or {}
    rest.pop(reference.get("property", ""), None)
    if rest and "property" in reference:
        place.vault.write(mount, path, rest)
    else:
        place.vault.delete(mount, path)


def _finalize(place: Place, manifest: Manifest) -> None:
    there = cast("list[str]", manifest["metadata"].get("finalizers", []))
    if manifest["spec"].get("deletionPolicy") == "Delete" and FINALIZER not in there:
        place.client.patch(manifest, {"metadata": {"finalizers": [*there, FINALIZER]}})


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
