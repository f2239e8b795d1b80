"""The charts that stand for the catalogue's, and the registry that holds them: no server but crane's."""

import contextlib
import gzip
import http.client
import io
import json
import tarfile
from collections.abc import Generator
from pathlib import Path

import pytest
import yaml

from model.catalog import load_catalog
from model.mirror import Mirror
from sandbox import definitions, kinds, wares
from sandbox.charts import Chart, Manifests, pack, pack_manifests
from sandbox.processes import LOOPBACK, Processes
from sandbox.registry import Registry, publish
from tools.cache import ROOT
from tools.problem import Problem

CATALOG = load_catalog()
OWN = ROOT / "crds" / "own"


def unpacked(layer: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(layer))) as tar:
        names = tar.getnames()
        return {name: (tar.extractfile(name) or io.BytesIO()).read().decode() for name in names}


def test_a_chart_brings_its_kinds_and_names_itself() -> None:
    chart = Chart(source="https://x.example", name="one", version="1.2.3", crds=("certificates.cert-manager.io",))
    files = unpacked(pack(chart).layer)
    assert json.loads(files["one/crds/certificates.cert-manager.io.json"])["spec"]["names"]["kind"] == "Certificate"
    assert "version: 1.2.3" in files["one/Chart.yaml"]
    assert "kind: ConfigMap" in files["one/templates/identity.yaml"]


def test_the_same_chart_is_always_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = Chart(source=None, name="one", version="1.2.3", crds=("certificates.cert-manager.io",))
    packed = pack(chart)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    assert pack(chart) == packed, "Flux would take it for another chart tomorrow"


def test_a_folder_of_manifests_is_where_the_catalogue_says() -> None:
    made = Manifests(source="https://git.example/a", path="./config/default", version="abc")
    files = unpacked(pack_manifests(made).layer)
    assert set(files) == {"config/default/identity.json", "config/default/kustomization.yaml"}


@pytest.mark.parametrize("ware", wares.of(CATALOG), ids=[entry.name for entry in CATALOG.entries])
def test_a_chart_brings_exactly_the_kinds_that_the_catalogue_says_its_system_brings(ware: wares.Ware) -> None:
    files = unpacked((pack(ware) if isinstance(ware, Chart) else pack_manifests(ware)).layer)
    contents = {name: json.loads(text) for name, text in files.items() if name.endswith(".json")}
    crds = {name: one for name, one in contents.items() if one["kind"] == definitions.KIND}
    specs = [one["spec"] for one in crds.values()]
    assert sorted(f"{spec['names']['plural']}.{spec['group']}" for spec in specs) == sorted(ware.crds)
    if isinstance(ware, Manifests):
        listing = yaml.safe_load(next(text for name, text in files.items() if name.endswith("kustomization.yaml")))
        assert {name.rsplit("/", 1)[-1] for name in crds} < set(listing["resources"]), "Flux applies what is listed"


def test_a_stand_in_is_of_the_real_kind_takes_everything_and_says_what_it_is() -> None:
    crd = kinds.stand_in("servicemonitors.monitoring.coreos.com")
    assert crd["metadata"]["labels"] == {kinds.MARK: "schema"}
    assert crd["spec"]["names"] == {"kind": "ServiceMonitor", "plural": "servicemonitors"}
    assert (crd["spec"]["group"], crd["spec"]["scope"]) == ("monitoring.coreos.com", "Namespaced")
    (version,) = crd["spec"]["versions"]
    assert (version["name"], version["served"], version["storage"]) == ("v1", True, True)
    assert version["schema"]["openAPIV3Schema"] == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def test_a_kind_that_nobody_knows_is_named_with_the_remedy() -> None:
    """As when the catalogue gains a name: a chart without it would look whole."""
    chart = Chart(source=None, name="one", version="1.2.3", crds=("certificates.cert-manager.io", "x.example.test"))
    with pytest.raises(Problem, match=r"Nobody knows what x\.example\.test is: add a line .* to sandbox/kinds\.yaml"):
        pack(chart)


