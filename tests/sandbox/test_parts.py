"""The sandbox's own parts, nearly all without a server."""

import ipaddress
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandbox import nodes, pki
from sandbox.processes import Port, Processes
from sandbox.state import folder
from sandbox.workqueue import WorkQueue
from tests.sandboxes import alive, bare_metal, own_name, until
from tools import cache
from tools.problem import Problem

NETWORK = ipaddress.ip_network("10.180.0.0/16")


@pytest.mark.parametrize("name", ["", "Upper", "a/b", "..", "-a", "a" * 41])
def test_a_name_that_is_no_folders_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(Problem, match="use up to 40 lower-case letters"):
        folder(name)


def test_a_program_that_fails_shows_the_end_of_its_log(tmp_path: Path) -> None:
    processes = Processes(folder=tmp_path)
    with pytest.raises(Problem) as caught:
        processes.start("broken", ["/bin/sh", "-c", "echo no such flag; exit 3"], ready=lambda: False)
    assert "broken ended with 3 while it started" in str(caught.value), f"the sentence: {caught.value}"
    assert "no such flag" in str(caught.value), f"the log's end is missing: {caught.value}"


def test_a_program_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    processes = Processes(folder=tmp_path)
    pids: list[int] = []

    def never() -> bool:
        pids.extend(one.pid for one in processes.running)
        return False

    with pytest.raises(Problem, match=r"slow was not ready after 0 s\. The log .*slow.log is empty"):
        processes.start("slow", ["/bin/sleep", "60"], ready=never, seconds=0.3)
    assert pids
    assert not alive(pids), "it lives on, and the next try would start a second one beside it"
    assert processes.running == [], "it is said to run, or to have ended although nobody asked it to"


def test_a_program_whose_readiness_cannot_be_asked_for_is_ended(tmp_path: Path) -> None:
    processes = Processes(folder=tmp_path)
    pids: list[int] = []

    def broken() -> bool:
        pids.extend(one.pid for one in processes.running)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        processes.start("odd", ["/bin/sleep", "60"], ready=broken)
    assert not alive(pids)


def test_what_a_program_leaves_in_its_temporary_folder_goes_with_the_sandbox(tmp_path: Path) -> None:
    """Flux is killed, and clears nothing away."""
    processes = Processes(folder=tmp_path)
    processes.start("messy", ["/bin/sh", "-c", 'touch "$TMPDIR/left"; sleep 60'])
    until(lambda: (tmp_path / "tmp/left").exists() or None, lambda: "it has another temporary folder")
    processes.stop_all()


def test_nothing_starts_after_the_stop(tmp_path: Path) -> None:
    processes = Processes(folder=tmp_path)
    processes.stop_all()
    with pytest.raises(Problem, match="the sandbox is being stopped"):
        processes.start("late", ["/bin/sleep", "60"])


def test_a_program_outlives_the_thread_that_asked_for_it(tmp_path: Path) -> None:
    """The kernel's death signal follows the thread that forked, so one lasting thread forks for all."""
    processes = Processes(folder=tmp_path)
    asked = threading.Thread(target=lambda: processes.start("stays", ["/bin/sleep", "60"]))
    asked.start()
    asked.join()
    (process,) = processes.running
    with pytest.raises(subprocess.TimeoutExpired):
        process.popen.wait(0.5)
    processes.stop_all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a process with its parent")
