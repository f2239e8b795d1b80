"""Faults of the stand-ins: an object or a whole kind fails or hangs until the fault is taken back."""

import json
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

from sandbox.client import Manifest
from sandbox.operators.operator import condition
from sandbox.operators.stages import fields_of

FILE = "failures.json"  # in the sandbox's folder
LOOK_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Which objects, and how; names may hold a star."""

    cluster: str
    kind: str
    name: str = "*"
    how: Literal["fail", "hang"] = "fail"
    message: str = "a fault of the sandbox"

    def __str__(self) -> str:
        return f"{self.how} {self.kind} {self.name}, in {'every cluster' if self.cluster == '*' else self.cluster}"

    def hits(self, cluster: str, manifest: Manifest) -> bool:
        metadata = manifest["metadata"]
        return (
            fnmatch(cluster, self.cluster)
            and fnmatch(manifest["kind"], self.kind)
            and fnmatch(metadata["name"], self.name)
        )

    def status(self, manifest: Manifest, besides: Mapping[str, str]) -> Manifest:
        """What is written meanwhile: where the kind's Stages say that an object is ready, that it is not.

        So the Stages write over all of it when the failure ends. A kind without a Stage says it by a condition, and
        `besides` what its operator gives. One that hangs says nothing.
        """
        if self.how == "hang":
            return {}
        said: Manifest = {
            "phase": "Failure",
            "state": "Error",
            "message": self.message,
            "conditions": [self._ready(manifest, ".status.conditions")],
            "statusConditions": {"conditions": [self._ready(manifest, ".status.statusConditions.conditions")]},
        }
        fields = fields_of(manifest) or {"conditions"}
        return {**{field: value for field, value in said.items() if field in fields}, **besides}

    def _ready(self, manifest: Manifest, where: str) -> Manifest:
        return condition(manifest, "Ready", status=False, reason="ReconcileFailed", message=self.message, where=where)


@dataclass(kw_only=True)
class Failures:
    """Those in a file, which the command line writes and the supervisor follows."""

    file: Path
    _now: list[Failure] = field(default_factory=list[Failure])
    _text: str = ""
    _listeners: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])

    @property
    def now(self) -> list[Failure]:
        return self._now

    def of(self, cluster: str, manifest: Manifest) -> Failure | None:
        return next((one for one in self._now if one.hits(cluster, manifest)), None)

    def on_change(self, call: Callable[[], None]) -> None:
        self._listeners.append(call)

    def follow(self) -> None:
        threading.Thread(target=self._follow, daemon=True, name="failures").start()

    def look(self) -> None:
        text = self.file.read_text() if self.file.exists() else ""
        if text != self._text:
            self._now, self._text = [Failure(**raw) for raw in json.loads(text or "[]")], text
            for call in self._listeners:
                call()

    def _follow(self) -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            try:
                self.look()
            except Exception:  # noqa: BLE001  (the next look may succeed)
                traceback.print_exc()


def read(file: Path) -> list[Failure]:
    return [Failure(**raw) for raw in json.loads(file.read_text())] if file.exists() else []


def write(file: Path, failures: list[Failure]) -> None:
    scratch = file.with_suffix(".new")
    scratch.write_text(json.dumps([asdict(one) for one in failures], indent=1))
    scratch.replace(file)
