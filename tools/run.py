"""pulumi with this project's programs and, unless the person has another, a backend in this folder."""

import os
import subprocess

from tools import cache
from tools.problem import Problem

STATE = cache.ROOT / ".state"


def environment() -> dict[str, str]:
    """The variables of a pulumi command. A backend that the person named keeps its own passphrase."""
    path = os.environ.get("PATH", "")
    bin_folder = str(cache.LINKS / "bin")
    ours = {
        "PATH": path if path.startswith(bin_folder) else f"{bin_folder}{os.pathsep}{path}",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
    }
    if "PULUMI_BACKEND_URL" not in os.environ or _is_ours(os.environ["PULUMI_BACKEND_URL"]):
        ours |= {"PULUMI_BACKEND_URL": f"file://{STATE}", "PULUMI_CONFIG_PASSPHRASE": ""}
    return ours


def pulumi(stack: str, arguments: list[str]) -> None:
    """Become the pulumi command: it then owns the terminal, its signals and its exit code."""
    env = {**os.environ, **environment()}
    program = str(cache.LINKS / "bin/pulumi")
    if _is_ours(env.get("PULUMI_BACKEND_URL", "")) and not (STATE / f".pulumi/stacks/cobaltcore/{stack}.json").exists():
        STATE.mkdir(exist_ok=True)
        command = [program, "stack", "init", stack, "--no-select", "--non-interactive"]
        made = subprocess.run(command, cwd=cache.ROOT, env=env, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise Problem(f"The stack {stack} could not be made in {STATE}: {(made.stdout + made.stderr).strip()}")
    os.chdir(cache.ROOT)
    os.execve(program, [program, arguments[0], "--stack", stack, *arguments[1:]], env)


def _is_ours(backend: str) -> bool:
    return backend == f"file://{STATE}"


def known(stack: str) -> None:
    """Refuse a mistyped stack; asked before the set-up, which may take a quarter of an hour."""
    file = cache.ROOT / f"Pulumi.{stack}.yaml"
    if not file.exists():
        there = ", ".join(sorted(path.stem.removeprefix("Pulumi.") for path in cache.ROOT.glob("Pulumi.*.yaml")))
        raise Problem(f"STACK={stack}: there is no {file.name}. The stacks are {there}.")
