"""CRDs as the schema engine can read them: the kinds and versions in use, and nothing that only a server needs."""

from typing import Any, cast

import yaml

Crd = dict[str, Any]
Schema = dict[str, Any]

# External Secrets knows dozens of secret stores, 600 kB of schema; regions use OpenBao, which speaks Vault's API.
# (One of the others is called `pulumi`, a property name that Pulumi reserves.)
STORE_KINDS = ("ClusterSecretStore", "SecretStore")
STORE_PROVIDERS = ("vault",)

# Validation that repeats what the properties beside it say; the engine would take it for the type itself.
JUNCTORS = ("oneOf", "anyOf", "allOf", "not")


def parse(text: str) -> list[Crd]:
    return [
        document
        for document in yaml.load_all(text, Loader=yaml.CSafeLoader)
        if document and document.get("kind") == "CustomResourceDefinition"
    ]


def kind(crd: Crd) -> str:
    return crd["spec"]["names"]["kind"]


def served(crd: Crd, *, cluster: bool) -> Crd:
    """A CRD made of Go types as its own server serves it: controller-gen sees neither scope nor status."""
    if cluster:
        crd["spec"]["scope"] = "Cluster"
    for version in crd["spec"]["versions"]:
        if "status" in version["schema"]["openAPIV3Schema"]["properties"]:
            version["subresources"] = {"status": {}}
    return crd


def prepare(crd: Crd, *, typed_values: bool = False) -> Crd:
    """One kind, reduced to the version that is stored, without defaults and bare validation.

    A default that the client sends is a field that the client then owns, and the engine fails on structured ones.
    With `typed_values`, free-form nodes take anything, so that a typed object of another group can stand there.
    """
    version = _version(crd)
    schema: Schema = version["schema"]["openAPIV3Schema"]
    if kind(crd) in STORE_KINDS:
        _only_stores(schema)
    _reduce(schema, typed_values=typed_values)
    spec = crd["spec"]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": crd["metadata"]["name"]},
        "spec": {
            "group": spec["group"],
            "names": spec["names"],
            "scope": spec["scope"],
            "versions": [{"name": version["name"], "served": True, "storage": True, "schema": version["schema"]}],
        },
    }


def api_version(crd: Crd) -> str:
    return f"{crd['spec']['group']}/{_version(crd)['name']}"


def _version(crd: Crd) -> dict[str, Any]:
    served = [version for version in crd["spec"]["versions"] if version["served"]]
    return next((version for version in served if version["storage"]), served[0])


def _only_stores(schema: Schema) -> None:
    provider = schema["properties"]["spec"]["properties"]["provider"]
    provider["properties"] = {name: provider["properties"][name] for name in STORE_PROVIDERS}


def _reduce(schema: Schema, *, typed_values: bool) -> None:
    for word in ("default", *JUNCTORS):
        schema.pop(word, None)
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        if "properties" in schema:
            # Known fields keep their types: the engine would make the whole node free-form.
            del schema["x-kubernetes-preserve-unknown-fields"]
        elif typed_values:
            schema.clear()
    for name, child in schema.get("properties", {}).items():
        if child.get("type") == "object" and not name.isidentifier():
            child.clear()  # the engine makes a type's name of it, which Pulumi refuses; as free-form it passes
    children: list[Any] = [
        *schema.get("properties", {}).values(),
        schema.get("items"),
        schema.get("additionalProperties"),
    ]
    for child in children:
        if isinstance(child, dict):
            _reduce(cast("Schema", child), typed_values=typed_values)
