"""`python -m crds.generator FOLDER` writes the typed packages of crds/lock.toml into the folder."""

import sys
from pathlib import Path

from crds.generator import lock, package
from crds.generator.collect import collect
from tools.problem import Problem


def main(target: Path) -> int:
    try:
        package.write(collect(lock.load()), target)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


sys.exit(main(Path(sys.argv[1])))