def test_a_program_ends_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    text = (
        "import os, pathlib, sandbox.processes as p\n"
        f"one = p.Processes(folder=pathlib.Path({str(tmp_path)!r})).start('stays', ['/bin/sleep', '60'])\n"
        "print(one.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], cwd=cache.ROOT, capture_output=True, text=True, check=False)
    pid = int(done.stdout)
    until(lambda: None if alive([pid]) else True, lambda: "the program outlives its supervisor")


@pytest.mark.servers
def test_a_failed_start_leaves_a_sentence_and_no_process() -> None:
    """A fault in a part of the sandbox: the supervisor ends by itself, and its status says why."""
    home = folder(own_name("failed"))
    home.path.mkdir(parents=True)
    text = (
        "from sandbox import phases, supervisor\n"
        "from tools.problem import Problem\n"
        "def broken(sandbox):\n    raise Problem('The registry has no room.')\n"
        "phases.PHASES[:] = [('Broken', broken)]\n"
        f"raise SystemExit(supervisor.main({home.name!r}))\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", text], cwd=cache.ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1, f"the supervisor ended with {done.returncode}: {done.stderr}"
        status = home.status()
        assert status is not None, "a failed start leaves no status"
        assert (status.state, status.problem) == ("failed", "The registry has no room."), f"it says {status}"
        assert not status.processes, f"these are said to run: {status.processes}"
    finally:
        home.clear()


def test_a_port_is_nobody_elses() -> None:
    ports = [Port.reserve() for _ in range(50)]
    assert len({port.number for port in ports}) == 50, "a port was given twice"
    for port in ports:
        port.release()


def test_growing_moves_no_node_and_keeps_zones_even() -> None:
    worker = bare_metal("one")["spec"]["provider"]["workers"][0] | {"zones": ["a", "b", "c"]}
    small, large = (nodes.places("shoot", 0, {**worker, "minimum": count}, NETWORK) for count in (4, 7))
    assert large[:4] == small, "a larger group names its nodes otherwise"
    zones = [place.zone for place in large]
    assert sorted(zones.count(zone) for zone in "abc") == [2, 2, 3], f"the zones are not even: {zones}"


def test_groups_share_no_address() -> None:
    worker = bare_metal("one")["spec"]["provider"]["workers"][0]
    made = [
        place.address for group in (0, 1) for place in nodes.places("s", group, {**worker, "minimum": 300}, NETWORK)
    ]
    assert len(set(made)) == 600, "two nodes have one address"
    outside = [address for address in made if ipaddress.ip_address(address) not in NETWORK]
    assert not outside, f"these are not in the nodes' network: {outside}"


def test_an_authority_can_be_loaded_again() -> None:
    authority = pki.Authority.new("test")
    again = pki.Authority.load(authority.pair)
    assert again.pair == authority.pair, "the loaded authority is another"
    assert b"BEGIN RSA PRIVATE KEY" in authority.pair.key, "Gardener takes keys only as PKCS#1"
    assert pki.not_after(again.client("somebody").certificate), "it issues nothing"


def test_a_key_has_one_timer_however_often_it_is_looked_at() -> None:
    looks: list[str] = []

    def work(key: str) -> float:
        looks.append(key)
        return 3600.0

    before = threading.active_count()
    with ThreadPoolExecutor(1) as pool:
        queue = WorkQueue(work=work, pool=pool)
        for count in range(20):
            queue.put("one")
            until(lambda count=count: len(looks) > count or None, lambda: f"only {len(looks)} looks")
        timers = [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
        until(lambda: threading.active_count() <= before + 2 or None, lambda: f"these wait: {timers}")
        queue.close()
    until(lambda: threading.active_count() <= before or None, lambda: "a closed queue waits for something")


def test_a_closed_queue_takes_nothing_more() -> None:
    seen: list[str] = []
    queue = WorkQueue(work=seen.append, pool=ThreadPoolExecutor(1))
    queue.close()
    queue.put("late")
    assert seen == []


def test_what_is_looked_at_soon_is_looked_at_then_and_not_later() -> None:
    """A later wish for another look takes the place of the earlier one."""
    times: list[float] = []

    def work(_: str) -> float | None:
        times.append(time.monotonic())
        return {1: 0.05, 2: None}.get(len(times))

    with ThreadPoolExecutor(1) as pool:
        queue = WorkQueue(work=work, pool=pool)
        queue.put("one")
        until(lambda: len(times) == 2 or None, lambda: f"{len(times)} looks")


def test_work_on_one_key_never_overlaps_and_none_is_lost() -> None:
    running, overlaps, seen = set[str](), list[str](), list[str]()
    done = threading.Event()

    def work(key: str) -> None:
        if key in running:
            overlaps.append(key)
        running.add(key)
        done.wait(0.002)
        seen.append(key)
        running.discard(key)

    with ThreadPoolExecutor(4) as pool:
        queue = WorkQueue(work=work, pool=pool)
        for number in range(40):
            queue.put(str(number % 2))
        until(lambda: True if set(seen) == {"0", "1"} and not running else None, lambda: f"only {seen} were done")
        before = len(seen)
        queue.put("0")
        until(lambda: True if len(seen) > before else None, lambda: "a key that is put in later is not worked on")
        done.wait(0.05)
    assert not overlaps, f"two threads worked on {overlaps}"
