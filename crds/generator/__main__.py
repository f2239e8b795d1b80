"""`python -m crds.generator FOLDER` writes the typed packages of crds/lock.toml, and its CRDs, into the folder."""

import sys
from pathlib import Path

from crds.generator import lock, manifests, package
from crds.generator.collect import collect
from tools.problem import Problem


def main(target: Path) -> int:
    try:
        collected = collect(lock.load())
        package.write([one.typed for one in collected if one.typed], target)
        manifests.write([one.whole for one in collected], target)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


sys.exit(main(Path(sys.argv[1])))
