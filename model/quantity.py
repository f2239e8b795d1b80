"""Kubernetes' quantities: 2, "500m", "1k", "1Ti", "1e3". An API server writes them otherwise than they were given."""

import re
from fractions import Fraction

UNITS = {
    "n": Fraction(1, 1000**3),
    "u": Fraction(1, 1000**2),
    "m": Fraction(1, 1000),
    "": Fraction(1),
    **{unit: Fraction(1000**power) for power, unit in enumerate("kMGTPE", start=1)},
    **{f"{unit}i": Fraction(1024**power) for power, unit in enumerate("KMGTPE", start=1)},
}
_QUANTITY = re.compile(
    r"(?P<number>[+-]?([0-9]+\.?[0-9]*|\.[0-9]+))(?:[eE](?P<ten>[+-]?[0-9]+)|(?P<unit>[A-Za-z]{0,2}))"
)


def quantity(given: object) -> Fraction:
    """The number that a quantity is, exactly."""
    found = _QUANTITY.fullmatch(str(given))
    unit = found and (found["unit"] or "")
    if found is None or unit not in UNITS:
        raise ValueError(f"{given!r} is not a quantity of Kubernetes, as 2, 500m, 1k and 1Ti are")
    return Fraction(found["number"]) * Fraction(10) ** int(found["ten"] or 0) * UNITS[unit or ""]
