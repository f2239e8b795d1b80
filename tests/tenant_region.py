"""A region in a sandbox whose tenants are set by tests, as a person would with the stack file."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from sandbox.client import Manifest
from tests.live_tenants import LiveTenants
from tests.regions import loaded, stack
from tests.sandboxes import Running, command

STACK = "us-east-1"
PLANE = f"{STACK}-control-plane"
SHARED: dict[str, Any] = {
    "region": STACK,
    "size": "small",
    "environment": "staging",
    "hypervisorClusters": ["hv-pool-us"],
    "storageClusters": ["st-pool-us"],
    "deletionProtection": False,
    "nodeShares": {"hv-pool-us": 5},
    "storage": {"ceph": {"volumePool": {"quotaGB": 1000}}},
}
# The stack file's tenant, which is protected, beside others; one with all that is optional; a new one.
KEPT: dict[str, Any] = {
    **stack(STACK)["openStackClusters"][0],
    "nodeShares": {"hv-pool-us": 20},
    "storage": {"ceph": {"volumePool": {"quotaGB": 5000}}},
}
FULL: dict[str, Any] = {
    **SHARED,
    "name": "full",
    "services": {"manila": True},
    "storage": {
        "ceph": {**SHARED["storage"]["ceph"], "filesystem": {"enabled": True}, "objectStore": {"enabled": True}}
    },
}
NEW: dict[str, Any] = {**SHARED, "name": "new"}


def tenants(*claims: dict[str, Any]) -> dict[str, Any]:
    return {"openStackClusters": list(claims)}


@dataclass(frozen=True)
class Said:
    code: int
    text: str


@dataclass
class Region:
    running: Running
    log: Path
    printed: str = ""  # all that pulumi ever said

    def pulumi(self, words: list[str], config: dict[str, Any] | None = None) -> Said:
        given = [
            part for key, one in (config or {}).items() for part in ("--config", f"cobaltcore:{key}={json.dumps(one)}")
        ]
        done = command("pulumi", "--name", self.running.home.name, "--stack", STACK, *words, *given, "--color", "never")
        said = Said(done.returncode, done.stdout + done.stderr)
        self.printed += said.text
        return said if words[-1] != "--json" else Said(done.returncode, done.stdout)

    def up(self, *claims: dict[str, Any]) -> Said:
        return self.pulumi(["up", "--yes", "--skip-preview"], tenants(*claims))

    def plan(self, *claims: dict[str, Any]) -> Said:
        return self.pulumi(["preview"], tenants(*claims))

    def steps(self, *claims: dict[str, Any]) -> list[tuple[str, str]]:
        """What a preview plans, of each resource that does not stay as it is: its type and name, and the step."""
        said = self.pulumi(["preview", "--json"], tenants(*claims))
        assert said.code == 0, said.text
        rows: list[Manifest] = json.loads(said.text[said.text.index("{") :])["steps"]
        return [("::".join(row["urn"].split("::")[2:]), row["op"]) for row in rows if row["op"] not in ("same", "read")]

    def live(self, *claims: dict[str, Any]) -> LiveTenants:
        return LiveTenants(self.running, loaded({**stack(STACK), **tenants(*claims)}))

    def vault(self, path: str, kind: str = "data") -> dict[str, Any] | None:
        status = self.running.status
        token = (self.running.home.path / "vault-token").read_text()
        address = f"{status.endpoints['vault']}/v1/kv-v2/{kind}/{path}"
        method = "GET" if kind == "data" else "LIST"
        request = urllib.request.Request(address, headers={"X-Vault-Token": token}, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310
                found: dict[str, Any] = json.load(answer)["data"]
                return found
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.NOT_FOUND:
                raise
            return None
