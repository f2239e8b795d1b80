"""The CRDs of crds/own, held against a real API server: no other judge knows their CEL rules, costs and structure."""

import copy
import re
from collections.abc import Generator, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from tests.servers import Answer, ApiServer, Manifest, api_server, until
from tools import cache

pytestmark = pytest.mark.servers

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | bool | None"

HERE = Path(__file__).resolve().parent
ESTABLISHED_SECONDS = 60.0


def parse(text: str) -> list[Any]:
    return [document for document in yaml.load_all(text, Loader=yaml.CSafeLoader) if document]


def kind_of(crd: Manifest) -> str:
    """A name for a kind that is unique: several groups have an InfrastructureConfig."""
    return f"{crd['spec']['names']['kind']}.{crd['spec']['group']}"


def kind_of_object(manifest: Manifest) -> str:
    return f"{manifest['kind']}.{manifest['apiVersion'].split('/')[0]}"


def name_of(entry: Manifest) -> str:
    return f"{kind_of_object(entry)}: {entry['message']}"


OWN = {
    kind_of(crd): crd
    for file in sorted((cache.ROOT / "crds" / "own").glob("*.yaml"))
    for crd in parse(file.read_text())
}
GOOD: dict[str, Manifest] = {
    file.stem: parse(file.read_text())[0] for file in sorted((HERE / "objects").glob("*.yaml"))
}
REFUSED: list[Manifest] = parse((HERE / "refused.yaml").read_text())[0]

own = pytest.mark.parametrize("kind", OWN)
good = pytest.mark.parametrize("kind", GOOD)


@pytest.fixture(scope="session")
def server() -> Generator[ApiServer]:
    with api_server() as running:
        yield running


@pytest.fixture(scope="session")
def defined(server: ApiServer) -> dict[str, Answer]:
    """What the server answered to each CRD; whoever gets this finds the accepted ones in use."""
    answers = {kind: server.create(crd) for kind, crd in OWN.items()}
    accepted = [kind for kind, answer in answers.items() if answer.status == HTTPStatus.CREATED]

    def waiting() -> list[str]:
        return [kind for kind in accepted if condition(server, kind, "Established") != "True"]

    until(lambda: not waiting() or None, lambda: f"not established: {', '.join(waiting())}", ESTABLISHED_SECONDS)
    return answers


@pytest.fixture(scope="session")
def stored(server: ApiServer, defined: dict[str, Answer]) -> dict[str, Answer]:
    """What the server answered to each good object whose kind it accepted."""
    namespaces = {manifest["metadata"].get("namespace", "default") for manifest in GOOD.values()}
    for namespace in namespaces:
        server.namespace(namespace)
    usable = {kind for kind, answer in defined.items() if answer.status == HTTPStatus.CREATED}
    return {kind: server.create(manifest) for kind, manifest in GOOD.items() if kind in usable}


@own
def test_an_own_crd_is_accepted_without_a_warning(kind: str, defined: dict[str, Answer]) -> None:
    answer = defined[kind]
    assert answer.status == HTTPStatus.CREATED, f"the API server refuses the CRD of {kind}: {answer.message}"
    assert not answer.warnings, f"the API server warns of the CRD of {kind}: {'; '.join(answer.warnings)}"


@own
def test_an_own_crd_is_structural(kind: str, server: ApiServer, defined: dict[str, Answer]) -> None:
    assert kind in defined
    assert condition(server, kind, "NonStructuralSchema") != "True", (
        f"the schema of {kind} is not structural: rules and pruning do not work with it"
    )


@good
def test_a_good_object_is_accepted_and_kept_whole(kind: str, server: ApiServer, stored: dict[str, Answer]) -> None:
    require_stored(kind, stored)
    assert not stored[kind].warnings, f"the good {kind} is warned of: {'; '.join(stored[kind].warnings)}"
    lost = sorted(differences(GOOD[kind], server.get(GOOD[kind]).body))
    assert not lost, f"{kind} does not come back as it was sent: {', '.join(lost)}"


@good
def test_a_good_object_can_be_sent_again(kind: str, server: ApiServer, stored: dict[str, Answer]) -> None:
    """As every `pulumi up` and every controller does; a rule about changes must see none."""
    require_stored(kind, stored)
    answer = server.replace(server.get(GOOD[kind]).body, dry_run=True)
    assert answer.status == HTTPStatus.OK, f"an update that changes nothing of {kind} is refused: {answer.message}"


@pytest.mark.parametrize("entry", REFUSED, ids=name_of)
def test_a_wrong_object_is_refused_with_the_reason(
    entry: Manifest, server: ApiServer, stored: dict[str, Answer]
) -> None:
    kind = kind_of_object(entry)
    require_stored(kind, stored)
    if entry.get("update"):
        answer = server.replace(changed(server.get(GOOD[kind]).body, entry), dry_run=True)
    else:
        # Under another name, so that "already exists" cannot stand for the refusal.
        fresh = copy.deepcopy(GOOD[kind])
        fresh["metadata"]["name"] = "refused"
        answer = server.create(changed(fresh, entry), dry_run=True)
    assert answer.status not in (HTTPStatus.OK, HTTPStatus.CREATED), f"accepted, but wrong: {entry['because']}"
    assert answer.status == HTTPStatus.UNPROCESSABLE_ENTITY, (
        f"refused as {answer.status}, not for what is wrong ({entry['because']}): {answer.message}"
    )
    fields = [name for name, reasons in answer.fields.items() if entry["message"] in " ".join(reasons)]
    assert fields, f"refused without saying {entry['message']!r} ({entry['because']}): {answer.message}"
    paths = [change["path"] for change in entry["change"]]
    assert any(related(name, path) for name in fields for path in paths), (
        f"{entry['message']!r} was said of {fields}, not of {paths}, so another rule refused it ({entry['because']})"
    )


