"""A kubeconfig as a person has it: where the garden or the management cluster is, and how one logs in there."""

import base64
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from access.problem import Problem

Entry = Mapping[str, Any]
EMPTY: Entry = {}
API = "client.authentication.k8s.io/v1"
EXEC_SECONDS = 60.0
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, kw_only=True)
class Login:
    """One user at one server. It holds secrets, so it says nothing about itself."""

    server: str
    authority: str | None  # PEM; None is what the system trusts
    server_name: str | None = None  # in its certificate, where that is not the one of its address
    proxy: str | None = None
    verify: bool = True
    token: str | None = None
    certificate: bytes | None = None
    key: bytes | None = None

    def __repr__(self) -> str:
        return f"Login(server={self.server!r})"


def locate(path: str) -> Path:
    """A relative path is one from the clone, wherever the command is called."""
    return ROOT / Path(path).expanduser()


def read(path: str, context: str | None = None, *, what: str = "garden") -> Login:
    """The login of a kubeconfig's current context; `what` it is the kubeconfig of, for messages."""
    file = locate(path)
    try:
        return of(yaml.safe_load(file.read_text()), file.parent, context, what=what)
    except FileNotFoundError as error:
        raise Problem(
            f"{path} is to be the {what}'s kubeconfig, and there is no {error.filename}: put it there."
        ) from None
    except OSError as error:
        raise Problem(f"{path}, the {what}'s kubeconfig, cannot be read: {error.strerror}.") from None
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError):
        # The parser's own words would quote the file, and so perhaps a credential.
        raise Problem(f"{path} is not a kubeconfig with a current context: log in to the {what} again.") from None


def of(config: Entry, folder: Path, context: str | None = None, *, what: str = "garden") -> Login:
    """The login of a kubeconfig that was read already; files that it names are in the folder."""
    place = _named(config, "context", context or config.get("current-context", ""))
    cluster, user = _named(config, "cluster", place["cluster"]), _named(config, "user", place.get("user", ""))
    return _login(cluster, user, folder, what)


def _named(config: Entry, kind: str, name: str) -> Entry:
    rows: list[Entry] = config[f"{kind}s"]
    return next((one.get(kind) or EMPTY for one in rows if one["name"] == name), EMPTY)


def _login(cluster: Entry, user: Entry, folder: Path, what: str) -> Login:
    proxy = _proxy(cluster, what)
    user = _exec(user["exec"], folder, what) if "exec" in user else user
    authority = _data(cluster, "certificate-authority", folder)
    token = user.get("token")
    if token is None and "tokenFile" in user:
        token = (folder / user["tokenFile"]).read_text().strip()
    login = Login(
        server=cluster["server"].rstrip("/"),
        authority=authority.decode() if authority else None,
        server_name=cluster.get("tls-server-name"),
        proxy=proxy,
        verify=not cluster.get("insecure-skip-tls-verify", False),
        token=token,
        certificate=_data(user, "client-certificate", folder),
        key=_data(user, "client-key", folder),
    )
    if token is None and login.certificate is None:
        raise Problem(
            f"The {what}'s kubeconfig has no credential that cobaltcore-access knows: a token, a client certificate, "
            "or a command that gets one."
        )
    return login


def _proxy(cluster: Entry, what: str) -> str | None:
    """One that is spoken to without TLS; what goes through it has its own."""
    proxy: str | None = cluster.get("proxy-url") or None
    if proxy is not None and urlsplit(proxy).scheme != "http":
        raise Problem(
            f"The {what}'s kubeconfig wants a proxy by {urlsplit(proxy).scheme or 'no scheme'}, and this program knows "
            "those by http:// only: name such a one as proxy-url, or a server that is reached without."
        )
    return proxy


def _data(entry: Entry, key: str, folder: Path) -> bytes | None:
    if f"{key}-data" in entry:
        return base64.b64decode(entry[f"{key}-data"])
    return (folder / entry[key]).read_bytes() if key in entry else None


def _exec(plugin: Entry, folder: Path, what: str) -> Entry:
    """Ask another credential command, as kubectl would; what it prints on its error output reaches the person."""
    asked = {"kind": "ExecCredential", "apiVersion": plugin["apiVersion"], "spec": {"interactive": False}}
    rows: list[Entry] = plugin.get("env") or []
    env: dict[str, str] = {**os.environ, **{one["name"]: one["value"] for one in rows}}
    command: str = plugin["command"]
    if "/" in command:
        command = str(folder / command)
    try:
        done = subprocess.run(
            [command, *(plugin.get("args") or [])],
            env={**env, "KUBERNETES_EXEC_INFO": json.dumps(asked)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=EXEC_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        hint = plugin.get("installHint") or f"install {plugin['command']}, or put it on PATH"
        raise Problem(f"The {what}'s kubeconfig gets its credential by {plugin['command']}: {hint}") from None
    except subprocess.TimeoutExpired:
        raise Problem(
            f"{plugin['command']}, which gets the {what}'s credential, did not end within {EXEC_SECONDS:.0f} s: "
            f"log in to the {what} in a terminal, then run this again."
        ) from None
    if done.returncode != 0:
        raise Problem(f"{plugin['command']}, which gets the {what}'s credential, failed: log in to the {what} again.")
    return _given(done.stdout, f"{plugin['command']}, which gets the {what}'s credential,")


def _given(printed: bytes, who: str) -> Entry:
    """The credential that a command printed, under the names of a kubeconfig."""
    try:
        status: Entry = dict(json.loads(printed)["status"])
    except (ValueError, KeyError, TypeError):
        # What it did print may hold a credential.
        raise Problem(
            f"{who} printed something else than an ExecCredential in JSON: run it in a terminal, and mend what it says."
        ) from None
    names: list[tuple[str, str, Callable[[str], str]]] = [
        ("token", "token", str),
        ("clientCertificateData", "client-certificate-data", _encoded),
        ("clientKeyData", "client-key-data", _encoded),
    ]
    return {ours: change(status[theirs]) for theirs, ours, change in names if theirs in status}


def _encoded(pem: str) -> str:
    return base64.b64encode(pem.encode()).decode()
