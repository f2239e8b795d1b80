"""The words of the domain, each with the one rule that makes it valid and says what would be."""

import ipaddress
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

OLDEST_KUBERNETES = 33
TENANT_LENGTH = 53  # its namespace is openstack-<tenant>, and a namespace has at most 63 characters
_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_QUANTITY = re.compile(r"([1-9][0-9]*)(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)")
_LABEL_KEY = re.compile(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_OWN_LABELS = "c5c3.io/"
_UNITS = {"k": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4, "P": 1000**5} | {
    "Ki": 1024,
    "Mi": 1024**2,
    "Gi": 1024**3,
    "Ti": 1024**4,
    "Pi": 1024**5,
}


def in_bytes(capacity: str) -> int:
    """How many bytes a Capacity is."""
    found = _QUANTITY.fullmatch(capacity)
    if found is None:
        raise ValueError(f"{capacity} is not a capacity")
    return int(found[1]) * _UNITS[found[2]]


def _dns_label(value: str) -> str:
    if not _DNS_LABEL.fullmatch(value):
        raise ValueError("use lower-case letters, digits and hyphens, beginning and ending with a letter or digit")
    return value


def _quantity(value: str) -> str:
    if not _QUANTITY.fullmatch(value):
        raise ValueError("use a whole number with a unit, as in 200Gi or 500Ti")
    return value


def _kubernetes_version(value: str) -> str:
    if not re.fullmatch(r"1\.(0|[1-9][0-9]{0,3})(\.(0|[1-9][0-9]{0,3}))?", value):
        raise ValueError('use a Kubernetes version in quotation marks, as in "1.35" or "1.35.4"')
    if int(value.split(".")[1]) < OLDEST_KUBERNETES:
        raise ValueError(f"use 1.{OLDEST_KUBERNETES} or newer: Gardener and the operators support nothing older")
    return value


def _cidr(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        raise ValueError("use a network in CIDR notation, as in 10.250.0.0/16") from None
    if "/" not in value:
        raise ValueError("use a network in CIDR notation, as in 10.250.0.0/16")
    return value


def _label_key(value: str) -> str:
    if not _LABEL_KEY.fullmatch(value):
        raise ValueError("use a Kubernetes label key: letters, digits, '-', '_' and '.', with an optional prefix/")
    if value.startswith(_OWN_LABELS):
        raise ValueError(f"use another prefix than {_OWN_LABELS}: the program sets these labels itself")
    return value


def _label_value(value: str) -> str:
    if not _LABEL_VALUE.fullmatch(value):
        raise ValueError(
            "use at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"
        )
    return value


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("use an odd number: an even one tolerates no more failures and can split in halves")
    return value


def _time_of_day(value: str) -> str:
    if not re.fullmatch(r"([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9][+-](0[0-9]|1[0-4])[0-5][0-9]", value):
        raise ValueError('use a time with its offset from UTC in quotation marks, as in "220000+0100"')
    return value


def _schedule(value: str) -> str:
    if not re.fullmatch(r"[-0-9*/,]+( [-0-9*/,A-Za-z]+){4}", value):
        raise ValueError('use five fields of cron in quotation marks, as in "0 2 * * *"')
    return value


def _pinned_tag(value: str) -> str:
    if value == "latest":
        raise ValueError("use a fixed tag: latest is another image tomorrow")
    return value


Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=253)]
Name = Annotated[str, AfterValidator(_dns_label), StringConstraints(min_length=1, max_length=63)]
ClusterName = Name
MachinePool = Name
MachineClass = Name
TenantName = Annotated[str, AfterValidator(_dns_label), StringConstraints(min_length=1, max_length=TENANT_LENGTH)]
KubernetesVersion = Annotated[str, AfterValidator(_kubernetes_version)]
Capacity = Annotated[str, AfterValidator(_quantity), StringConstraints(max_length=20)]
Cidr = Annotated[str, AfterValidator(_cidr)]
LabelKey = Annotated[str, AfterValidator(_label_key), StringConstraints(max_length=253)]
LabelValue = Annotated[str, AfterValidator(_label_value)]
TimeOfDay = Annotated[str, AfterValidator(_time_of_day)]
Schedule = Annotated[str, AfterValidator(_schedule), StringConstraints(max_length=100)]
Tag = Annotated[str, AfterValidator(_pinned_tag), StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
Repository = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+$", max_length=253)]

Workers = Annotated[int, Field(ge=1, le=1000, strict=True)]
Nodes = Annotated[int, Field(ge=1, le=1000, strict=True)]
Replicas = Annotated[int, Field(ge=1, le=15, strict=True)]
Quorum = Annotated[int, AfterValidator(_odd), Field(ge=1, le=9, strict=True)]
Replication = Annotated[int, Field(ge=1, le=5, strict=True)]
Mtu = Annotated[int, Field(ge=1280, le=9216, strict=True)]
QuotaGB = Annotated[int, Field(ge=0, le=10**9, strict=True)]

Environment = Literal["production", "staging", "development"]
Size = Literal["small", "medium", "large", "xlarge"]
Compression = Literal["none", "passive", "aggressive", "force"]
