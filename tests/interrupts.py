"""Ctrl-C for programs that tests start."""

import contextlib
import signal
from collections.abc import Generator


@contextlib.contextmanager
def heard() -> Generator[None]:
    """A test run in the background may ignore Ctrl-C, and its children would then do so too: not those begun here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
