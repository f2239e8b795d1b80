"""The garden's kubeconfig, in the forms in which people have it; and sentences for those that do not work."""

import base64
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from access.login import Login, locate, read
from access.problem import Problem

CANARY = "canary-4711"


def kubeconfig(folder: Path, user: dict[str, Any], cluster: dict[str, Any] | None = None) -> str:
    file = folder / "garden.yaml"
    file.write_text(
        yaml.safe_dump(
            {
                "current-context": "here",
                "contexts": [{"name": "here", "context": {"cluster": "garden", "user": "me"}}],
                "clusters": [
                    {"name": "garden", "cluster": {"server": "https://garden.example.com/", **(cluster or {})}}
                ],
                "users": [{"name": "me", "user": user}],
            }
        )
    )
    return str(file)


def test_a_token_in_the_file(tmp_path: Path) -> None:
    login = read(kubeconfig(tmp_path, {"token": CANARY}))
    assert (login.server, login.token) == ("https://garden.example.com", CANARY)
    assert login.authority is None, "then the system's authorities are trusted"


def test_a_token_and_certificates_in_files_beside_it(tmp_path: Path) -> None:
    for name in ("token", "crt", "key", "ca"):
        (tmp_path / name).write_text(f"{name}\n")
    user = {"tokenFile": "token", "client-certificate": "crt", "client-key": "key"}
    login = read(kubeconfig(tmp_path, user, {"certificate-authority": "ca"}))
    assert (login.token, login.certificate, login.key, login.authority) == ("token", b"crt\n", b"key\n", "ca\n")


def test_certificates_in_the_file(tmp_path: Path) -> None:
    encoded = base64.b64encode(b"pem").decode()
    user = {"client-certificate-data": encoded, "client-key-data": encoded}
    login = read(kubeconfig(tmp_path, user, {"certificate-authority-data": encoded}))
    assert (login.certificate, login.key, login.authority) == (b"pem", b"pem", "pem")


def test_a_command_that_gets_one(tmp_path: Path) -> None:
    """As people log in to a garden who have a browser: the command is asked as kubectl asks it."""
    file = tmp_path / "login"
    file.write_text(
        f"#!{sys.executable}\n"
        "import json, os, sys\n"
        "asked = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
        "status = {'token': '-'.join([os.environ['WHO'], *sys.argv[1:], asked['apiVersion']])}\n"
        "print(json.dumps({'status': status}))\n"
    )
    file.chmod(stat.S_IRWXU)
    plugin = {"apiVersion": "v1", "command": "./login", "args": ["now"], "env": [{"name": "WHO", "value": "me"}]}
    assert read(kubeconfig(tmp_path, {"exec": plugin})).token == "me-now-v1"  # noqa: S105  (no secret)


@pytest.mark.parametrize(
    ("user", "cluster", "sentence"),
    [
        ({}, {}, "has no credential that cobaltcore-access knows"),
        (
            {"token": CANARY},
            {"proxy-url": "socks5://proxy"},
            "wants a proxy by socks5, and this program knows those by",
        ),
        ({"exec": {"apiVersion": "v1", "command": "there-is-none", "installHint": "get it."}}, {}, "get it."),
        ({"exec": {"apiVersion": "v1", "command": "false"}}, {}, "failed: log in to the garden again"),
    ],
)
def test_what_does_not_work_is_said(
    tmp_path: Path, user: dict[str, Any], cluster: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Problem, match=sentence):
        read(kubeconfig(tmp_path, user, cluster))


def test_a_proxy_and_another_name_of_the_server_are_read(tmp_path: Path) -> None:
    cluster = {"proxy-url": "http://proxy.example.com:3128", "tls-server-name": "garden.internal"}
    login = read(kubeconfig(tmp_path, {"token": CANARY}, cluster))
    assert (login.proxy, login.server_name) == ("http://proxy.example.com:3128", "garden.internal")


@pytest.mark.parametrize("printed", ["", "log in first", '{"kind": "ExecCredential"}', '{"status": null}', "[]"])
def test_a_command_that_prints_no_credential_is_named_and_not_quoted(tmp_path: Path, printed: str) -> None:
    file = tmp_path / "login"
    file.write_text(f"#!{sys.executable}\nprint({printed!r})\n")
    file.chmod(stat.S_IRWXU)
    with pytest.raises(Problem) as raised:
        read(kubeconfig(tmp_path, {"exec": {"apiVersion": "v1", "command": "./login"}}))
    assert str(raised.value) == (
        "./login, which gets the garden's credential, printed something else than an ExecCredential in JSON: run it in "
        "a terminal, and mend what it says."
    )


def troubles(folder: Path) -> Iterator[str]:
    """What is said of each kubeconfig of the management cluster that does not work."""
    commands = ({"apiVersion": "v1", "command": name} for name in ("false", "there-is-none", "true"))
    logins: list[dict[str, Any]] = [{}, *({"exec": one} for one in commands)]
    broken = folder / "broken.yaml"
    broken.write_text("[]")
    paths = [partial(kubeconfig, folder, user) for user in logins]
    proxy = partial(kubeconfig, folder, {}, {"proxy-url": "socks5://proxy"})
    for path in [*paths, proxy, lambda: str(broken), lambda: "nowhere.yaml", lambda: str(folder)]:
        with pytest.raises(Problem) as raised:
            read(path(), what="management cluster")
        yield str(raised.value)


def test_the_management_cluster_s_troubles_are_not_called_the_garden_s(tmp_path: Path) -> None:
    said = list(troubles(tmp_path))
    assert len(said) == 8
    for sentence in said:
        assert "the management cluster" in sentence.lower(), sentence
        assert "garden's" not in sentence, sentence
        assert "the garden " not in sentence, sentence


@pytest.mark.parametrize("text", ["", "[]", "{", f"users: [{CANARY}", f"token: {CANARY}", "current-context: there"])
def test_a_broken_file_is_said_without_its_content(tmp_path: Path, text: str) -> None:
    file = tmp_path / "garden.yaml"
    file.write_text(text)
    with pytest.raises(Problem, match="is not a kubeconfig with a current context") as raised:
        read(str(file))
    assert CANARY not in str(raised.value)


def test_a_missing_file_is_said() -> None:
    with pytest.raises(Problem, match=r"there is no .*nowhere\.yaml: put it there"):
        read("nowhere.yaml")


def test_a_relative_path_is_one_of_the_clone_wherever_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert locate("some/file") == Path(__file__).resolve().parents[2] / "some/file"


def test_a_login_does_not_show_its_secrets() -> None:
    login = Login(server="https://garden", authority=None, token=CANARY, key=CANARY.encode())
    assert CANARY not in repr(login) + str(login)
