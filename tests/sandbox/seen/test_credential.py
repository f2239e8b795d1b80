"""Credentials that expire while they are used."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.pulumi import environment
from tests.live_clusters import FEW, LONG, POOLS, STACK, Region
from tests.sandboxes import fault
from tools import cache

pytestmark = pytest.mark.servers


def test_a_credential_expires_in_the_middle(ready: Region, tmp_path: Path) -> None:
    """It is no longer good when it is used: the next one is asked for, or the next run asks."""
    wrapped(tmp_path, ready)
    done = with_expired(tmp_path, ready)
    assert done.returncode == 0 or f"Cluster {POOLS[0]}: its API takes the credential no more" in done.stdout
    fault(ready.sandbox, "end")
    ready.converges()


def test_a_credential_is_no_longer_good_however_often_it_is_asked_for(ready: Region, tmp_path: Path) -> None:
    wrapped(tmp_path, ready, always=True)
    done = with_expired(tmp_path, ready)
    assert done.returncode != 0, done.stdout
    assert f"Cluster {POOLS[0]}: its API takes the credential no more, so {POOLS[0]}-info" in done.stdout
    assert "run the update again when it is well" in done.stdout
    fault(ready.sandbox, "end")
    ready.converges()


def with_expired(folder: Path, region: Region) -> "subprocess.CompletedProcess[str]":
    """An update that gets its credentials from the command in a folder."""
    words = ["up", "--yes", "--skip-preview", "--stack", STACK, "--config-file", str(region.write(FEW, LONG))]
    env = environment(region.sandbox.home)
    done = subprocess.run(
        [str(cache.LINKS / "bin/pulumi"), *words, "--replace", f"**{POOLS[0]}-info", "--color", "never"],
        cwd=cache.ROOT,
        env={**env, "PATH": f"{folder}{os.pathsep}{env['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "expired").exists(), "nothing has expired"
    assert "Traceback" not in done.stdout + done.stderr
    return done


def wrapped(folder: Path, region: Region, *, always: bool = False) -> None:
    """The real command, except that what it gives out first, or always, for one cluster is no longer good."""
    real, file = cache.LINKS / "bin/cobaltcore-access", folder / "cobaltcore-access"
    expire = [sys.executable, "-m", "sandbox", "fault", "--name", region.sandbox.home.name, "expire", POOLS[0]]
    file.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, subprocess, sys\n"
        f"done = subprocess.run([{str(real)!r}, *sys.argv[1:]], capture_output=True, check=True)\n"
        f"first, given = pathlib.Path({str(folder / 'expired')!r}), done.stdout\n"
        f"if {POOLS[0]!r} in sys.argv and not first.exists():\n"
        "    first.write_bytes(given)\n"
        f"    subprocess.run({expire!r}, cwd={str(cache.ROOT)!r}, check=True, capture_output=True)\n"
        f"elif {POOLS[0]!r} in sys.argv and {always}:\n"
        "    given = first.read_bytes()\n"
        "sys.stdout.buffer.write(given)\n"
    )
    file.chmod(stat.S_IRWXU)
