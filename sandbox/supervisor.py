"""`python -m sandbox.supervisor NAME [OWNER]`: the one process that owns a sandbox, and with which all of it ends.

With the process number of an owner, it ends when that process does.
"""

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from sandbox.api_server import ApiServer
from sandbox.phases import PHASES
from sandbox.pids import alive
from sandbox.processes import Processes
from sandbox.sandbox import Sandbox
from sandbox.state import Cluster, Folder, Phase, Status, folder, tail
from sandbox.store import Store
from tools.problem import Problem

LOOK_SECONDS = 1.0


class Supervisor:
    def __init__(self, home: Folder, owner: int | None = None) -> None:
        self.home = home
        self.owner = owner
        self.processes = Processes(folder=home.path)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        phases = [Phase(title=title) for title in ("Store", *(title for title, _ in PHASES))]
        self.status = Status(name=home.name, pid=os.getpid(), began=now, phases=phases)
        self.stopped = threading.Event()
        self._writing = threading.Lock()

    def run(self) -> int:
        """Start, then stay until a signal; what went wrong is in the status, and nothing is left running."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        threading.Thread(target=self._start, daemon=True, name="start").start()
        while not self.stopped.wait(LOOK_SECONDS):
            try:
                self._look()
            except Exception:  # noqa: BLE001  (the sandbox must not end because somebody could not be told of it)
                traceback.print_exc()
        failed = self.status.state == "failed"
        if not failed:
            self.status.state = "stopping"
        self.processes.stop_all()
        self._write()
        if not failed:
            self.home.clear()
        return 1 if failed else 0

    def _start(self) -> None:
        try:
            with self._phase(self.status.phases[0]):
                sandbox = self._sandbox()
            for phase, (_, begin) in zip(self.status.phases[1:], PHASES, strict=True):
                with self._phase(phase):
                    begin(sandbox)
        except Problem as problem:
            self._fail(str(problem))
        except Exception:  # noqa: BLE001  (whatever it is, the person gets a sentence and the sandbox ends)
            traceback.print_exc()
            self._fail(f"The sandbox has a fault of its own. {tail(self.home.log)}")
        else:
            self._note_ended()  # not every program is waited for: one that could not even begin is told at once
            self.status.state = "ready"
            self._write()

    def _sandbox(self) -> Sandbox:
        garden, management = (ApiServer.new(name, self.processes) for name in ("garden", "management"))
        self.status.clusters = {server.name: Cluster(url=server.url) for server in (garden, management)}
        return Sandbox(
            name=self.home.name,
            folder=self.home.path,
            processes=self.processes,
            store=Store.start(self.processes),
            garden=garden,
            management=management,
            status=self.status,
            tell=self._write,
        )

    @contextlib.contextmanager
    def _phase(self, phase: Phase):  # noqa: ANN202
        began = time.monotonic()
        phase.state = "running"
        self._write()
        try:
            yield
            phase.state = "done"
        except BaseException:
            phase.state = "failed"
            raise
        finally:
            phase.seconds = round(time.monotonic() - began, 1)
            self._write()

    def _look(self) -> None:
        """Tell which programs ended although nobody asked them to; end with the owner."""
        if self.owner and not alive(self.owner):
            self.stopped.set()
        self._note_ended()
        self._write()

    def _note_ended(self) -> None:
        self.status.ended = {
            process.name: f"ended with {process.popen.returncode}. {tail(process.log, 5)}"
            for process in list(self.processes.running)
            if process.wanted and not process.running
        }

    def _write(self) -> None:
        with self._writing:
            self.status.processes = {one.name: one.pid for one in list(self.processes.running) if one.running}
            with contextlib.suppress(FileNotFoundError):
                self.home.write(self.status)

    def _fail(self, problem: str) -> None:
        if not self.stopped.is_set():  # what fails because all is being stopped is no news
            self.status.state, self.status.problem = "failed", problem
            self.stopped.set()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped.set()


def main(name: str, owner: int | None = None) -> int:
    home = folder(name)
    try:
        with home.held():
            os.chdir(home.path)
            return Supervisor(home, owner).run()
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os._exit(
        main(sys.argv[1], *(int(pid) for pid in sys.argv[2:]))
    )  # threads that wait for servers which are gone hold nobody up
