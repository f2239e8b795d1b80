"""The CRDs of every row of the lock file: whole, as a server takes them, and prepared for the schema engine."""

import copy
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from crds.generator import modules
from crds.generator.lock import CRDS, CrdFile, CrdSource, OwnSource, Source, TypesSource
from crds.generator.prepare import Crd, kind, parse, prepare, served
from tools import cache
from tools.build import environment, find_go
from tools.problem import Problem, from_output
from tools.programs import named


@dataclass(frozen=True, kw_only=True)
class Collected:
    whole: Crd
    typed: Crd | None  # none for a kind that the program makes nothing of


def collect(sources: list[Source]) -> list[Collected]:
    return [collected for source in sources for collected in _of(source)]


def _of(source: Source) -> list[Collected]:
    match source:
        case CrdSource():
            return [collected for file in source.crds for collected in _of_file(source, file)]
        case OwnSource():
            text = (CRDS / "own" / source.file).read_text()
            return [_collected(crd) for crd in _chosen(text, source.kinds, f"crds/own/{source.file}")]
        case TypesSource():
            return [
                _collected(served(crd, cluster=kind(crd) in source.cluster), typed_values=True)
                for crd in _chosen(_from_types(source), source.kinds, f"{source.module}/{source.types}")
            ]


def _of_file(source: CrdSource, file: CrdFile) -> list[Collected]:
    text, where = modules.read(source, file.file), f"{source.module} {file.file}"
    untyped = [Collected(whole=crd, typed=None) for crd in _chosen(text, file.untyped, where)]
    return [*(_collected(crd) for crd in _chosen(text, file.kinds, where)), *untyped]


def _collected(crd: Crd, *, typed_values: bool = False) -> Collected:
    return Collected(whole=crd, typed=prepare(copy.deepcopy(crd), typed_values=typed_values))


def _chosen(text: str, kinds: list[str], where: str) -> list[Crd]:
    found = {kind(crd): crd for crd in parse(text)}
    missing = [name for name in kinds if name not in found]
    if missing:
        raise Problem(f"crds/lock.toml: {where} has no kind {', '.join(missing)}; it has {', '.join(sorted(found))}.")
    return [found[name] for name in kinds]


def _from_types(source: TypesSource) -> str:
    """CRDs that controller-gen makes from Go types, whose module it reads through its own pinned go.mod."""
    program = named("controller-gen")
    pin = f"{source.module} {source.version} {source.h1}"
    if pin not in (program.source / "go.sum").read_text().splitlines():
        raise Problem(f"crds/lock.toml: the line '{pin}' is not in {program.source / 'go.sum'}: pin both alike.")
    command = [str(cache.LINKS / "bin/controller-gen"), "crd:crdVersions=v1,allowDangerousTypes=true"]
    with tempfile.TemporaryDirectory() as scratch:
        # A copy: the pinned files cannot change, and no Go workspace of the person's is above it.
        place = Path(shutil.copytree(program.source, Path(scratch) / "src"))
        command += [f"paths={source.module}/{source.types}", f"output:crd:dir={scratch}/out"]
        path = {"PATH": f"{Path(find_go()).parent}:/usr/bin:/bin"}
        env = {**environment(program.toolchain), **path}
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise from_output(f"controller-gen of {source.module}/{source.types}", done.stdout + done.stderr, place)
        return "\n---\n".join(file.read_text() for file in sorted(Path(scratch, "out").glob("*.yaml")))
