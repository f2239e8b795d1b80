"""The registry of the chart that Pulumi renders at every run."""

import http.server
import socket
import threading
from collections.abc import Generator
from http import HTTPStatus

import pulumi
import pytest

from components import flux_chart
from components.flux import releases
from components.flux_chart import FluxChart
from model.mirror import Mirror
from tests.regions import loaded, small

MANIFEST = "/v2/ghcr.io/controlplaneio-fluxcd/charts/flux-operator/manifests/"


def chart(url: str | None) -> FluxChart:
    planned = releases(loaded(small(management={"kubeconfig": "m.yaml", "issuer": "https://issuer.example.com"})))
    return FluxChart.of(planned["management"], Mirror.at(url) if url else None)


class Registry(http.server.HTTPServer):
    says = HTTPStatus.OK  # to every request


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Registry)
        assert self.path == f"{MANIFEST}{chart(None).version}", "the one chart, in its version"
        assert "oci.image.manifest" in self.headers["Accept"], "without it a registry says that there is none"
        self.send_response(self.server.says)
        self.end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nothing."""


@pytest.fixture
def registry() -> Generator[Registry]:
    with Registry(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def said(registry: Registry, status: HTTPStatus) -> str | None:
    registry.says = status
    try:
        chart(f"oci://127.0.0.1:{registry.server_port}").check()
    except pulumi.RunError as error:
        return str(error)
    return None


def test_a_registry_that_answers_is_no_matter(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(registry, HTTPStatus.OK) is None
    assert said(registry, HTTPStatus.UNAUTHORIZED) is None, "how Pulumi logs in there is between the two"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert said(registry, HTTPStatus.OK) is None, "a proxy is not asked for what is on this machine"


def test_a_chart_that_is_not_there_is_said_with_what_to_do(registry: Registry) -> None:
    assert said(registry, HTTPStatus.NOT_FOUND) == (
        f"oci://127.0.0.1:{registry.server_port}/ghcr.io/controlplaneio-fluxcd/charts/flux-operator has no version "
        f"{chart(None).version}, and Pulumi takes Flux's chart from there at every run. Nothing was changed: copy it "
        "there (docs/catalog.md, Mirror), or name a version that it has in cobaltcore:releases.flux-operator.version."
    )


def test_a_registry_in_trouble_is_one_that_gives_no_answer(registry: Registry) -> None:
    assert said(registry, HTTPStatus.SERVICE_UNAVAILABLE) == (
        f"127.0.0.1:{registry.server_port}, the registry of cobaltcore:chartMirror, gives no answer: it says 503 "
        "Service Unavailable. Pulumi takes Flux's chart from there at every run. Nothing was changed: run it again "
        "when the registry answers."
    )


def test_a_registry_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flux_chart, "LOOK_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:  # the kernel takes connections for it
        port = mute.getsockname()[1]
        with pytest.raises(pulumi.RunError, match=rf"^127.0.0.1:{port}, .* gives no answer: nothing came within"):
            chart(f"oci://127.0.0.1:{port}").check()
    with pytest.raises(pulumi.RunError, match=rf"^127.0.0.1:{port}, .* gives no answer: .*Connection refused\."):
        chart(f"oci://127.0.0.1:{port}").check()


def test_without_a_mirror_the_charts_own_registry_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreached(*_: object, **__: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr("urllib.request.OpenerDirector.open", unreached)
    with pytest.raises(pulumi.RunError) as caught:
        chart(None).check()
    assert str(caught.value) == (
        "ghcr.io gives no answer: Network is unreachable. Pulumi takes Flux's chart from there at every run. Nothing "
        "was changed: run it again when the registry answers, or name a registry that you reach in "
        "cobaltcore:chartMirror."
    )
