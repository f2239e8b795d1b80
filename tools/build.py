"""Build the pinned programs from the Go module proxy, each once per user."""

import functools
import os
import re
import shutil
import subprocess
import sys
from collections import deque
from pathlib import Path

from tools import cache
from tools.crew import Crew
from tools.problem import Problem, from_output
from tools.programs import FLAGS, LINKER, Program, on_path
from tools.progress import Step

OLDEST_GO = (1, 21)  # the first that can fetch the toolchain which a go.mod names
GIGABYTES = {"preview": 10.0, "sandbox": 9.0}  # module and build caches, measured from nothing
MINUTES = {"preview": 14, "sandbox": 16}  # on two cores, measured from nothing
AT_ONCE = 2  # one compiles while the other fetches, links, or waits for its largest package
CROSS = ("GOOS", "GOARCH", "GOEXPERIMENT")  # of a person who builds for elsewhere; these programs run here


def build(programs: list[Program]) -> None:
    """Build what is missing; each program is complete in the cache or not there at all."""
    begun = {program.set for program in programs if program.home.exists()}
    missing = [program for program in programs if not program.home.exists() and not _adopt(program)]
    if not missing:
        return
    go = find_go()
    sets = {program.set for program in missing}
    if sets - begun:  # where one was built, Go's own caches are filled with nearly all that the others need
        places = [cache.folder(), go_folder(go, "GOMODCACHE"), go_folder(go, "GOCACHE")]
        cache.need_space(sum(GIGABYTES[name] for name in sets - begun), places)
    minutes = sum(MINUTES[name] for name in sets)
    _tell(f"Building {len(missing)} programs, once for this user: up to {minutes} minutes on two cores.")
    crew = Crew()
    # What shares a module shares compiled packages: one after the other.
    jobs: dict[str, list[tuple[str, Program]]] = {}
    for number, program in enumerate(missing, 1):
        jobs.setdefault(program.module, []).append((f"[{number}/{len(missing)}]", program))
    crew.work([functools.partial(_build_all, job, go, crew) for job in jobs.values()], AT_ONCE)


def _build_all(programs: list[tuple[str, Program]], go: str, crew: Crew) -> None:
    for number, program in programs:
        with Step(f"{number} {program.name} {program.version}") as step:
            _build(program, go, crew, step)


def find_go() -> str:
    go = shutil.which("go")
    if go is None:
        raise Problem(
            "go is not on PATH, and the programs of this project are built from source. Install Go 1.21 or newer "
            "(any package manager has it) and run the same command again."
        )
    version = go_variable(go, "GOVERSION")
    match = re.search(r"\bgo(\d+)\.(\d+)", version)
    if match is None or (int(match[1]), int(match[2])) < OLDEST_GO:
        raise Problem(
            f"{go} is {version or 'too old to say its version'}, and 1.21 is the oldest Go that can fetch the "
            "pinned toolchain. Install a newer Go and run the same command again."
        )
    return go


def environment(toolchain: str) -> dict[str, str]:
    """Only what must be the same for everybody is set; proxies and cache folders stay the person's own.

    GOFLAGS is never empty, since Go would then read the person's own from its configuration file. GOGC lets the
    compiler use more memory, which takes a fifth off its time.
    """
    pinned = {"CGO_ENABLED": "0", "GOTOOLCHAIN": toolchain, "GOFLAGS": "-buildvcs=false", "GOWORK": "off"}
    theirs = {name: value for name, value in os.environ.items() if name not in CROSS}
    return {"GOGC": "400", **theirs, **pinned}


def go_variable(go: str, variable: str) -> str:
    """What the person's own go answers, whichever toolchain they chose: that one may still have to be fetched."""
    env = {**os.environ, "GOTOOLCHAIN": "local"}
    answer = subprocess.run([go, "env", variable], env=env, capture_output=True, text=True, check=False, cwd="/")
    return answer.stdout.strip()


def go_folder(go: str, variable: str) -> Path:
    return Path(go_variable(go, variable))


def module_folder(go: str, program: Program, module: str, place: Path) -> Path:
    """Where the module cache holds a module that the program's go.mod requires, fetched and verified."""
    said = ""
    for arguments in (["mod", "download", module], ["list", "-m", "-f", "{{.Dir}}", module]):
        env = environment(program.toolchain)
        done = subprocess.run([go, *arguments], cwd=place, env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise from_output(f"{program.name}: fetching {module}", done.stdout + done.stderr, cache.folder())
        said = done.stdout.strip()
    return Path(said)


def _adopt(program: Program) -> bool:
    """Take a program of the pinned version from PATH instead of building it.

    A copy: the person may upgrade or remove theirs, and the cache's key promises this version.
    """
    found = on_path(program)
    if found is None:
        return False
    _tell(f"{program.name} {program.version}: using {found}")
    with cache.publishing(program.home) as scratch:
        shutil.copy2(found, scratch / program.name)
    return True


def _tell(line: str) -> None:
    """Beside the progress, never to standard output: a shell evaluates what `python3 -m tools env` prints there."""
    print(line, file=sys.stderr, flush=True)


def _build(program: Program, go: str, crew: Crew, step: Step) -> None:
    """Build in a copy of the sources, since a program may embed a file that only its module's zip holds."""
    with cache.publishing(program.home) as scratch:
        sources = scratch / "src"
        shutil.copytree(program.source, sources, ignore=shutil.ignore_patterns("schema.json"))
        if program.embed:
            step.detail = f"fetching {program.embed.module}"
            module = module_folder(go, program, program.embed.module, sources)
            shutil.copyfile(module / program.embed.file, sources / program.embed.to)
        if program.beside:
            step.detail = f"fetching {program.beside.module}"
            module = module_folder(go, program, program.beside.module, sources)
            for file in program.beside.files:
                shutil.copyfile(module / file, scratch / Path(file).name)
                (scratch / Path(file).name).chmod(0o755)
        _compile(program, _command(program, go, scratch / program.name), crew, step, sources)
        shutil.rmtree(sources)


def _command(program: Program, go: str, target: Path) -> list[str]:
    linker = " ".join([*LINKER, *(f"-X {stamp}" for stamp in program.stamp)])
    compiler = [f"-gcflags={flag}" for flag in program.compile]
    return [go, "build", "-v", *FLAGS, *compiler, "-ldflags", linker, "-o", str(target), program.package]


def _compile(program: Program, command: list[str], crew: Crew, step: Step, sources: Path) -> None:
    compiled = fetched = 0
    said: deque[str] = deque(maxlen=200)
    with crew.child(command, sources, environment(program.toolchain)) as process:
        for line in process.stdout or ():
            said.append(line)
            fetched += line.startswith("go: downloading")
            compiled += not line.startswith("go: ") and "/" in line and " " not in line.strip()
            step.detail = f"{fetched} modules fetched, {compiled} packages compiled"
    if process.returncode != 0:
        raise from_output(f"{program.name} {program.version}", "".join(said), cache.folder())
