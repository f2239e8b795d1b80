"""The words of the catalogue, beside those of the domain."""

import re
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from model.catalog.versions import VersionRange
from model.problems import Finding, InnerError
from model.words import Environment, Name

ClusterKind = Literal["management", "control-plane", "hypervisor", "storage"]
Phase = Literal["F0", "F1", "F2", "F3", "H", "T"]

CLUSTER_KINDS: tuple[ClusterKind, ...] = get_args(ClusterKind)
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)
PHASES: tuple[Phase, ...] = get_args(Phase)


def _bounded(value: str) -> str:
    VersionRange.parse(value)
    return value


def _unique(names: tuple[str, ...]) -> tuple[str, ...]:
    again = [
        Finding((at,), f"is {name!r} a second time: name it once")
        for at, name in enumerate(names)
        if name in names[:at]
    ]
    if again:
        raise InnerError(again)
    return names


def _pattern(pattern: str, remedy: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(remedy)
        return value

    return AfterValidator(check)


_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
Crd = Annotated[str, _pattern(rf"[a-z0-9]+(\.{_LABEL})+", "write plural and group, as in certificates.cert-manager.io")]
Sentence = Annotated[str, _pattern(r"(?s).{10,400}", "write a sentence, of at most 400 characters")]
Version = Annotated[str, AfterValidator(_bounded)]
Commit = Annotated[str, _pattern(r"[0-9a-f]{40}", "write the whole commit, 40 hexadecimal digits")]
Https = Annotated[str, _pattern(r"https://[^\s/]+(/\S*)?", "begin with https://")]
Oci = Annotated[str, _pattern(r"oci://[^\s/]+(/[^\s/]+)*", "begin with oci:// and leave out the slash at the end")]
Folder = Annotated[str, _pattern(r"\./\S*", "begin with ./")]
MinorVersion = Annotated[str, _pattern(r"1\.[0-9]+", 'write a minor version in quotation marks, as in "1.33"')]
Clusters = Annotated[tuple[ClusterKind, ...], Field(min_length=1), AfterValidator(_unique)]
Crds = Annotated[tuple[Crd, ...], AfterValidator(_unique)]
Systems = Annotated[tuple[Name, ...], AfterValidator(_unique)]
