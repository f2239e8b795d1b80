"""Stack files made of claim manifests, such as those that a Crossplane installation gives out."""

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, cast

import yaml

from model.load import LISTS, claim_files, stack_file
from model.manifests import Manifest, manifests
from model.places import of_document, sentence
from model.problems import Finding, Problems
from model.source import Document, documents, read_text

HEADER = """\
# yaml-language-server: $schema=docs/stack.schema.json
# Made of the claims in {folder}. The claims do not say where the garden is: put its kubeconfig there, or name its file.
"""


def convert(folder: Path, into: Path) -> None:
    """One stack file for each region that the claims name. What is left out is said, and what is wrong too."""
    if not folder.is_dir():
        raise Problems([f"{folder} is no folder: name the one with the claims, as in make claims FROM=export."])
    claims: defaultdict[str, list[Manifest]] = defaultdict(list)
    left: list[str] = []
    for document in _documents(folder):
        for one in manifests(document):
            if isinstance(one, Finding):
                left.append(_no_claim(document, one) if one.path[-1] == "kind" else of_document(document, one))
                continue
            aside = [Finding(path, f"is left out: {why}") for path, why in one.aside]
            left += [of_document(document, finding) for finding in [*aside, *one.mistakes]]
            claims[str(one.entry.get("region"))].append(one)
    if not claims:
        raise Problems([*left, f"{folder} holds no claims: export them with kubectl get … -o yaml."])
    targets = {region: into / f"Pulumi.{region}.yaml" for region in claims}
    there = [target for target in targets.values() if target.exists()]
    if there:
        raise Problems(
            [f"{target} is there already: move it away, or write elsewhere: INTO=folder." for target in there]
        )
    for region, found in claims.items():
        targets[region].write_text(HEADER.format(folder=folder) + _yaml(region, found))
    for line in left:
        print(line, file=sys.stderr)
    _report(targets, claims)


def _documents(folder: Path) -> list[Document]:
    problems: list[str] = []
    found: list[Document] = []
    for file in claim_files(folder):
        try:
            found += documents(read_text(file, str(file)), str(file))
        except Problems as one:
            problems += one.sentences
    if problems:
        raise Problems(problems)
    return found


def _yaml(region: str, found: list[Manifest]) -> str:
    config: dict[str, Any] = {
        "cobaltcore:region": region,
        "cobaltcore:garden": {"kubeconfig": f"~/.garden/{region}.yaml"},
    }
    planes = [one.entry for one in found if one.key == "controlPlane"]
    if planes:
        config["cobaltcore:controlPlane"] = planes[0]
    for key in LISTS:
        entries = [one.entry for one in found if one.key == key]
        if entries:
            config[f"cobaltcore:{key}"] = entries
    return yaml.dump({"config": config}, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)


def _report(targets: dict[str, Path], claims: dict[str, list[Manifest]]) -> None:
    wrong: list[str] = []
    for region, target in targets.items():
        print(f"{target}: {len(claims[region])} claims.")
        planes = [one.name for one in claims[region] if one.key == "controlPlane"]
        if planes[1:]:
            wrong.append(
                f"{target} has the first control plane only, as a region has one: {', '.join(planes[1:])} left out."
            )
        try:
            stack_file(region, target.parent)
        except Problems as problems:
            wrong += problems.sentences
    if wrong:
        raise Problems([*wrong, "The files are written; mend these before a preview."])


def _no_claim(document: Document, finding: Finding) -> str:
    """A manifest of another kind, by its own name."""
    value = document.value
    for part in finding.path[:-1]:
        value = value[part]
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    metadata = given.get("metadata")
    name = cast("dict[str, Any]", metadata).get("name", "") if isinstance(metadata, dict) else ""
    what = f"{given.get('kind', 'something without a kind')} {name}".rstrip()
    return sentence(document.file, document.line(finding.path[:-1]) or 1, what, "is left out: it is no claim")


class _Plain(yaml.SafeDumper):
    """Writes a value again where it is used again: a stack file has no anchors."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  (PyYAML's signature)
        return True
