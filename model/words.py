"""The words of the domain, each with the one rule that makes it valid and says what would be."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema

from model.quantity import quantity

OLDEST_KUBERNETES = 33
TENANT_LENGTH = 53  # its namespace is openstack-<tenant>, and a namespace has at most 63 characters
MOST_MEMBERS = 9  # of a quorum


@dataclass(frozen=True)
class Form:
    """What a text looks like: the model holds it to the pattern, and the editor does so by the same pattern."""

    like: str
    """The word and an example, for the reader."""
    pattern: re.Pattern[str]
    remedy: str

    def check(self, value: str) -> str:
        if not self.pattern.fullmatch(value):
            raise ValueError(self.remedy)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        # Below allOf, as a word may have several forms, and as pydantic reads a key's own pattern in another way.
        known = handler(schema)
        form = {"title": self.like, "pattern": f"^(?:{self.pattern.pattern})$", "patternErrorMessage": self.remedy}
        return {**known, "allOf": [*known.get("allOf", []), form]}


def in_bytes(capacity: str) -> int:
    """How many bytes a Capacity is."""
    if not _CAPACITY.pattern.fullmatch(capacity):
        raise ValueError(f"{capacity} is not a capacity")
    return int(quantity(capacity))


def _cidr(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        raise ValueError(_CIDR.remedy) from None
    return value


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("use an odd number: an even one tolerates no more failures and can split in halves")
    return value


_LABEL = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_OWN_LABELS = "c5c3.io/"
_TENS, _ONES = divmod(OLDEST_KUBERNETES, 10)
_OCTET = r"(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

_NAME = Form(
    "name",
    re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
    "use lower-case letters, digits and hyphens, beginning and ending with a letter or digit",
)
_CAPACITY = Form(
    "capacity such as 500Ti",
    re.compile(r"([1-9][0-9]*)(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)"),
    "use a whole number with a unit, as in 200Gi or 500Ti",
)
_VERSION = Form(
    'version such as "1.35"',
    re.compile(r"1\.(0|[1-9][0-9]{0,3})(\.(0|[1-9][0-9]{0,3}))?"),
    'use a Kubernetes version in quotation marks, as in "1.35" or "1.35.4"',
)
_SUPPORTED = Form(
    f"1.{OLDEST_KUBERNETES} or newer",
    re.compile(rf"1\.({_TENS}[{_ONES}-9]|[{_TENS + 1}-9][0-9]|[1-9][0-9]{{2,}})(\..*)?"),
    f"use 1.{OLDEST_KUBERNETES} or newer: Gardener and the operators support nothing older",
)
_CIDR = Form(
    "network such as 10.250.0.0/16",
    re.compile(
        rf"({_OCTET}\.){{3}}{_OCTET}/(3[0-2]|[12]?[0-9])|"
        rf"[0-9A-Fa-f:]*:([0-9A-Fa-f]*|({_OCTET}\.){{3}}{_OCTET})/(12[0-8]|1[01][0-9]|[1-9]?[0-9])"
    ),
    "use a network in CIDR notation, as in 10.250.0.0/16",
)
_LABEL_KEY = Form(
    "label key",
    re.compile(rf"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?{_LABEL}"),
    "use a Kubernetes label key: letters, digits, '-', '_' and '.', with an optional prefix/",
)
_FOREIGN_LABEL = Form(
    "label key of another prefix",
    re.compile(rf"(?!{_OWN_LABELS.replace('.', '[.]')}).*"),
    f"use another prefix than {_OWN_LABELS}: the program sets these labels itself",
)
_LABEL_VALUE = Form(
    "label value",
    re.compile(f"({_LABEL})?"),
    "use at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit",
)
_TIME = Form(
    'time and offset such as "220000+0100"',
    re.compile(r"([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9][+-](0[0-9]|1[0-4])[0-5][0-9]"),
    'use a time with its offset from UTC in quotation marks, as in "220000+0100"',
)
_CRON = Form(
    'schedule such as "0 2 * * *"',
    re.compile(r"[-0-9*/,]+( [-0-9*/,A-Za-z]+){4}"),
    'use five fields of cron in quotation marks, as in "0 2 * * *"',
)
_TAG = Form(
    "tag",
    re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"),
    "use a tag of letters, digits, '_', '.' and '-', as in v2025.2",
)
_DIGEST = Form("digest such as sha256:…", re.compile(r"sha256:[0-9a-f]{64}"), "use sha256: and 64 hexadecimal digits")
_REPOSITORY = Form(
    "image path such as registry.example.org/openstack/nova",
    re.compile(r"[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+"),
    "use registry and path without a tag, as in ghcr.io/c5c3/nova",
)
_PROJECT = Form(
    "namespace of a Gardener project",
    re.compile(r"garden-.+"),
    "use a name that begins with garden-, as in garden-c5c3",
)
_HTTPS = Form(
    "address such as https://issuer.example.com",
    re.compile(r"https://[a-z0-9.-]+(:[0-9]{1,5})?(/[^?#\s]*)?"),
    "use an https address without a query, as in https://issuer.example.com",
)
_VAULT = Form(
    "address such as https://openbao.example.com:8200",
    re.compile(r"(https://[a-z0-9.-]+|http://127\.0\.0\.1)(:[0-9]{1,5})?"),
    "use an https address without a path, as in https://openbao.example.com:8200",
)
_OCI = Form(
    "address such as oci://mirror.example.com/charts",
    re.compile(r"oci://[a-z0-9.-]+(:[0-9]{1,5})?(/[a-z0-9._-]+)*"),
    "use the address of an OCI registry, or of a folder of one, as in oci://mirror.example.com/charts",
)
_PEM = Form(
    "certificates in PEM",
    re.compile(r"\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s-]+-----END CERTIFICATE-----\s*"),
    "use certificates in PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----",
)
_FIXED = Form("tag", re.compile(r"(?!latest$).*"), "use a fixed tag: latest is another image tomorrow")

# A text's length comes first: what is too long needs no other remedy.
Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=253)]
Https = Annotated[str, StringConstraints(max_length=512), _HTTPS]
Vault = Annotated[str, StringConstraints(max_length=512), _VAULT]
Oci = Annotated[str, StringConstraints(max_length=512), _OCI]
Pem = Annotated[str, StringConstraints(max_length=65536), _PEM]
Name = Annotated[str, StringConstraints(min_length=1, max_length=63), _NAME]
ClusterName = Name
MachinePool = Name
MachineClass = Name
ProjectNamespace = Annotated[Name, _PROJECT]
TenantName = Annotated[str, StringConstraints(min_length=1, max_length=TENANT_LENGTH), _NAME]
KubernetesVersion = Annotated[str, _VERSION, _SUPPORTED]
Capacity = Annotated[str, StringConstraints(max_length=20), _CAPACITY]
Cidr = Annotated[str, _CIDR, AfterValidator(_cidr)]
LabelKey = Annotated[str, StringConstraints(max_length=253), _LABEL_KEY, _FOREIGN_LABEL]
LabelValue = Annotated[str, _LABEL_VALUE]
TimeOfDay = Annotated[str, _TIME]
Schedule = Annotated[str, StringConstraints(max_length=100), _CRON]
Tag = Annotated[str, _TAG, _FIXED]
Digest = Annotated[str, _DIGEST]
Repository = Annotated[str, StringConstraints(max_length=253), _REPOSITORY]

Workers = Annotated[int, Field(ge=1, le=1000, strict=True)]
Nodes = Annotated[int, Field(ge=1, le=1000, strict=True)]
Replicas = Annotated[int, Field(ge=1, le=15, strict=True)]
Quorum = Annotated[
    int,
    AfterValidator(_odd),
    Field(ge=1, le=MOST_MEMBERS, strict=True),
    WithJsonSchema({"type": "integer", "enum": list(range(1, MOST_MEMBERS + 1, 2))}),
]
Replication = Annotated[int, Field(ge=1, le=5, strict=True)]
Mtu = Annotated[int, Field(ge=1280, le=9216, strict=True)]
QuotaGB = Annotated[int, Field(ge=0, le=10**9, strict=True)]

Environment = Literal["production", "staging", "development"]
Size = Literal["small", "medium", "large", "xlarge"]
Compression = Literal["none", "passive", "aggressive", "force"]
