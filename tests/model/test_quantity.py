"""Quantities as Kubernetes writes them, whatever they were written as."""

from fractions import Fraction

import pytest

from model.quantity import quantity
from model.words import in_bytes


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (2, 2),
        ("1k", 1000),
        ("500m", Fraction(1, 2)),
        ("1099511627776", 1024**4),
        ("1Ti", 1024**4),
        ("1.5Gi", 3 * 1024**3 // 2),
        ("1e3", 1000),
        ("1E", 1000**6),
        ("2Ei", 2 * 1024**6),
        ("100u", Fraction(1, 10_000)),
    ],
)
def test_a_quantity_is_a_number(given: object, number: object) -> None:
    assert quantity(given) == number


@pytest.mark.parametrize("given", ["", "many", "1 Ti", "1iK", "Ti", "1kk", "0x10", None])
def test_anything_else_is_named(given: object) -> None:
    with pytest.raises(ValueError, match="is not a quantity of Kubernetes"):
        quantity(given)


def test_a_claim_s_capacity_needs_a_unit_and_is_the_same_number() -> None:
    assert in_bytes("500Ti") == 500 * 1024**4
    with pytest.raises(ValueError, match="500 is not a capacity"):
        in_bytes("500")
