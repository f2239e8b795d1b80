"""What all the faults leave."""

import pytest

from tests.live_clusters import Region

pytestmark = pytest.mark.servers


def test_nothing_is_left_of_all_this(ready: Region) -> None:
    """The killed run's operations are warned of until somebody has them cleared, as docs/running.md says."""
    cleared = ready.run("refresh", "--yes", "--clear-pending-creates")
    assert cleared.returncode == 0, cleared.stdout + cleared.stderr
    ready.converges()
    preview = ready.run("preview", "--expect-no-changes")
    assert preview.returncode == 0, preview.stdout + preview.stderr
    assert "pending operations" not in preview.stdout + preview.stderr
