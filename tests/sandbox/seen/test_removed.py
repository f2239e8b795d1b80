"""The end of a region, and what keeps it."""

import dataclasses

import pytest

from tests.live_clusters import POOLS, Region
from tests.sandboxes import NAMESPACE, SHOOT, faults

pytestmark = pytest.mark.servers


def test_a_cluster_that_gardener_cannot_delete_keeps_a_destroy_and_the_next_one_goes_on(ready: Region) -> None:
    """Pulumi runs no program to destroy, so that the provider alone speaks: docs/running.md says where to look."""
    free = dataclasses.replace(ready, protected=False)
    consent = free.run("up", minutes=1)  # which is also how long a deletion may take
    assert consent.returncode == 0, consent.stdout + consent.stderr
    with faults(free.sandbox, ("fail", "Shoot", POOLS[0], "--message", "a server does not let go of its disks")):
        kept = free.run("destroy", "--yes")
        assert kept.returncode != 0, kept.stdout
        said = " ".join(kept.stdout.split())
        assert f"({POOLS[0]}-shoot): warning: finalizers might be preventing deletion (gardener)" in said
        last = free.shoot(POOLS[0])["status"]["lastOperation"]
        assert (last["type"], last["description"]) == ("Delete", "a server does not let go of its disks")
    gone = free.run("destroy", "--yes")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert free.sandbox.garden.list(SHOOT, "Shoot", NAMESPACE) == []
