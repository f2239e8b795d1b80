"""Ctrl-C and its like for programs that tests start."""

import contextlib
import signal
from collections.abc import Generator

ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def heard() -> Generator[None]:
    """A test run in the background may ignore some, and its children would then do so too: not those begun here."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in ALL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
