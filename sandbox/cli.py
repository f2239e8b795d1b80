"""`python -m sandbox`: up, down, status, kubeconfig CLUSTER; the Makefile is its usual caller."""

import argparse
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Generator

from sandbox import fault_parser, faults, interrupts, state
from sandbox.ending import DOWN_SECONDS, LOOK_SECONDS, down, end_group
from sandbox.pids import ps
from sandbox.pulumi import run as run_pulumi
from sandbox.state import Folder, Status, folder, tail
from tools import cache
from tools.problem import Problem, from_os_error
from tools.progress import Step, clock

DEFAULT = os.environ.get("STACK", "eu-de-1")


def main(arguments: list[str]) -> int:
    try:
        with interrupts.alike():
            code = _run(arguments)
            sys.stdout.flush()
            return code
    except BrokenPipeError:  # whoever reads has read enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Problem as problem:
        print(f"\n{problem}", file=sys.stderr)
    except OSError as error:
        sentence = from_os_error(error, state.ROOT)
        if sentence is None:
            raise
        print(f"\n{sentence}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    return 1


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("up", "start a sandbox, or find the one that runs"),
        ("down", "stop it and remove everything of it"),
        ("status", "what runs, and what it uses"),
        ("kubeconfig", "print a kubeconfig with all rights on one cluster"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("--name", default=DEFAULT, help="one sandbox a stack is usual (default: %(default)s)")
        if name == "up":
            command.add_argument("--owner", type=int, help="a process with which the sandbox ends, such as a test run")
        if name == "kubeconfig":
            command.add_argument("cluster", help="garden, management, or the name of a cluster or its Shoot")
    command = commands.add_parser("pulumi", help="pulumi COMMAND on a stack, against its sandbox and with its state")
    command.add_argument("--name", default=DEFAULT, help="the sandbox (default: %(default)s)")
    command.add_argument("--stack", help="the stack, if the sandbox is not called after it")
    command.add_argument("arguments", nargs=argparse.REMAINDER, help="such as preview, or up --yes")
    fault_parser.parser(commands.add_parser, DEFAULT)
    chosen = parser.parse_args(arguments)
    home = folder(chosen.name)
    match chosen.command:
        case "up":
            up(home, chosen.owner)
        case "down":
            down(home)
        case "status":
            show(home)
        case "fault":
            faults.run(home, chosen)
        case "pulumi":
            run_pulumi(home, chosen.stack or home.name, chosen.arguments)
        case _:
            print(kubeconfig(home, chosen.cluster), end="")
    return 0


def up(home: Folder, owner: int | None = None) -> None:
    """Ready afterwards. An interrupt ends the sandbox that this command began, not one it found."""
    found = home.running()
    if not found:
        with _undone(home) as begun:
            _begin(home, owner, begun)
    try:
        _follow(home, found=found)
    except KeyboardInterrupt:
        if not found:
            down(home)
        raise


def show(home: Folder) -> None:
    said = state.status_of(home)
    used = {name: _memory(pid) for name, pid in said.processes.items()}
    print(
        f"The sandbox {said.name} is {said.state} since {said.began}; {sum(used.values())} MB in {len(used)} programs."
    )
    for name, cluster in sorted(said.clusters.items()):
        print(f"  {name:24} {cluster.url}  {' '.join(cluster.aliases)}")
    for fault in faults.held(home, said):
        print(f"  a fault that you wished for: {fault}")
    for problem in said.fault_problems:
        print(f"  a fault that goes wrong: {problem}")
    for name, why in said.ended.items():
        print(f"  {name} {why}")


def kubeconfig(home: Folder, cluster: str) -> str:
    said = state.status_of(home)
    names = [name for name, one in said.clusters.items() if cluster in (name, *one.aliases)]
    if not names:
        raise Problem(
            f"The sandbox {home.name} has no cluster {cluster}. There are: {', '.join(sorted(said.clusters))}."
        )
    return (home.kubeconfigs / f"{names[0]}.yaml").read_text()


def _begin(home: Folder, owner: int | None, begun: "list[subprocess.Popen[bytes]]") -> None:
    """Start the supervisor in a session of its own: it stays when this command ends."""
    stale = home.status()
    if stale:
        end_group(stale)
    home.remove()
    home.path.mkdir(parents=True, exist_ok=True)
    with home.log.open("wb") as output, interrupts.held():
        process = subprocess.Popen(
            [sys.executable, "-m", "sandbox.supervisor", home.name, *([str(owner)] if owner else [])],
            cwd=cache.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        begun.append(process)
    while home.status() is None or not home.running():
        if process.poll() is not None and not home.running():
            raise Problem(f"The sandbox's supervisor did not start. {tail(home.log)}")
        time.sleep(LOOK_SECONDS)


@contextlib.contextmanager
def _undone(home: Folder) -> "Generator[list[subprocess.Popen[bytes]]]":
    """An interrupt ends a supervisor that says nothing of itself yet, and leaves no folder."""
    begun: list[subprocess.Popen[bytes]] = []
    try:
        yield begun
    except KeyboardInterrupt:
        for process in begun:
            process.terminate()
            try:
                process.wait(DOWN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if not home.running():  # another `up` may have been faster
            if status := home.status():
                end_group(status)
            with contextlib.suppress(Problem):  # or is so now
                home.remove()
        raise


def _follow(home: Folder, *, found: bool) -> None:
    """Show the phases until the sandbox is ready."""
    if found and _look(home).state == "ready":
        _assert_whole(home)
        print(f"The sandbox {home.name} runs already.", file=sys.stderr)
        for fault in faults.held(home, _look(home)):
            print(f"  a fault that you wished for: {fault}", file=sys.stderr)
        return
    began = time.monotonic()
    for at, phase in enumerate(_look(home).phases):
        with Step(phase.title) as step:
            while (now := _look(home).phases[at]).state in ("waiting", "running"):
                step.detail = now.detail
                time.sleep(LOOK_SECONDS)
            while now.state == "failed":
                _look(home)  # raises as soon as the supervisor has said why
                time.sleep(LOOK_SECONDS)
    while _look(home).state == "starting":
        time.sleep(LOOK_SECONDS)
    _assert_whole(home)
    print(f"The sandbox {home.name} is ready after {clock(time.monotonic() - began)}.", file=sys.stderr)


def _assert_whole(home: Folder) -> None:
    ended = "\n  ".join(f"{name} {why}" for name, why in sorted(_look(home).ended.items()))
    if ended:
        raise Problem(
            f"The sandbox {home.name} runs, but these programs ended although nobody asked them to:\n  {ended}\n"
            f"Nothing starts them again: `make down STACK={home.name}`, then the same command again."
        )


def _look(home: Folder) -> Status:
    said = home.status()
    if said is None:
        raise Problem(f"The sandbox {home.name} was stopped. Start it anew with the same command.")
    if said.state == "failed":
        raise Problem(f"The sandbox {home.name} could not start: {said.problem}\nAll its logs are in {home.path}.")
    if said.state == "stopping":
        raise Problem(f"The sandbox {home.name} was stopped. Start it anew with the same command.")
    if not home.running():
        raise Problem(f"The sandbox {home.name} ended while it started. {tail(home.log)}")
    return said


def _memory(pid: int) -> int:
    """In MB; nothing where the system does not tell."""
    return int(ps("-o", "rss=", "-p", str(pid)).strip() or 0) // 1024
