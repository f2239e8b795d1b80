"""The chart of Flux's operator. Its registry is looked at while planning, since Pulumi renders the chart at every run.

Pulumi waits without end for a registry that takes a connection and never answers, and ends with a traceback where there
is no such chart.
"""

import http.client
import ssl
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import pulumi

from access.problem import silence
from model.catalog import Release
from model.catalog.entry import OciSource
from model.mirror import Mirror

OPERATOR = "flux-operator"
KEY = "cobaltcore:chartMirror"
LOOK_SECONDS = 10.0
MANIFESTS = ", ".join(
    f"application/vnd.{kind}+json"
    for kind in (
        "oci.image.manifest.v1",
        "oci.image.index.v1",
        "docker.distribution.manifest.v2",
        "docker.distribution.manifest.list.v2",
    )
)


@dataclass(frozen=True, kw_only=True)
class FluxChart:
    """Where the chart is."""

    url: str
    version: str
    mirror: Mirror | None

    @classmethod
    def of(cls, releases: Sequence[Release], mirror: Mirror | None) -> "FluxChart":
        operator = next(one for one in releases if one.name == OPERATOR)
        source = operator.source
        if not isinstance(source, OciSource):
            raise TypeError(f"{operator.name} is to come from an OCI registry")
        url = mirror.chart(source.url, operator.chart) if mirror else f"{source.url}/{operator.chart}"
        return cls(url=url, version=operator.version, mirror=mirror)

    @property
    def insecure(self) -> bool:
        return bool(self.mirror and self.mirror.insecure)

    def check(self) -> None:
        """Refuse to begin a run that would wait for the chart without end, or fail on the way."""
        try:
            self._ask()
        except urllib.error.HTTPError as error:  # whom a registry lets in, and how, is between it and Pulumi
            if error.code == HTTPStatus.NOT_FOUND:
                raise pulumi.RunError(self._missing()) from None
            if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise pulumi.RunError(self._silent(f"it says {error.code} {error.reason}")) from None
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "reason", error)
            if isinstance(why, ssl.SSLError):
                return  # which authorities are trusted is the system's, and Pulumi asks it itself
            raise pulumi.RunError(self._silent(silence(why, LOOK_SECONDS))) from None

    def _ask(self) -> None:
        where = urlsplit(self.url)
        scheme = "http" if self.insecure else "https"
        tag = self.version.replace("+", "_")  # which is no letter of a tag
        address = f"{scheme}://{where.netloc}/v2{where.path}/manifests/{tag}"
        request = urllib.request.Request(address, headers={"Accept": MANIFESTS})  # noqa: S310
        # As Pulumi's own client: a proxy of the environment is meant for what is elsewhere.
        near = [urllib.request.ProxyHandler({})] if self.insecure else []
        with urllib.request.build_opener(*near).open(request, timeout=LOOK_SECONDS):
            pass

    def _silent(self, why: str) -> str:
        where = f", the registry of {KEY}," if self.mirror else ""
        other = "" if self.mirror else f", or name a registry that you reach in {KEY}"
        return (
            f"{urlsplit(self.url).netloc}{where} gives no answer: {why}. Pulumi takes Flux's chart from there at every "
            f"run. Nothing was changed: run it again when the registry answers{other}."
        )

    def _missing(self) -> str:
        how = "copy it there (docs/catalog.md, Mirror), or " if self.mirror else ""
        return (
            f"{self.url} has no version {self.version}, and Pulumi takes Flux's chart from there at every run. Nothing "
            f"was changed: {how}name a version that it has in cobaltcore:releases.{OPERATOR}.version."
        )
