"""Ctrl-C, a polite request to end and a terminal that closes are one thing to a command: an interrupt."""

import contextlib
import os
import signal
import sys
from collections.abc import Generator

OTHERS = (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def alike() -> Generator[None]:
    """All of them are a KeyboardInterrupt in the block; what was ignored before, as with nohup, stays so."""
    before = {number: signal.getsignal(number) for number in OTHERS}
    terminals = [stream.fileno() for stream in (sys.__stdout__, sys.__stderr__) if stream and stream.isatty()]
    for number in (number for number, handler in before.items() if handler is signal.SIG_DFL):
        signal.signal(number, lambda number, _: _interrupt(number, terminals))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def held() -> Generator[None]:
    """An interrupt waits for the end of the block, so that nobody loses sight of what begins in it."""
    told: list[int] = []
    numbers = (signal.SIGINT, *OTHERS)
    before = {number: signal.signal(number, lambda number, _: told.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if told:
        signal.raise_signal(told[0])


def _interrupt(number: int, terminals: list[int]) -> None:
    """Once: a shell and its terminal may both say it, and the second would end what the first made this command do."""
    for other in OTHERS:
        signal.signal(other, signal.SIG_IGN)
    if number == signal.SIGHUP:
        for terminal in terminals:  # it takes no word any more
            os.dup2(os.open(os.devnull, os.O_WRONLY), terminal)
    raise KeyboardInterrupt
