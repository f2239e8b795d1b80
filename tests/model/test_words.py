"""The words whose form says more than which letters are allowed."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from model.words import OLDEST_KUBERNETES, Cidr, KubernetesVersion


def accepted(word: Any, text: str) -> bool:  # noqa: ANN401  (an annotated type)
    try:
        TypeAdapter(word).validate_python(text)
    except ValidationError:
        return False
    return True


def test_a_version_of_kubernetes_is_taken_from_the_oldest_on() -> None:
    for minor in range(1200):
        for version in (f"1.{minor}", f"1.{minor}.0", f"1.{minor}.12"):
            assert accepted(KubernetesVersion, version) == (minor >= OLDEST_KUBERNETES), version


@pytest.mark.parametrize(
    "text", ["10.250.0.0/16", "0.0.0.0/0", "192.168.1.255/32", "2001:db8::/32", "::/0", "fd00::a/128"]
)
def test_a_network_in_cidr_notation_is_taken(text: str) -> None:
    assert accepted(Cidr, text)


@pytest.mark.parametrize(
    "text", ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/255.0.0.0", "10.0.0.1/8", "256.0.0.0/8", "::/129", ":/8"]
)
def test_what_is_no_network_in_cidr_notation_is_refused(text: str) -> None:
    assert not accepted(Cidr, text)
