"""Without a network the first run says what it was about to fetch, and leaves nothing half-made."""

import shutil
import socket
from pathlib import Path

import pytest

from crds.generator import modules
from crds.generator.lock import Module
from tests.tools.clone import Clone, real_environment, sentence
from tools import cache, problem, python_env
from tools.problem import Problem

HASH = "h1:" + "A" * 43 + "="

# As Go, pip and uv say it, and the C library for each of them.
LINES = [
    "dial tcp: lookup proxy.example.test on 127.0.0.53:53: server misbehaving",
    "dial tcp: lookup proxy.example.test: no such host",
    "dial tcp: lookup proxy.example.test: Temporary failure in name resolution",
    "dial tcp 142.250.1.1:443: connect: no route to host",
    "dial tcp 142.250.1.1:443: connect: network is unreachable",
    "dial tcp 142.250.1.1:443: connect: connection refused",
    "dial tcp 142.250.1.1:443: connect: connection timed out",
    "dial tcp 142.250.1.1:443: i/o timeout",
    "read tcp 10.0.0.1:4711->142.250.1.1:443: read: connection reset by peer",
    "net/http: TLS handshake timeout",
    "go.etcd.io/etcd/server/v3@v3.6.12: module lookup disabled by GOPROXY=off",
    "Failed to establish a new connection: [Errno -2] Name or service not known",
    "ERROR: No matching distribution found for uv==0.13.8",
    "error: Failed to fetch: `https://pypi.org/simple/pip/`: operation timed out",
    "Caused by: error sending request for url (https://pypi.org/simple/pip/)",
    "Caused by: dns error",
    "Caused by: Connection refused (os error 111)",
    "error: Network connectivity is disabled, but the registry is needed",
]


def closed() -> str:
    """An address on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_go_without_a_network_names_the_program_and_what_to_check(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    (clone.path / "go").unlink()
    offline = {**real_environment(clone.path), "GOPROXY": closed()}
    said = sentence(clone.run("setup", "sandbox", **offline))
    assert said.startswith("etcd 3.6.12: a package registry did not answer"), said
    assert "connection refused" in said, "Go's own reason, for the person who has to find the cause"
    assert "Check the network and the proxy settings (GOPROXY" in said, "what to check"
    assert "run the same command again" in said, "the next step"
    assert len(said.splitlines()) == 1, said
    assert clone.cached() == ["lock"], "nothing is half-made"
    assert list(clone.cache.glob("tmp/*")) == [], "nothing is half-made"


def test_a_file_beside_a_program_that_cannot_be_fetched_is_named(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    go = clone.path / "go"
    refused = 'echo "go: dial tcp 127.0.0.1:9: connect: connection refused" >&2; exit 1'
    fails = f'"mod download") [ "$3" != github.com/pulumi/pulumi/sdk/v3 ] || {{ {refused}; }}'
    go.write_text(go.read_text().replace('"mod download")', fails))
    said = sentence(clone.run("setup", "preview"))
    assert said.startswith("pulumi-language-python: fetching github.com/pulumi/pulumi/sdk/v3: a package registry"), said
    assert [name for name in clone.cached() if "language" in name] == [], "nothing is half-made"


@pytest.mark.parametrize("proxy", ["closed", "off", "direct", "proxy.test"])
def test_a_crd_module_without_a_proxy_is_named_with_the_setting_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("GOPROXY", f"{closed()},direct" if proxy == "closed" else proxy)
    monkeypatch.setenv("COBALTCORE_CACHE", str(tmp_path))
    with pytest.raises(Problem) as refused:
        modules.verified(Module(module="example.test/Tiny", version="v1.0.0", h1=HASH))
    said = str(refused.value)
    assert said.startswith("example.test/Tiny v1.0.0: no Go module proxy gave its zip"), said
    why = {"closed": "Connection refused", "proxy.test": "unknown url type: 'proxy.test/"}
    assert why.get(proxy, "GOPROXY names none") in said, "why"
    assert "Check the network and GOPROXY" in said, "what to check"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [], "nothing is half-made"


def test_the_next_proxy_is_asked_when_the_first_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = tmp_path / "proxy/example.test/!tiny/@v/v1.0.0.zip"
    served.parent.mkdir(parents=True)
    shutil.make_archive(str(served.with_suffix("")), "zip", cache.ROOT / "tools/go/etcd")
    monkeypatch.setenv("GOPROXY", f"{closed()}|{(tmp_path / 'proxy').as_uri()}")
    monkeypatch.setenv("COBALTCORE_CACHE", str(tmp_path / "cache"))
    module = Module(module="example.test/Tiny", version="v1.0.0", h1=modules.h1(served))
    assert modules.verified(module).read_bytes() == served.read_bytes()


def test_uv_that_cannot_be_installed_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.program("uv", "#!/no/such/interpreter\n")  # one that does not start is as good as none
    nothing = {"PIP_RETRIES": "0", "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_CACHE_DIR": "1"}
    said = sentence(clone.run("setup", "sandbox", PIP_INDEX_URL=closed(), **nothing))
    assert said.startswith("Installing uv 0.13.8: a package registry did not answer"), said
    assert "PIP_INDEX_URL" in said, "what to check"
    assert len(said.splitlines()) == 1, said
    assert [name for name in clone.cached() if "uv" in name] == [], "nothing is half-made"
    assert list(clone.cache.glob("tmp/*")) == [], "nothing is half-made"


def test_python_packages_that_cannot_be_fetched_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Clone(tmp_path)
    program = cache.LINKS / "bin/uv"
    (clone.path / "uv").unlink()
    (clone.path / "uv").symlink_to(program)
    for name, value in clone.environment(
        UV_HTTP_RETRIES="0", UV_NO_CONFIG="1", UV_CACHE_DIR=str(tmp_path / "uv")
    ).items():
        monkeypatch.setenv(name, value)
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, closed())
    for name in ("UV_FIND_LINKS", "UV_OFFLINE", "NO_PROXY", "no_proxy", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache, "ROOT", clone.root)
    monkeypatch.setattr(python_env, "ENVIRONMENT", clone.root / ".venv")
    with pytest.raises(Problem) as refused:
        python_env.sync("--frozen", "--no-install-package", "cobaltcore-crds")
    said = str(refused.value)
    assert said.startswith("Installing the Python packages: a package registry did not answer"), said
    assert "Check the network and the proxy settings" in said, "what to check"


@pytest.mark.parametrize("line", LINES)
def test_each_way_in_which_a_network_fails_is_told_as_one(tmp_path: Path, line: str) -> None:
    said = str(problem.from_output("etcd 3.6.12", f"go: downloading x v1\ngo: {line}\n", tmp_path))
    assert f"a package registry did not answer (go: {line})" in said, said


def test_each_sign_of_a_network_that_fails_is_one_that_a_program_gives() -> None:
    said = "\n".join(LINES).lower()
    assert [sign for sign in problem.NO_NETWORK if sign not in said] == [], "an example of each, as it was seen"


def test_a_failure_that_is_not_the_networks_is_told_with_the_last_words(tmp_path: Path) -> None:
    said = str(problem.from_output("etcd 3.6.12", "".join(f"line {number}\n" for number in range(40)), tmp_path))
    assert said.startswith("etcd 3.6.12 failed. Its last words were:")
    assert "line 39" in said
    assert "line 3\n" not in said, "the end is what matters"


def test_a_build_that_the_kernel_killed_is_told_as_one(tmp_path: Path) -> None:
    said = str(problem.from_output("pulumi", "k8s.io/api: /go/pkg/tool/compile: signal: killed\n", tmp_path))
    assert "most likely for lack of memory" in said
