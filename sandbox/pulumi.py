"""pulumi on a stack against its sandbox: the state is the sandbox's own and goes with it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from sandbox.pids import alive, command_of, commands, families, tell, was_given
from sandbox.state import Folder, status_of
from tools import cache, run as tool
from tools.problem import Problem

GARDEN, MANAGEMENT, MIRROR = "cobaltcore:garden", "cobaltcore:management", "cobaltcore:chartMirror"
OWN = {"TMPDIR": "pulumi-tmp", "PULUMI_HOME": "pulumi-home", "HELM_CACHE_HOME": "helm-cache"}
END_SECONDS = 20.0  # for a run that is interrupted
LOOK_SECONDS = 0.1
# The commands that read a stack's configuration, and so take --config-file.
CONFIGURED = ("up", "update", "preview", "refresh", "destroy", "import", "watch", "config")


def run(home: Folder, stack: str, arguments: list[str]) -> None:
    """Become the pulumi command."""
    if not arguments:
        raise Problem("Which pulumi command? For example: preview")
    tool.known(stack)
    status_of(home)  # raises if it does not run
    program, env = str(cache.LINKS / "bin/pulumi"), environment(home)
    _make_stack(home, stack, program, env)
    forget_dead_runs(home)
    command = [program, arguments[0], "--stack", stack]
    if arguments[0] in CONFIGURED:
        command += ["--config-file", str(stack_file(home, stack))]
    os.chdir(cache.ROOT)
    os.execve(program, [*command, *arguments[1:]], env)


def environment(home: Folder) -> dict[str, str]:
    """The committed stack files have the salt of the empty passphrase, whatever passphrase the person has elsewhere.

    What Pulumi and its provider keep goes with the sandbox: logs, a copy of each kubeconfig that nobody removes, and
    the small chart that stands for the real one of the same name in a person's Helm cache.
    """
    own = {name: home.path / folder for name, folder in OWN.items()}
    for folder in own.values():
        folder.mkdir(parents=True, exist_ok=True)
    backend = {"PULUMI_BACKEND_URL": f"file://{home.path / 'pulumi'}", "PULUMI_CONFIG_PASSPHRASE": ""}
    return {**os.environ, **tool.environment(), **backend, **{name: str(folder) for name, folder in own.items()}}


def stack_file(home: Folder, stack: str) -> Path:
    """The committed stack file with the sandbox's garden, management cluster and charts, written anew at every run."""
    text = yaml.safe_load((cache.ROOT / f"Pulumi.{stack}.yaml").read_text())
    garden = {**text["config"].get(GARDEN, {}), "kubeconfig": str(home.kubeconfigs / "garden.yaml")}
    text["config"][GARDEN] = garden
    status = home.status()
    if status and "management" in status.clusters:
        text["config"][MIRROR] = status.endpoints["chartMirror"]
        text["config"][MANAGEMENT] = {
            **text["config"].get(MANAGEMENT, {}),
            "kubeconfig": str(home.kubeconfigs / "management.yaml"),
            "issuer": status.clusters["management"].url,
            "secretStore": {"server": status.endpoints["vault"]},
            "certificateAuthority": (home.path / "clusters/management/ca.crt").read_text(),
        }
    file = home.path / f"Pulumi.{stack}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False))
    return file


def forget_dead_runs(home: Folder) -> None:
    """The lock of a run that was killed; a sandbox's state is on this machine, so nobody else can hold it.

    What that run had begun goes on in the garden, and the next run finds it there: server-side apply makes nothing
    twice. Its plugins would go on too, and write beside the next run.
    """
    for file, pid in _locks(home):
        if not alive(pid):
            with contextlib.suppress(OSError):
                file.with_name(f"{file.name}.attrs").unlink(missing_ok=True)
                file.unlink()
                print(f"An earlier pulumi (process {pid}) was killed on the way: this run goes on.", file=sys.stderr)
    programs = _programs(home)
    spared = families(_runs(home, programs))
    _kill([pid for pid in programs if pid not in spared])


def end_runs(home: Folder) -> None:
    """As by Ctrl-C; one that goes on would write its state, and its provider a kubeconfig, when the folder is gone."""
    runs = _runs(home, _programs(home))
    members = families(runs)
    if runs:
        print(f"A pulumi works on it ({_numbers(runs)}), and is interrupted.", file=sys.stderr)
        for pid in runs:
            tell(pid, signal.SIGINT)
        _await_end(members)
    _kill({*members, *_programs(home)})  # looked at anew: an interrupted run may have begun a plugin meanwhile


def _runs(home: Folder, programs: Mapping[int, str]) -> set[int]:
    """Every pulumi that works on the sandbox: a preview holds no lock; a plain pulumi has not our environment."""
    locked = {pid for _, pid in _locks(home) if _is_pulumi(command_of(pid))}
    return locked | {pid for pid, command in programs.items() if _is_pulumi(command)}


def _is_pulumi(command: str) -> bool:
    """The number of one that was killed may be another program's by now."""
    return any(Path(word).name == "pulumi" for word in command.split())


def _programs(home: Folder) -> dict[int, str]:
    """Pulumi and its plugins that were started for the sandbox, and their commands."""
    variable, folder = "PULUMI_HOME", str(home.path / OWN["PULUMI_HOME"])
    return {
        pid: command
        for pid, command in commands().items()
        if any(Path(word).name.startswith("pulumi") for word in command.split()) and was_given(pid, variable, folder)
    }


def _kill(pids: Iterable[int]) -> None:
    there = [pid for pid in pids if alive(pid)]
    for pid in there:
        tell(pid, signal.SIGKILL)
    _await_end(there)


def _await_end(pids: list[int]) -> None:
    end = time.monotonic() + END_SECONDS
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)


def _numbers(pids: Iterable[int]) -> str:
    return ", ".join(f"process {pid}" for pid in sorted(pids))


def _locks(home: Folder) -> Iterator[tuple[Path, int]]:
    """The locks of runs that did not end yet, or never will, and their processes."""
    for file in (home.path / "pulumi/.pulumi/locks").rglob("*.json"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            yield file, int(json.loads(file.read_text())["pid"])


def _make_stack(home: Folder, stack: str, program: str, env: dict[str, str]) -> None:
    state = home.path / "pulumi"
    if (state / f".pulumi/stacks/cobaltcore/{stack}.json").exists():
        return
    state.mkdir(exist_ok=True)
    command = [program, "stack", "init", stack, "--no-select", "--non-interactive"]
    made = subprocess.run(command, cwd=cache.ROOT, env=env, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Problem(f"The stack {stack} could not be made: {(made.stdout + made.stderr).strip()}")