def test_a_kind_has_a_stand_in_where_the_catalogue_names_it_and_its_schema_is_not_kept() -> None:
    named = {crd for entry in CATALOG.entries for crd in entry.crds}
    stand_ins = kinds.load()
    assert sorted(name for name in stand_ins if definitions.known(name)) == [], "its line goes from sandbox/kinds.yaml"
    assert sorted(stand_ins.keys() - named) == [], "a line of sandbox/kinds.yaml that no system brings"
    assert sorted(name for name in named - stand_ins.keys() if not definitions.known(name)) == [], (
        "add a line to sandbox/kinds.yaml with its kind, version and scope"
    )
    assert list(stand_ins) == sorted(stand_ins, key=lambda name: (name.partition(".")[2], name)), "by group, then name"
    assert {one.scope for one in stand_ins.values()} == {"Namespaced", "Cluster"}


def test_the_page_tells_the_real_kinds_from_the_stand_ins() -> None:
    named = {crd for entry in CATALOG.entries for crd in entry.crds}
    real = sum(map(definitions.known, named))
    page = (ROOT / "docs" / "sandbox.md").read_text()
    assert f"of the {len(named)} kinds that the catalogue names, {real} are real" in page
    assert f"{len(named) - real} are stand-ins" in page
    ours = {crd["metadata"]["name"] for file in OWN.glob("*.yaml") for crd in yaml.safe_load_all(file.read_text())}
    assert f"{len(named & ours)} of them are [our own]" in page


def test_a_kind_is_written_as_its_plural_says() -> None:
    """A slip in a line would be a kind that nobody finds."""
    for name, one in kinds.load().items():
        plural, singular = name.partition(".")[0], one.kind.lower()
        assert plural in (f"{singular}s", f"{singular}es", f"{singular[:-1]}ies"), f"{name} is no {one.kind}"


@pytest.mark.parametrize("ware", wares.of(CATALOG), ids=[entry.name for entry in CATALOG.entries])
def test_every_system_of_the_catalogue_has_a_chart_that_its_range_accepts(ware: wares.Ware) -> None:
    entry = next(one for one in CATALOG.entries if one.crds == ware.crds and wares.of_entry(one) == ware)
    if isinstance(ware, Chart):
        assert entry.versions.contains(ware.version), f"Flux would never choose {ware.version} of {entry.version}"


def test_every_kind_that_the_program_makes_objects_of_comes_from_a_chart_or_is_given() -> None:
    ours = {file.stem for file in definitions.FOLDER.glob("*.json")}
    brought = {crd for entry in CATALOG.entries for crd in entry.crds}
    elsewhere = ("gardener.cloud", "ironcore.dev")  # the garden's, and what only travels inside a Shoot
    lacking = {name for name in ours - brought if not name.endswith(elsewhere)}
    assert not lacking, f"no system of the catalogue brings {sorted(lacking)}"


def test_a_definition_is_whole_but_for_its_prose() -> None:
    crd = definitions.definition("helmreleases.helm.toolkit.fluxcd.io")
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert "description" not in schema["properties"]["spec"]
    assert schema["properties"]["spec"]["x-kubernetes-validations"], "its rules are kept"


def test_a_definition_that_nobody_keeps_is_named_with_the_remedy() -> None:
    with pytest.raises(Problem, match=r"no CustomResourceDefinition x\.example: add its kind to crds/lock\.toml"):
        definitions.definition("x.example")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Generator[Registry]:
    folder: Path = tmp_path_factory.mktemp("registry")
    processes = Processes(folder=folder)
    try:
        registry = Registry(processes=processes)
        registry.start()
        yield registry
    finally:
        processes.stop_all()


def answered(registry: Registry, path: str) -> dict[str, object]:
    connection = http.client.HTTPConnection(LOOPBACK, registry.port.number, timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())


@pytest.mark.servers
def test_the_registry_has_every_chart_where_the_mirror_s_rule_says(registry: Registry) -> None:
    count = publish(registry.mirror, wares.of(CATALOG))
    assert count == len(CATALOG.entries)
    assert registry.mirror == Mirror(url=f"oci://{LOOPBACK}:{registry.port.number}", insecure=True, digests=False)
    tags = answered(registry, "/v2/charts.jetstack.io/cert-manager/tags/list")
    assert tags["tags"] == ["1.16.0"], f"the version that Flux finds: {tags}"
    unpublished = answered(registry, "/v2/unpublished/nova-operator/tags/list")
    assert unpublished["tags"] == ["0.1.0"], f"a chart that nobody has published yet: {unpublished}"
