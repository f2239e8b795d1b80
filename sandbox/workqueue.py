"""Work by key: each key is worked on by one thread at a time, and again when it was put in meanwhile."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class WorkQueue:
    """`work` returns after how many seconds the key wants another look, or None."""

    work: Callable[[str], float | None]
    pool: ThreadPoolExecutor
    _dirty: set[str] = field(default_factory=set[str])
    _busy: set[str] = field(default_factory=set[str])
    _timers: dict[str, threading.Timer] = field(default_factory=dict[str, threading.Timer])
    _closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, key: str) -> None:
        with self._lock:
            self._dirty.add(key)
            if key in self._busy or self._closed:
                return
            self._busy.add(key)
            self.pool.submit(self._run, key)

    def close(self) -> None:
        """Nothing more is worked on, and the threads end as soon as they are done with what they do."""
        with self._lock:
            self._closed = True
            for key in list(self._timers):
                self._calm(key)
            self.pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, key: str) -> None:
        with self._lock:
            self._dirty.discard(key)
            self._calm(key)
        again = self.work(key)
        with self._lock:
            if again is not None and not self._closed:
                self._wake(key, again)
            if key in self._dirty and not self._closed:
                self.pool.submit(self._run, key)
            else:
                self._busy.discard(key)

    def _wake(self, key: str, seconds: float) -> None:
        """One timer a key: whoever is looked at for another reason needs the earlier one no more."""
        self._calm(key)
        timer = threading.Timer(seconds, self.put, (key,))
        timer.daemon = True
        timer.start()
        self._timers[key] = timer

    def _calm(self, key: str) -> None:
        timer = self._timers.pop(key, None)
        if timer:
            timer.cancel()
