"""Where charts and Git sources are found in a mirror: one rule, for air-gapped sites and for the sandbox.

A mirror is an OCI registry, or a folder of one. Everything is found in it under the host and path of its origin:

    https://charts.jetstack.io, chart cert-manager     oci://mirror.example/charts/charts.jetstack.io/cert-manager
    oci://ghcr.io/c5c3/charts, chart keystone-operator oci://mirror.example/charts/ghcr.io/c5c3/charts/keystone-operator
    https://github.com/k-orc/openstack-...-controller  oci://mirror.example/charts/github.com/k-orc/openstack-...

    a chart that nobody has published                  oci://mirror.example/charts/unpublished/nova-operator

A HelmRepository's URL ends before the chart's name, which Flux appends. What is a Git repository at its origin is an
artifact of Flux in the mirror (`flux push artifact`), for an OCIRepository; its tag is the commit. So a whole site is
mirrored by a loop over the catalogue, and nobody keeps a table.
"""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

SCHEMES = ("oci", "https", "http", "ssh")
UNPUBLISHED = "unpublished"
# What the OCI distribution specification takes as one part of a repository's name.
_PART = re.compile(r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*")


@dataclass(frozen=True, kw_only=True)
class Mirror:
    """An OCI registry, or a folder of one, as in oci://mirror.example/charts."""

    url: str
    insecure: bool = False  # plain HTTP, as on the loopback
    digests: bool = True  # whether what it holds has the digests of the origins; the sandbox's small charts have not

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme != "oci" or not urlsplit(self.url).hostname:
            raise ValueError(f"{self.url} is no mirror: write the address of an OCI registry, as in oci://host/folder")

    @classmethod
    def at(cls, url: str) -> "Mirror":
        """The mirror of an address. One on the loopback is a sandbox's: plain HTTP, and charts of its own."""
        own = _loopback(urlsplit(url).hostname or "")
        return cls(url=url, insecure=own, digests=not own)

    def repository(self, source: str | None) -> str:
        """The URL of the HelmRepository (type oci) that stands for a chart source, or for none."""
        return f"{self.url.rstrip('/')}/{place(source) if source else UNPUBLISHED}"

    def chart(self, source: str | None, chart: str) -> str:
        """Where one chart of a source is."""
        return f"{self.repository(source)}/{_part(chart, source or chart)}"

    def artifact(self, source: str) -> str:
        """The URL of the OCIRepository that stands for a Git repository."""
        return self.repository(source)


def place(source: str) -> str:
    """The host and path of a source, as names that every registry takes."""
    address = urlsplit(source)
    if address.scheme not in SCHEMES or not address.hostname:
        raise ValueError(f"{source} is no source of charts: write its whole address, as in https://charts.jetstack.io")
    host = address.hostname + (f"-{address.port}" if address.port else "")
    path = address.path.strip("/").removesuffix(".git")
    return "/".join(_part(part, source) for part in [host, *filter(None, path.split("/"))])


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _part(part: str, source: str) -> str:
    name = part.lower()
    if not _PART.fullmatch(name):
        raise ValueError(
            f"{source} cannot be mirrored: {part!r} is no name in an OCI registry, which takes letters, digits and "
            "single dots, hyphens and underscores between them"
        )
    return name
