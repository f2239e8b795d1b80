"""Every fault as a person meets it who runs `pulumi up`: a sentence that helps; and the run after it sets all right.

docs/sandbox.md has the list. The files are in order: the first ones need a region of which nothing is made yet.
"""

from collections.abc import Generator

import pytest

from tests import sandboxes
from tests.live_clusters import Region
from tests.sandboxes import own_name


@pytest.fixture(scope="package", name="region")
def empty_region(tmp_path_factory: pytest.TempPathFactory) -> Generator[Region]:
    with sandboxes.running(own_name("seen")) as sandbox:
        yield Region(sandbox=sandbox, folder=tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="package")
def ready(region: Region) -> Region:
    """The region with its clusters, if no test before has made them."""
    region.converges()
    return region
