"""One cluster's real kube-apiserver, and the controllers without which deleting never ends."""

import base64
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import yaml

from sandbox import pki
from sandbox.client import Client
from sandbox.processes import LOOPBACK, Port, Process, Processes, flags, program
from sandbox.store import URL, Store

# Foreground deletion and Terminating namespaces end only with the first two; the others fill what every namespace and
# the roles view, edit and admin are made of.
CONTROLLERS = (
    "garbage-collector-controller",
    "namespace-controller",
    "serviceaccount-controller",
    "clusterrole-aggregation-controller",
)
ADMIN = "sandbox-admin"
MASTERS = "system:masters"
FRONT_PROXY = "front-proxy-client"
TRIES = 30  # of the sandbox's own programs at a server that throttles: they come again, as the real ones do
# More garbage collection for less memory: these servers idle.
GO = {"GOGC": "40", "GOMAXPROCS": "2"}
NOBODY: dict[str, Any] = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthenticationConfiguration", "jwt": []}


@dataclass(frozen=True, kw_only=True)
class Trust:
    """The authorities of one cluster, as Gardener keeps them apart."""

    cluster: pki.Authority  # signs the server's certificate
    client: pki.Authority  # signs the users' certificates
    admin: pki.Authority  # signs the sandbox's own, which goes on when the users' are no longer good
    front_proxy: pki.Authority

    @classmethod
    def new(cls, name: str) -> "Trust":
        return cls(
            cluster=pki.Authority.new(f"{name}-ca"),
            client=pki.Authority.new(f"{name}-ca-client"),
            admin=pki.Authority.new(f"{name}-ca-admin"),
            front_proxy=pki.Authority.new(f"{name}-ca-front-proxy"),
        )


