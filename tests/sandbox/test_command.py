"""The command line of the sandbox where no sandbox is needed: what it refuses, and what it leaves."""

import argparse
import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from model.mirror import Mirror
from sandbox import cli, faults, pulumi, registry, server_faults, state, webhooks
from sandbox.client import Client
from sandbox.operators.failures import Failure
from sandbox.server_faults import ServerFault
from sandbox.state import Cluster, Folder, Phase, Status, folder
from sandbox.wares import Ware
from tests import interrupts
from tests.parts import parts_in, told
from tests.sandboxes import alive, own_name, until
from tools import cache
from tools.problem import Problem

NOBODY = "https://127.0.0.1:1"


def status(**more: object) -> Status:
    """Of a sandbox that is ready; it has looked at every wish that a test can have."""
    clusters = {name: Cluster(url=NOBODY) for name in ("garden", "management", "hv-pool-a", "st-pool-a")}
    made = Status(name="told", pid=0, began="", state="ready", clusters=clusters, wish=99)
    made.endpoints = {"chartMirror": "oci://127.0.0.1:1", "webhook": NOBODY}
    for key, value in more.items():
        setattr(made, key, value)
    return made


def nothing(*_: object) -> None:
    """Instead of what needs a server."""


def chosen(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    faults.parser(parser.add_subparsers().add_parser, "told")
    return parser.parse_args(["fault", *words])


@pytest.mark.parametrize("number", interrupts.ALL)
def test_an_interrupt_before_the_first_word_leaves_no_sandbox(number: signal.Signals) -> None:
    """As soon as there is a supervisor, which has told nothing of itself yet."""
    with early() as home:
        with interrupts.heard():
            begun = subprocess.Popen(words(home), cwd=cache.ROOT, stderr=subprocess.PIPE, text=True)
        with begun as up:
            pids = until(lambda: children(up.pid) or None, lambda: "the start does not begin")
            up.send_signal(number)
            said = up.communicate(timeout=60)[1]
        assert up.returncode == 130, f"an interrupt ends with {up.returncode}: {said}"
        assert "Stopped." in said
        assert "Traceback" not in said, f"a traceback: {said}"
        assert not alive(pids), "the supervisor goes on"
        assert not home.path.exists(), f"files are left: {list(home.path.iterdir())}"


def test_what_ignores_a_closed_terminal_goes_on_ignoring_it() -> None:
    """As with nohup."""
    code = (
        "import os, signal\nfrom sandbox import interrupts\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with interrupts.alike():\n with interrupts.held(): os.kill(os.getpid(), signal.SIGHUP)\n"
        " os.kill(os.getpid(), signal.SIGHUP)\nprint('goes on')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=cache.ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "goes on\n", f"it ends with {done.returncode}: {done.stderr}"


@contextlib.contextmanager
def early() -> Generator[Folder]:
    home = folder(own_name("early"))
    try:
        yield home
    finally:
        cli.down(home)


def words(home: Folder) -> list[str]:
    return [sys.executable, "-m", "sandbox", "up", "--name", home.name]


def children(pid: int) -> list[int]:
    done = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)  # noqa: S607
    rows = [line.split() for line in done.stdout.splitlines()]
    return [int(child) for child, parent in rows if int(parent) == pid]


def test_a_second_up_says_which_program_is_missing_and_what_to_do() -> None:
    with (
        told(status(ended={"helm-controller": "ended with -9. The log helm-controller.log is empty."})) as home,
        pytest.raises(Problem) as caught,
    ):
        cli.up(home)
    assert "helm-controller ended with -9" in str(caught.value)
    assert f"`make down STACK={home.name}`, then the same command again" in str(caught.value)


@contextlib.contextmanager
def beginning(**outcome: object) -> Generator[Folder]:
    """A sandbox whose supervisor begins, passes each phase and then says that it is ready."""
    titles = ("Store", "Garden: API server")

    def tell() -> None:
        for at, title in enumerate(titles):
            phases[at] = Phase(title=title, state="done")
            home.write(status(state="starting", phases=phases))
            time.sleep(2 * cli.LOOK_SECONDS)
        home.write(status(phases=phases, **outcome))

    phases = [Phase(title=title) for title in titles]
    with told(status(state="starting", phases=phases)) as home:
        telling = threading.Thread(target=tell)
        telling.start()
        try:
            yield home
        finally:
            telling.join()


def test_up_shows_each_phase_until_the_sandbox_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    with beginning() as home:
        cli.up(home)
    said = capsys.readouterr().err
    steps = ["Store  done", "Garden: API server  done", f"The sandbox {home.name} is ready"]
    places = [said.find(step) for step in steps]
    assert -1 not in places, f"up does not show {steps}: {said}"
    assert places == sorted(places), f"not in their order: {said}"


def test_the_first_up_says_too_which_program_ended(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody would look for it when all systems of one kind wait without end."""
    with (
        beginning(ended={"helm-controller": "ended with 2. The log helm-controller.log is empty."}) as home,
        pytest.raises(Problem, match="helm-controller ended with 2"),
    ):
        cli.up(home)
    assert "is ready" not in capsys.readouterr().err


def test_a_second_up_finds_a_sandbox_that_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    with told(status()) as home:
        cli.up(home)
    assert "runs already" in capsys.readouterr().err


def test_make_up_checks_the_model_before_it_starts_anything() -> None:
    """And nothing else: what each of its steps does is tested where that is."""
    make = ["make", "-n", "--no-print-directory", "up", "STACK=us-east-1"]
    done = subprocess.run(make, cwd=cache.ROOT, capture_output=True, text=True, check=False)
    first, *steps = done.stdout.splitlines() or [""]
    assert first.endswith(" -m tools setup preview sandbox"), f"make up begins with {first}{done.stderr}"
    assert steps == [
        f".venv/bin/python -m {step}"
        for step in (
            "model check us-east-1",
            "sandbox up --name us-east-1",
            "sandbox pulumi --name us-east-1 up --yes --skip-preview --suppress-outputs",
            "sandbox pulumi --name us-east-1 stack output readme",
        )
    ]


def test_end_goes_on_after_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[str] = []

    def publish(mirror: Mirror, goods: Iterable[Ware]) -> None:
        assert goods
        published.append(mirror.url)

    monkeypatch.setattr(registry, "publish", publish)
    with told(status()) as home, parts_in(home.path) as parts:
        for cluster in ("garden", "st-pool-a"):
            parts.server(cluster)
        with pytest.raises(Problem) as caught:
            faults.run(home, chosen("end"))
    said = str(caught.value)
    assert published == ["oci://127.0.0.1:1"], "the charts are not mended"
    for cluster in ("garden", "management", "hv-pool-a", "st-pool-a"):
        assert f"The webhooks of {cluster} could not be taken away: " in said
    assert "Run `fault end` again" in said


def test_end_takes_webhooks_away_before_servers_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may be what hinders a server; a paused one would keep everybody waiting."""
    faults_then: list[int] = []

    def remove(_: Client) -> None:
        faults_then.append(len(server_faults.read(home.path).faults))

    for module, name, instead in ((registry, "publish", nothing), (webhooks, "remove", remove)):
        monkeypatch.setattr(module, name, instead)
    with told(status()) as home:
        paused, slow = (ServerFault(cluster="hv-pool-a", how="pause"), ServerFault(cluster="garden", how="slow"))
        full = ServerFault(cluster="management", how="throttle", share=1)
        server_faults.write(home.path, [paused, slow, full])
        faults.run(home, chosen("end"))
    assert faults_then == [3, 3, 0, 0], "two clusters answer before, the paused and the full one afterwards"


def test_end_says_which_server_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((registry, "publish"), (webhooks, "remove")):
        monkeypatch.setattr(module, name, nothing)
    lost = status(fault_problems=["hv-pool-a does not come back: no memory is left"])
    with told(lost) as home, pytest.raises(Problem, match="hv-pool-a does not come back: no memory is left"):
        faults.run(home, chosen("end"))


def test_a_webhook_for_a_cluster_that_is_down_is_a_sentence() -> None:
    with told(status()) as home, parts_in(home.path) as parts:
        parts.server("hv-pool-a")
        with pytest.raises(Problem, match=r"The cluster hv-pool-a takes no webhook now: .*refused"):
            faults.run(home, chosen("webhook", "hv-pool-a", "pods", "--unreachable"))
        assert faults.others(home) == []


def test_a_chart_for_a_registry_that_is_down_is_a_sentence() -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=r"The registry takes no chart now: .*refused"):
            faults.run(home, chosen("chart", "rook-ceph"))
        assert faults.others(home) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("fail", "CephBlokPool"), r"CephBlokPool, .* There are: Shoot, .*CephBlockPool, .*ControlPlane"),
        (("hang", "HelmRelease"), "Nothing stands in for whoever works on HelmRelease"),
        (("fail", "Shoot", "--cluster", "hv-pool-a"), "Shoots are in the garden, .* `fault fail Shoot hv-pool-a`"),
        (("fail", "CephBlockPool", "--cluster", "garden"), "The garden has no CephBlockPool"),
        (("fail", "CephBlockPool", "--cluster", "st-pool-b"), "has no cluster st-pool-b"),
        (("pause", "*"), "A server has to be named"),
        (("webhook", "*", "pods"), "A cluster has to be named"),
        (("expire", "garden"), "Nobody gives out credentials for garden"),
        (("slow", "registry"), "The registry of charts can be paused or down"),
        (("chart", "nothing"), "nothing is no system of the catalogue"),
    ],
)
def test_a_fault_that_would_never_happen_is_refused(words: tuple[str, ...], sentence: str) -> None:
    with told(status()) as home:
        with pytest.raises(Problem, match=sentence):
            faults.run(home, chosen(*words))
        assert not list(home.path.glob("*fail*.json")), "it is wished for all the same"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("throttle", "--share", "0"), "A share of the requests is more than 0, and at most 1, not 0."),
        (("throttle", "--share", "50"), "A share of the requests is more than 0, and at most 1, not 50."),
        (("throttle", "--share", "nan"), "A share of the requests is more than 0, and at most 1, not nan."),
        (("throttle", "--share", "50%"), "A share of the requests is more than 0, and at most 1, not 50%."),
        (("slow", "--seconds=-1"), "Seconds before a request are a number from 0 on, not -1."),
        (("slow", "--seconds", "inf"), "Seconds before a request are a number from 0 on, not inf."),
    ],
)
def test_a_measure_that_means_nothing_is_refused(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The proxy would refuse nothing, or end each request with an error of its own."""
    with pytest.raises(SystemExit):
        chosen(*words, "hv-pool-a")
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("words", [("throttle", "--share", "1"), ("slow", "--seconds", "0")])
def test_the_least_and_the_most_are_taken(words: tuple[str, ...]) -> None:
    measured = chosen(*words, "hv-pool-a")
    assert float(words[-1]) in (getattr(measured, "share", None), getattr(measured, "seconds", None))


@pytest.mark.parametrize(
    "failure",
    [
        Failure(cluster="*", kind="Shoot"),
        Failure(cluster="garden", kind="Shoot"),
        Failure(cluster="*", kind="Ceph*"),
        Failure(cluster="management", kind="Organization"),
        Failure(cluster="*", kind="*"),
    ],
    ids=str,
)
def test_a_fault_that_can_happen_is_none_to_complain_of(failure: Failure) -> None:
    faults.check(failure)


def test_a_second_fault_of_a_server_says_that_it_takes_the_place_of_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with told(status()) as home:
        faults.run(home, chosen("slow", "hv-pool-a"))
        faults.run(home, chosen("pause", "st-pool-a"))
        assert capsys.readouterr().err == ""
        faults.run(home, chosen("down", "hv-pool-a"))
    slow = ServerFault(cluster="hv-pool-a", how="slow", seconds=1.0)
    assert f"hv-pool-a: down takes the place of {slow}." in capsys.readouterr().err


def test_a_fault_waits_for_the_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at it here."""
    monkeypatch.setattr(faults, "SECONDS", 0.5)
    with told(status(wish=0)) as home:
        for words in (("pause", "hv-pool-a"), ("fail", "CephBlockPool")):
            with pytest.raises(Problem, match="The sandbox has not done it after 0 s"):
                faults.run(home, chosen(*words))


def test_status_lists_webhooks_and_charts_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((registry, "spoil"), (webhooks, "manifest"), (Client, "apply")):
        monkeypatch.setattr(module, name, nothing)
    with told(status(fault_problems=["hv-pool-a does not come back: no memory is left"])) as home:
        faults.run(home, chosen("chart", "rook-ceph"))
        faults.run(home, chosen("webhook", "st-pool-a", "cephblockpools"))
        cli.show(home)
    said = capsys.readouterr().out
    for line in (
        "a fault that you wished for: chart rook-ceph",
        "a fault that you wished for: webhook st-pool-a cephblockpools, refuses",
        "a fault that goes wrong: hv-pool-a does not come back: no memory is left",
    ):
        assert line in said


def test_a_passphrase_that_the_person_has_for_other_stacks_is_not_the_sandbox_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The committed stack files have the salt of the empty one."""
    monkeypatch.setattr(state, "ROOT", tmp_path)
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "of something else")
    monkeypatch.setenv("PULUMI_BACKEND_URL", "s3://of-something-else")
    env = pulumi.environment(folder("told"))
    assert {key: env[key] for key in env if key.startswith("PULUMI_CONFIG_PASSPHRASE")} == {
        "PULUMI_CONFIG_PASSPHRASE": ""
    }
    assert env["PULUMI_BACKEND_URL"].startswith("file://")
