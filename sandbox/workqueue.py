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
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, key: str) -> None:
        with self._lock:
            self._dirty.add(key)
            if key in self._busy:
                return
            self._busy.add(key)
        self.pool.submit(self._run, key)

    def _run(self, key: str) -> None:
        with self._lock:
            self._dirty.discard(key)
        again = self.work(key)
        if again is not None:
            timer = threading.Timer(again, self.put, (key,))
            timer.daemon = True
            timer.start()
        with self._lock:
            if key not in self._dirty:
                self._busy.discard(key)
                return
        self.pool.submit(self._run, key)