@dataclass(kw_only=True)
class ApiServer:
    """A cluster of the sandbox. `client` has all rights; `stop` and `start` keep address, certificates and data."""

    name: str
    processes: Processes
    trust: Trust
    port: Port
    client: Client
    extra: Mapping[str, str]
    running: list[Process] = field(default_factory=list[Process])

    @classmethod
    def new(
        cls,
        name: str,
        processes: Processes,
        *,
        extra: Mapping[str, str] | None = None,
    ) -> Self:
        """A cluster that is not started yet; `extra` are further flags of its kube-apiserver."""
        trust, port = Trust.new(name), Port.reserve()
        folder = processes.folder / "clusters" / name
        trust.cluster.server("kube-apiserver", ["localhost", LOOPBACK, "kubernetes.default.svc"]).write(
            folder, "server"
        )
        trust.front_proxy.pair.write(folder, "ca-front-proxy")
        trust.front_proxy.client(FRONT_PROXY).write(folder, FRONT_PROXY)
        admin = trust.admin.client(ADMIN, [MASTERS])
        files = admin.write(folder, "admin")
        authority = trust.cluster.pair.write(folder, "ca").certificate
        pki.write_secret(folder / "service-accounts.key", pki.signing_key())
        client = Client(
            tries=TRIES,
            url=f"https://{LOOPBACK}:{port.number}",
            authority=authority,
            certificate=files.certificate,
            key=files.key,
        )
        server = cls(
            name=name,
            processes=processes,
            trust=trust,
            port=port,
            client=client,
            extra=extra or {},
        )
        server.trust_clients(trust.client)
        server.trust_issuers(NOBODY)
        text = kubeconfig(name, server.url, trust.cluster.pair.certificate, admin)
        pki.write_secret(server.kubeconfig, text.encode())
        return server

    @property
    def url(self) -> str:
        return self.client.url

    @property
    def folder(self) -> Path:
        return self.processes.folder / "clusters" / self.name

    @property
    def prefix(self) -> str:
        """Where in the store its data is."""
        return f"/clusters/{self.name}/"

    @property
    def kubeconfig(self) -> Path:
        """The file with a kubeconfig that has all rights; it refers to no other file."""
        return self.processes.folder / "kubeconfigs" / f"{self.name}.yaml"

    def trust_clients(self, authority: pki.Authority) -> None:
        """Whose certificates the server takes from users, from its next start or within a minute."""
        pki.write_secret(self.folder / "ca-client.key", authority.pair.key)
        scratch = self.folder / "ca-client.new"
        scratch.write_bytes(authority.pair.certificate + self.trust.admin.pair.certificate)
        scratch.replace(self.folder / "ca-client.crt")
        self.trust = replace(self.trust, client=authority)

    def trust_issuers(self, configuration: Mapping[str, Any]) -> None:
        """Whose tokens the server takes beside its own: an AuthenticationConfiguration, also while it runs."""
        file = self.folder / "authentication.yaml"
        scratch = file.with_suffix(".new")
        scratch.write_text(yaml.safe_dump(dict(configuration)))
        scratch.replace(file)

    def start(self, *, controllers: bool = True) -> None:
        """Ready afterwards."""
        server = self.processes.start(
            f"{self.name}.kube-apiserver",
            [program("kube-apiserver"), *flags({**self._flags(), **self.extra})],
            env=GO,
            ready=self.client.healthy,
        )
        self.running = [server]
        if controllers:
            self.start_controllers()

    def start_controllers(self) -> None:
        """They look for new APIs twice a minute only: best started when all are there."""
        command = [program("kube-controller-manager"), *flags(self._controller_flags())]
        self.running.append(self.processes.start(f"{self.name}.kube-controller-manager", command, env=GO))

    def stop(self) -> None:
        """At once: a server waits a minute for its watchers otherwise."""
        for process in reversed(self.running):
            process.wanted = False
            process.kill()
            self.processes.forget(process)
        self.running = []

    def remove(self, store: Store) -> None:
        """Stop it for good, with its data and files; what an earlier try has removed is no obstacle."""
        self.client.closed.set()
        self.stop()
        self.client.close()
        store.forget(self.prefix)
        self.port.release()
        self.kubeconfig.unlink(missing_ok=True)
        if self.folder.exists():
            shutil.rmtree(self.folder)

    def _flags(self) -> dict[str, str]:
        folder = self.folder
        return {
            "secure-port": str(self.port.number),
            "permit-port-sharing": "true",
            "bind-address": LOOPBACK,
            "advertise-address": LOOPBACK,
            "tls-cert-file": f"{folder}/server.crt",
            "tls-private-key-file": f"{folder}/server.key",
            "client-ca-file": f"{folder}/ca-client.crt",
            "authentication-config": f"{folder}/authentication.yaml",
            "authorization-mode": "RBAC",
            "requestheader-client-ca-file": f"{folder}/ca-front-proxy.crt",
            "requestheader-allowed-names": FRONT_PROXY,
            "requestheader-username-headers": "X-Remote-User",
            "requestheader-group-headers": "X-Remote-Group",
            "requestheader-extra-headers-prefix": "X-Remote-Extra-",
            "proxy-client-cert-file": f"{folder}/{FRONT_PROXY}.crt",
            "proxy-client-key-file": f"{folder}/{FRONT_PROXY}.key",
            "service-account-issuer": self.url,
            "service-account-jwks-uri": f"{self.url}/openid/v1/jwks",  # also while a proxy has taken its place
            "service-account-key-file": f"{folder}/service-accounts.key",
            "service-account-signing-key-file": f"{folder}/service-accounts.key",
            "service-cluster-ip-range": "10.96.0.0/16",
            # Nothing runs in pods, and nodes are ready from the start.
            "disable-admission-plugins": "ServiceAccount,TaintNodesByCondition",
            "endpoint-reconciler-type": "none",
            "etcd-servers": URL,
            "etcd-prefix": self.prefix.rstrip("/"),
            # What a server with few users and no monitoring can do without.
            "enable-priority-and-fairness": "false",
            "etcd-count-metric-poll-period": "0",
            "etcd-db-metric-poll-interval": "0",
            "profiling": "false",
            "feature-gates": "APIServerIdentity=false",
        }

    def _controller_flags(self) -> dict[str, str]:
        return {
            "kubeconfig": str(self.kubeconfig),
            "controllers": ",".join(CONTROLLERS),
            "leader-elect": "false",
            "secure-port": "0",
            "profiling": "false",
            "concurrent-gc-syncs": "5",
            "namespace-sync-period": "30m",
            "min-resync-period": "12h",
        }


def kubeconfig(name: str, url: str, authority: bytes, user: pki.Pair) -> str:
    cluster = {"server": url, "certificate-authority-data": _data(authority)}
    keys = {"client-certificate-data": _data(user.certificate), "client-key-data": _data(user.key)}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": keys}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        },
        sort_keys=False,
    )


def _data(pem: bytes) -> str:
    return base64.b64encode(pem).decode()
