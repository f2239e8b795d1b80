"""The tenants of the two real regions, recorded once for all tests that only look at them."""

import pytest

from tests.recorder import Recording
from tests.regions import STACKS, loaded, stack
from tests.tenants import recorded


@pytest.fixture(name="regions", scope="session")
def recorded_regions() -> dict[str, Recording]:
    return {name: recorded(loaded(stack(name))) for name in STACKS}
