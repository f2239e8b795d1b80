"""Small charts that stand for those of the catalogue: each brings its system's CRDs and a ConfigMap that names it."""

import gzip
import io
import json
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from sandbox import definitions, kinds

# What Helm and Flux call the parts of their artifacts.
HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json"
HELM_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
FLUX_CONFIG = "application/vnd.cncf.flux.config.v1+json"
FLUX_LAYER = "application/vnd.cncf.flux.content.v1.tar+gzip"

IDENTITY = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-chart
  namespace: {{ .Release.Namespace }}
data:
  chart: {{ .Chart.Name }}
  version: {{ .Chart.Version | quote }}
  values: |
    {{- .Values | toYaml | nindent 4 }}
"""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart as the catalogue names it, at one version."""

    source: str | None  # where it comes from in production, as in https://charts.jetstack.io, if it is published
    name: str
    version: str
    crds: tuple[str, ...] = ()  # as in certificates.cert-manager.io


@dataclass(frozen=True, kw_only=True)
class Manifests:
    """A folder of a Git repository that Flux applies with a Kustomization, at one commit or tag."""

    source: str
    path: str  # in the repository, as in ./config/default
    version: str
    crds: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """What an OCI registry keeps: a small JSON document and one archive."""

    tag: str
    config_type: str
    config: bytes
    layer_type: str
    layer: bytes


def pack(chart: Chart) -> Artifact:
    about = {
        "apiVersion": "v2",
        "name": chart.name,
        "version": chart.version,
        "appVersion": chart.version,
        "description": f"Stands for {chart.name} of {chart.source or 'nobody yet'} in the sandbox",
    }
    files = {
        "Chart.yaml": yaml.safe_dump(about),
        "values.yaml": "",
        "templates/identity.yaml": IDENTITY,
        **{f"crds/{name}.json": json.dumps(crd) for name, crd in _definitions(chart.crds)},
    }
    return Artifact(
        tag=chart.version.replace("+", "_"),
        config_type=HELM_CONFIG,
        config=json.dumps(about).encode(),
        layer_type=HELM_LAYER,
        layer=archive({f"{chart.name}/{name}": text for name, text in files.items()}),
    )


def pack_manifests(manifests: Manifests) -> Artifact:
    """The folder with its CRDs and a ConfigMap, as `flux push artifact` packs a repository."""
    path = manifests.path.removeprefix("./").strip("/")
    identity = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": f"{manifests.source.rsplit('/', 1)[-1].removesuffix('.git')}-manifests"},
        "data": {"source": manifests.source, "version": manifests.version},
    }
    files = {"identity.json": json.dumps(identity)}
    files |= {f"{name}.json": json.dumps(crd) for name, crd in _definitions(manifests.crds)}
    listing = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": sorted(files)}
    files["kustomization.yaml"] = yaml.safe_dump(listing)
    return Artifact(
        tag=manifests.version,
        config_type=FLUX_CONFIG,
        config=b"{}",
        layer_type=FLUX_LAYER,
        layer=archive({f"{path}/{name}" if path else name: text for name, text in files.items()}),
    )


def archive(files: dict[str, str]) -> bytes:
    """The same bytes for the same files, whenever they are packed."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, compresslevel=1) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for name, text in sorted(files.items()):
            content = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _definitions(names: Iterable[str]) -> Iterable[tuple[str, dict[str, object]]]:
    """All of them: who writes an object of such a kind finds it, as in production."""
    return ((name, definitions.definition(name) if definitions.known(name) else kinds.stand_in(name)) for name in names)
