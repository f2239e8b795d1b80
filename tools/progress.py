"""Progress of long work: which of how many, and the time gone; one living line on a terminal, sparse lines in a log."""

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import ClassVar, Self

LOG_EVERY = 30.0


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


class Step:
    """`with Step("[2/5] etcd 3.6.12") as step: step.detail = "..."` shows itself until the block ends.

    Steps may run beside each other; on a terminal they share the living line.
    """

    _running: ClassVar[list["Step"]] = []
    _screen = threading.Lock()

    def __init__(self, title: str) -> None:
        self.title = title
        self.detail = ""
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._living = sys.stderr.isatty()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        with Step._screen:
            Step._running.append(self)
            if not self._living:
                print(f"{self.title} ...", file=sys.stderr, flush=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        outcome = "done" if kind is None else "stopped"
        line = f"{self.title}  {outcome} after {self._gone()}"
        with Step._screen:
            Step._running.remove(self)
            print(f"\r\x1b[K{line}" if self._living else line, file=sys.stderr, flush=True)

    def _show(self) -> None:
        while not self._ended.wait(1.0 if self._living else LOG_EVERY):
            with Step._screen:
                if not self._living:
                    print(self.line(), file=sys.stderr, flush=True)
                elif Step._running[0] is self:  # one draws for all
                    line = " | ".join(step.line() for step in Step._running)
                    width = shutil.get_terminal_size().columns - 1
                    print(f"\r\x1b[K{line[:width]}", end="", file=sys.stderr, flush=True)

    def line(self) -> str:
        return f"{self.title}  {self._gone()}  {self.detail}"

    def _gone(self) -> str:
        return clock(time.monotonic() - self._began)
