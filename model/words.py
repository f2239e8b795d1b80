"""The words of the domain, each with the one rule that makes it valid."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_QUANTITY = re.compile(r"[1-9][0-9]*(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)")


def _dns_label(value: str) -> str:
    if not _DNS_LABEL.fullmatch(value):
        raise ValueError("use lower-case letters, digits and hyphens, beginning and ending with a letter or digit")
    return value


def _quantity(value: str) -> str:
    if not _QUANTITY.fullmatch(value):
        raise ValueError("use a whole number with a unit, as in 200Gi or 500Ti")
    return value


def _kubernetes_version(value: str) -> str:
    if not re.fullmatch(r"1\.[0-9]+(\.[0-9]+)?", value):
        raise ValueError('use a Kubernetes version in quotation marks, as in "1.35" or "1.35.4"')
    if int(value.split(".")[1]) < OLDEST_KUBERNETES:
        raise ValueError(f"use 1.{OLDEST_KUBERNETES} or newer: Gardener and the operators support nothing older")
    return value


OLDEST_KUBERNETES = 33

Name = Annotated[str, AfterValidator(_dns_label), Field(max_length=63)]
ClusterName = Name
KubernetesVersion = Annotated[str, AfterValidator(_kubernetes_version)]
Capacity = Annotated[str, AfterValidator(_quantity)]
Workers = Annotated[int, Field(ge=1, le=1000, strict=True)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=253)]
