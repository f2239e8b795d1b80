"""Small Pulumi programs that go around the components, run by the real pulumi with the pack."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policies.preview import PACK, PULUMI, Result, read
from tools import cache

PROJECT = """\
name: raw
runtime: {{name: python, options: {{virtualenv: {root}/.venv}}}}
plugins: {{providers: [{{name: kubernetes, version: 4.27.0, path: {root}/.tools/bin}}]}}
"""
LONGEST = 300  # seconds, for a command that takes ten or twenty
HEAD = """\
import pulumi
import pulumi_kubernetes as k
from pulumi.runtime import rpc

async def some(value):
    return value

def unknown():
    \"\"\"What an object of a cluster that is not there says of itself.\"\"\"
    return pulumi.Output(set(), some(""), some(False))

def cluster(name):
    return k.Provider(name, kubeconfig=unknown(), cluster_identifier=f"garden-c5c3/{name}")

"""


@dataclass(frozen=True)
class Program:
    place: Path

    @staticmethod
    def written(place: Path, text: str) -> "Program":
        (place / "Pulumi.yaml").write_text(PROJECT.format(root=cache.ROOT))
        (place / "__main__.py").write_text(HEAD + text)
        (place / "state").mkdir()
        return Program(place)

    def pulumi(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {
            **os.environ,
            "PATH": f"{PULUMI.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.place),
            "PULUMI_BACKEND_URL": f"file://{self.place / 'state'}",
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_DEBUG_COMMANDS": "true",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }
        command = [str(PULUMI), *arguments, "--non-interactive", "--color", "never"]
        return subprocess.run(
            command, cwd=self.place, env=env, capture_output=True, text=True, check=False, timeout=LONGEST
        )

    def run(self, command: str, *arguments: str, pack: Path = PACK) -> Result:
        """The command with the pack, as the gate reads it."""
        if not list((self.place / "state").rglob("raw/*.json")):
            made = self.pulumi("stack", "init", "raw")
            assert made.returncode == 0, made.stderr
        events = self.place / f"{command}.json"
        done = self.pulumi(
            command, "--stack", "raw", "--policy-pack", str(pack), "--event-log", str(events), *arguments
        )
        return read("raw", events, done)

    def exported(self) -> dict[str, Any]:
        return json.loads(self.pulumi("stack", "export", "--stack", "raw").stdout)


def broken(result: Result) -> dict[str, set[str]]:
    """The names of the objects that break each mandatory policy, as their messages begin."""
    found: dict[str, set[str]] = {}
    for one in result.mandatory:
        found.setdefault(one.policy, set()).add(one.says.partition(": ")[0].rpartition("/")[2])
    return found