@own
def test_every_rule_has_an_example_of_what_it_refuses(kind: str) -> None:
    expected = [entry["message"] for entry in REFUSED if kind_of_object(entry) == kind]
    silent = [
        f"{path or 'the object'}: {rule.get('message', rule['rule'])}"
        for path, rule in rules(OWN[kind])
        if not any(message in rule.get("message", "") for message in expected)
    ]
    assert not silent, f"refused.yaml has no {kind} that these rules refuse: {'; '.join(silent)}"


@own
def test_what_has_the_same_fields_has_the_same_rules(kind: str) -> None:
    """An example in refused.yaml reaches one place; a rule that a kind repeats must not be missing at another."""
    shapes: dict[str, dict[str, list[str]]] = {}
    for path, schema in nodes(OWN[kind]):
        fields: Manifest = schema.get("properties", {})
        held = {name: field.get("x-kubernetes-validations", []) for name, field in {".": schema, **fields}.items()}
        if fields:
            shapes.setdefault(", ".join(sorted(fields)), {}).setdefault(repr(sorted(held.items())), []).append(path)
    for shape, places in shapes.items():
        groups = " / ".join(", ".join(paths) for paths in places.values())
        assert len(places) == 1, f"{kind}: the same fields ({shape}) are held by other rules at {groups}"


def test_every_kind_has_a_good_object_and_every_object_a_kind() -> None:
    named = {kind_of_object(manifest) for manifest in GOOD.values()}
    assert set(GOOD) == named, f"files named otherwise than their object: {sorted(set(GOOD) ^ named)}"
    assert set(GOOD) == set(OWN), f"a CRD without a good object, or the reverse: {sorted(set(GOOD) ^ set(OWN))}"
    strangers = {kind_of_object(entry) for entry in REFUSED} - set(OWN)
    assert not strangers, f"refused.yaml names kinds that crds/own does not have: {sorted(strangers)}"


def require_stored(kind: str, stored: dict[str, Answer]) -> None:
    """Fail with one clear reason where a good object is needed as a start."""
    assert kind in stored, f"{kind} has no CRD that the server accepts"
    assert stored[kind].status == HTTPStatus.CREATED, f"the good {kind} is refused: {stored[kind].message}"


def condition(server: ApiServer, kind: str, name: str) -> str | None:
    conditions: list[dict[str, str]] = server.get(OWN[kind]).body.get("status", {}).get("conditions", [])
    return next((row["status"] for row in conditions if row["type"] == name), None)


def nodes(crd: Manifest) -> Iterator[tuple[str, Manifest]]:
    """Every schema of a CRD with the path to it."""

    def under(path: str, schema: Manifest) -> Iterator[tuple[str, Manifest]]:
        yield path, schema
        children: dict[str, Json] = {f"{path}.{name}": child for name, child in schema.get("properties", {}).items()}
        children |= {f"{path}[]": schema.get("items"), f"{path}.*": schema.get("additionalProperties")}
        for name, child in children.items():
            if isinstance(child, dict):
                yield from under(name.removeprefix("."), child)

    for version in crd["spec"]["versions"]:
        yield from under("", version["schema"]["openAPIV3Schema"])


def rules(crd: Manifest) -> Iterator[tuple[str, dict[str, str]]]:
    for path, schema in nodes(crd):
        for rule in schema.get("x-kubernetes-validations", []):
            yield path, rule


def changed(manifest: Manifest, entry: Manifest) -> Manifest:
    """The manifest with an entry's changes; the head of refused.yaml says what a path and a value mean."""
    for change in entry["change"]:
        *parents, last = change["path"].split(".")
        node: Json = manifest
        for step in parents:
            node = below(node, step)
        new: list[Json] = [] if change["value"] is None else [change["value"]]
        if isinstance(node, list):
            assert int(last) < len(node) + len(new), f"{change['path']} is past the end of the good object's list"
            node[int(last) : int(last) + 1] = new
        elif new:
            mapping(node)[last] = new[0]
        else:
            del mapping(node)[last]
    return manifest


def below(node: Json, step: str) -> Json:
    return node[int(step)] if isinstance(node, list) else mapping(node)[step]


def mapping(node: Json) -> dict[str, Json]:
    assert isinstance(node, dict), f"no object is here to change: {node!r}"
    return node


def differences(sent: Json, kept: Json, path: str = "") -> Iterator[str]:
    """The paths of what was sent and is not there; more may be there, as a server adds its own."""
    if isinstance(sent, dict) and isinstance(kept, dict):
        for name, value in sent.items():
            yield from differences(value, kept.get(name), f"{path}.{name}".removeprefix("."))
    elif isinstance(sent, list) and isinstance(kept, list) and len(sent) == len(kept):
        for number, pair in enumerate(zip(sent, kept, strict=True)):
            yield from differences(*pair, f"{path}[{number}]")
    elif sent != kept:
        yield path


def related(field: str, path: str) -> bool:
    """Whether a refused field (a.b[0].c) is a changed path (a.b.0.c), above it or below it."""
    told, changed_ = re.findall(r"[^.\[\]]+", field), path.split(".")
    told = [] if field == "<nil>" else told  # what the server calls the whole object
    shorter = min(len(told), len(changed_))
    return told[:shorter] == changed_[:shorter]
