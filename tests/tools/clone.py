"""A copy of the set-up in a folder of a test's own: its cache, its programs on PATH and nothing of the person's.

`Clone(tmp_path)` is a clone in which everything that is slow is a script: go, uv, and the Python environment that uv
makes. A test replaces the script whose failure it wants to see.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

from tests import interrupts
from tools import cache

SECONDS = 30.0  # none needs more than a few; a machine that builds something beside the tests is slow
COPIED = ("tools", "access", "crds/lock.toml", "crds/own", "crds/generator", "pyproject.toml", "uv.lock")
LEFT = shutil.ignore_patterns("__pycache__", "schema.json")

# `build` is a shell text that finds the file to make in $target; each build is counted in the file `built`.
FAKE_GO = """\
#!/bin/sh
case "$1 $2" in
"env GOVERSION") echo go1.26.8 ;;
"env GOMODCACHE" | "env GOCACHE") echo "$HOME/go/$2" ;;
"env GOPROXY") echo "$GOPROXY" ;;
"mod download") ;;
"list -m") echo "$HOME/module" ;;
"build "*)
    while [ "$1" != -o ]; do shift; done
    target=$2
    echo "${{target##*/}}" >> "$HOME/built"
    {build}
    ;;
*) echo "the fake go knows no '$*'"; exit 1 ;;
esac
"""
# A build that is at work for half a minute, in short sleeps: a shell that waits for one long one may miss a signal that
# comes just before it waits.
WORKS = "n=0; while [ $n -lt 600 ]; do n=$((n+1)); /bin/sleep 0.05; done"
BUILDS = 'echo program > "$target"; /bin/chmod 755 "$target"'

FAKE_UV = """\
#!/bin/sh
if [ "$1" = --version ]; then echo "uv {version}"; exit; fi
/bin/mkdir -p .venv/bin
printf '%s\\n' '#!/bin/sh' {generator} > .venv/bin/python
/bin/chmod 755 .venv/bin/python
"""
GENERATES = ': > "$3/pyproject.toml"'

# The files that the programs take from the zips of modules.
FETCHED = ("python/cmd/pulumi-language-python-exec", "cmd/pulumi-resource-kubernetes/schema.json")


class Clone:
    def __init__(self, place: Path) -> None:
        self.root = place / "clone"
        self.cache = place / "cache"
        self.home = place / "home"
        self.path = place / "bin"
        for name in COPIED:
            source, target = cache.ROOT / name, self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT)
            else:
                shutil.copyfile(source, target)
        for name in FETCHED:
            (self.home / "module" / name).parent.mkdir(parents=True)
            (self.home / "module" / name).write_text(name)
        self.path.mkdir()
        # A test's programs are a few bytes: it must pass on a disk on which the real ones have no place.
        self.setting("GIGABYTES", '{"preview": 0.0, "sandbox": 0.0}')
        self.setting("AT_ONCE", "1")  # in the order of the list, so that a test knows which program comes first
        self.go()
        self.uv()

    def setting(self, name: str, value: str) -> None:
        """Give a constant of the build another value."""
        file = self.root / "tools/build.py"
        text, replaced = re.subn(rf"(?m)^{name} = .*", f"{name} = {value}", file.read_text())
        assert replaced == 1, f"tools/build.py has no {name} any more, or says it in another way"
        file.write_text(text)

    def program(self, name: str, text: str) -> Path:
        """Put a script on the clone's PATH."""
        file = self.path / name
        file.write_text(text)
        file.chmod(0o755)
        return file

    def go(self, build: str = BUILDS) -> None:
        self.program("go", FAKE_GO.format(build=build))

    def uv(self, generator: str = GENERATES) -> None:
        self.program("uv", FAKE_UV.format(version=uv_version(), generator=f"'{generator}'"))

    def environment(self, **more: str) -> dict[str, str]:
        ours = {"PATH": str(self.path), "HOME": str(self.home), "COBALTCORE_CACHE": str(self.cache)}
        return {**ours, "PYTHONDONTWRITEBYTECODE": "1", **more}

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """`python -m tools ...` in the clone, with its environment and what the test adds to it."""
        command = [sys.executable, "-m", "tools", *arguments]
        environment = self.environment(**more)
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    @contextlib.contextmanager
    def started(self, *arguments: str) -> Generator[subprocess.Popen[bytes]]:
        """The same at work while the block lasts; what it says is in the file `said`."""
        command = [sys.executable, "-m", "tools", *arguments]
        with (self.home / "said").open("wb") as said, interrupts.heard():
            process = subprocess.Popen(
                command, cwd=self.root, env=self.environment(), stdout=said, stderr=subprocess.STDOUT
            )
        with process:
            try:
                yield process
            finally:
                process.kill()

    def said(self) -> str:
        return (self.home / "said").read_text()

    def built(self) -> list[str]:
        """The names of the programs that the fake go was asked for, in their order."""
        file = self.home / "built"
        return file.read_text().split() if file.exists() else []

    def cached(self) -> list[str]:
        """What is in the cache beside empty folders, as `programs/etcd` without the versions and keys."""
        files = (path.relative_to(self.cache) for path in self.cache.rglob("*") if not path.is_dir())
        return sorted({re.sub(r"-[0-9][^/]*", "", str(file)) for file in files})


def uv_version() -> str:
    found = re.search(r"^uv==(\S+)", (cache.ROOT / "tools/uv.txt").read_text(), re.MULTILINE)
    assert found, "tools/uv.txt pins no uv"
    return found[1]


def sentence(done: subprocess.CompletedProcess[str], code: int = 1) -> str:
    """What a failed run said at its end; it is for a person, so it holds no traceback."""
    assert done.returncode == code, f"exit code {done.returncode} instead of {code}: {done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr.strip().rsplit("\n\n", 1)[-1]


def until(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, f"after {SECONDS:.0f} s: {what}"
        time.sleep(0.01)


def real_go() -> Path:
    """The folder of the person's own go, for the tests of what Go itself says."""
    found = shutil.which("go")
    assert found, "go is not on PATH; make setup says how to get it"
    return Path(found).parent


def real_environment(place: Path) -> dict[str, str]:
    """Variables for the real go that keep it out of the person's caches and configuration."""
    variables = {"GOMODCACHE": "modules", "GOCACHE": "builds", "GOPATH": "gopath", "GOTMPDIR": "tmp"}
    for folder in variables.values():
        (place / folder).mkdir(parents=True, exist_ok=True)
    folders = {name: str(place / folder) for name, folder in variables.items()}
    return {"PATH": f"{place}:{real_go()}{os.pathsep}/usr/bin:/bin", "GOENV": "off", **folders}
