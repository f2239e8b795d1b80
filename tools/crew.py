"""Several jobs at a time, each with child processes, that end together when one fails or the person stops them."""

import contextlib
import subprocess
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path


class Stopped(Exception):  # noqa: N818  (not an error: another job's end is the reason, and is what is reported)
    """A job that would begin its next process after the crew was stopped."""


class Crew:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._children: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def work(self, jobs: Sequence[Callable[[], None]], at_once: int) -> None:
        """Do all jobs; the first that fails ends the others, and its error is raised."""
        with ThreadPoolExecutor(at_once) as pool:
            futures = [pool.submit(job) for job in jobs]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:  # an interrupt as well
                pool.shutdown(wait=False, cancel_futures=True)
                self._stop()
                raise

    @contextlib.contextmanager
    def child(self, command: Sequence[str], place: Path, env: dict[str, str]) -> Generator[subprocess.Popen[str]]:
        """A process whose output, errors included, the block reads; it ends with the block or with the crew."""
        with self._lock:
            if self._stopped:
                raise Stopped
            process = subprocess.Popen(
                command, cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            self._children.add(process)
        try:
            with process:
                yield process
                process.wait()
        finally:
            with self._lock:
                self._children.discard(process)

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for child in self._children:
                child.terminate()
