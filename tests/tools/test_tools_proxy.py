"""Module proxies that answer badly, or only to those who say who they are."""

import base64
import contextlib
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from crds.generator import modules
from crds.generator.lock import Module
from tests.tools.clone import Clone
from tools.problem import Problem

MODULE = Module(module="example.test/tiny", version="v1.0.0", h1="h1:" + "A" * 43 + "=")
PASSWORD = "p:ss w@rd"  # noqa: S105  (it is a test's)


class Answers(BaseHTTPRequestHandler):
    """What one proxy does; `asked` gathers who asked for what."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers["Authorization"] or ""))
        if self.path.startswith("/gone"):
            self.send_error(410)
        elif self.path.startswith("/broken"):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nhalf")
        elif self.path.startswith("/babble"):
            self.wfile.write(b"good morning\r\n\r\n")
        else:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf")
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its parent calls it so)
        """Say nothing."""


@contextlib.contextmanager
def proxy(monkeypatch: pytest.MonkeyPatch, path: str, credentials: str = "") -> Generator[list[tuple[str, str]]]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        monkeypatch.setenv("GOPROXY", f"http://{credentials}127.0.0.1:{server.server_port}/{path}")
        Answers.asked.clear()
        try:
            yield Answers.asked
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    made = Clone(tmp_path)
    for name, value in made.environment(no_proxy="*").items():
        monkeypatch.setenv(name, value)
    return made


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone", "no Go module proxy gave its zip (Gone)"),
        ("broken", "no Go module proxy gave its zip ("),
        ("babble", "no Go module proxy gave its zip ("),
        ("half", "found a file that is no whole zip"),
    ],
)
def test_a_proxy_that_answers_badly_is_a_sentence_and_leaves_nothing(
    clone: Clone, monkeypatch: pytest.MonkeyPatch, path: str, why: str
) -> None:
    with proxy(monkeypatch, path), pytest.raises(Problem) as refused:
        modules.verified(MODULE)
    assert str(refused.value).startswith("example.test/tiny v1.0.0"), "which module"
    assert why in str(refused.value)
    assert clone.cached() == [], "nothing is half-made"


@pytest.mark.usefixtures("clone")
def test_the_name_and_password_in_goproxy_are_sent_and_never_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Go takes them from there, and a company's proxy wants them."""
    with proxy(monkeypatch, "gone", "me:p%3Ass%20w%40rd@") as asked, pytest.raises(Problem) as refused:
        modules.verified(MODULE)
    sent = "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode()
    assert asked == [("/gone/example.test/tiny/@v/v1.0.0.zip", sent)]
    assert "ss" not in str(refused.value).replace("example.test", ""), "a password is not for the terminal"
