"""The kubeconfig of a Shoot's cluster: the same text for everybody and always, with no credential in it."""

import base64
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import yaml

from access.garden import Garden, Object, shoot_path
from access.login import API
from access.problem import Problem

COMMAND = "cobaltcore-access"
HINT = 'Run `make setup`, and `eval "$(make -s env)"` in a shell of your own: that puts cobaltcore-access on PATH.'
GARDENLOGIN_HINT = (
    "Install gardenlogin (https://github.com/gardener/gardenlogin), or leave out garden.credentialPlugin."
)
AUTHORITY = "ca-cluster"
Plugin = Literal["cobaltcore-access", "gardenlogin"]


@dataclass(frozen=True, kw_only=True)
class ShootRef:
    """What a credential command has to know of a Shoot."""

    garden: str  # path of the garden's kubeconfig, as configured
    namespace: str
    name: str
    plugin: Plugin = COMMAND
    identity: str | None = None  # of the garden, for gardenlogin

    @property
    def arguments(self) -> list[str]:
        return ["--garden", self.garden, "--namespace", self.namespace, "--shoot", self.name]

    @property
    def command(self) -> str:
        """With which a person gets a kubeconfig."""
        if self.plugin == "gardenlogin":
            project = self.namespace.removeprefix("garden-")
            return f"gardenctl target --garden {self.identity} --project {project} --shoot {self.name}"
        return shlex.join([COMMAND, "kubeconfig", *self.arguments])

    def exec(self, command: str | None = None) -> dict[str, Any]:
        """How client-go gets a credential; `command` in place of the name that is looked up on PATH."""
        if self.plugin == "gardenlogin":
            names = ["--name", self.name, "--namespace", self.namespace]
            run, hint = "gardenlogin", GARDENLOGIN_HINT
            arguments = ["get-client-certificate", *names, "--garden-cluster-identity", self.identity or ""]
        else:
            run, hint, arguments = command or COMMAND, HINT, ["credential", *self.arguments]
        return {
            "apiVersion": API,
            "command": run,
            "args": arguments,
            "installHint": hint,
            "interactiveMode": "Never",
            "provideClusterInfo": False,
        }


def text(ref: ShootRef, server: str, authority: str, command: str | None = None) -> str:
    cluster = {"server": server, "certificate-authority-data": base64.b64encode(authority.encode()).decode()}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": ref.name, "cluster": cluster}],
            "users": [{"name": ref.name, "user": {"exec": ref.exec(command)}}],
            "contexts": [{"name": ref.name, "context": {"cluster": ref.name, "user": ref.name}}],
            "current-context": ref.name,
        },
        sort_keys=False,
        width=4096,
    )


def address(advertised: Mapping[str, str]) -> str | None:
    """Where the cluster's API is, of the Shoot's advertised addresses by name: the external one, or else the first."""
    apis = {name: url for name, url in advertised.items() if name != "service-account-issuer"}
    return apis.get("external") or next(iter(apis.values()), None)


def of_shoot(garden: Garden, ref: ShootRef, command: str | None = None) -> str:
    """For a person: the kubeconfig of a Shoot that is there."""
    shoot = garden.get(shoot_path(ref.namespace, ref.name))
    if shoot is None:
        raise Problem(f"The garden of {ref.garden} has no Shoot {ref.name} in {ref.namespace}.")
    status: Object = shoot.get("status", {})
    rows: list[Object] = status.get("advertisedAddresses") or []
    server = address({one["name"]: one["url"] for one in rows})
    trusted = garden.get(f"/api/v1/namespaces/{ref.namespace}/configmaps/{ref.name}.{AUTHORITY}")
    if server is None or trusted is None:
        last: Object = status.get("lastOperation", {})
        did = last.get("description", "nothing has been done for it yet")
        raise Problem(f"The cluster of the Shoot {ref.name} has no address yet. Gardener says: {did}")
    return text(ref, server, trusted["data"]["ca.crt"], command)
