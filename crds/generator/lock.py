"""crds/lock.toml as typed rows."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

CRDS = Path(__file__).resolve().parent.parent


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Module(_Row):
    """A Go module whose zip holds what a row names."""

    module: str
    version: Annotated[str, Field(pattern=r"^v\d")]
    h1: Annotated[str, Field(pattern=r"^h1:[A-Za-z0-9+/]{43}=$")]


class CrdFile(_Row):
    file: str
    kinds: list[str] = []
    untyped: list[str] = []


class CrdSource(Module):
    crds: list[CrdFile]


class TypesSource(Module):
    types: str
    kinds: list[str]
    cluster: list[str] = []


class OwnSource(_Row):
    file: str
    kinds: list[str]


Source = CrdSource | TypesSource | OwnSource
_Sources = TypeAdapter(list[Source])


def load(path: Path = CRDS / "lock.toml") -> list[Source]:
    return _Sources.validate_python(tomllib.loads(path.read_text())["source"])
