"""What cannot become of a region in place: changes that would lose data or that an API refuses."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from model.ceph import ceph_pools
from model.load import stack_file
from model.problems import Problems
from model.region import RegionSpec
from model.tenant import OpenStackCluster


def earlier(stack: str, revision: str, root: Path) -> RegionSpec | None:
    """The region as a git revision describes it; nothing if the stack file was not there."""
    files = _git(root, "ls-tree", "-r", "--name-only", revision).splitlines()
    name = f"Pulumi.{stack}.yaml"
    if name not in files:
        return None
    with tempfile.TemporaryDirectory(prefix="region-") as folder:
        # Claims may lie in any folder of the project; only files that can hold some are taken out.
        for file in [name, *(one for one in files if "/" in one and one.endswith((".yaml", ".yml", ".json")))]:
            target = Path(folder) / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_git(root, "show", f"{revision}:./{file}"))
        try:
            return stack_file(stack, Path(folder))
        except Problems:
            print(f"{name} at {revision} breaks today's rules, so nothing is compared with it.", file=sys.stderr)
            return None


def refused(before: RegionSpec | None, after: RegionSpec) -> list[str]:
    """One sentence for each change that must be made another way."""
    if before is None:
        return []
    return [f"{sentence}." for sentence in [*_clusters(before, after), *_tenants(before, after)]]


def _tenants(before: RegionSpec, after: RegionSpec) -> Iterator[str]:
    now = {tenant.name: tenant for tenant in after.open_stack_clusters}
    for old in before.open_stack_clusters:
        new = now.get(old.name)
        where = f"tenant {old.name}"
        if new is None:
            if old.deletion_protection:
                yield (
                    f"{where} is gone, and was protected: set its deletionProtection to false and update first, "
                    "then remove it"
                )
            continue
        yield from (f"{where}: {sentence}" for sentence in _immutable(old, new))


def _immutable(old: OpenStackCluster, new: OpenStackCluster) -> Iterator[str]:
    """Fields of the ControlPlane and of Ceph that their operators refuse to change."""
    was, becomes = old.sized, new.sized
    why = f"size {old.size} to {new.size}" if old.size != new.size else "sizing"
    for what, before, after in (
        ("mariadb.replicas", was.mariadb.replicas, becomes.mariadb.replicas),
        ("mariadb.storageSize", was.mariadb.storage_size, becomes.mariadb.storage_size),
        ("valkey.sentinel", str(was.valkey.sentinel).lower(), str(becomes.valkey.sentinel).lower()),
    ):
        if before != after:
            yield (
                f"{why} would change {what} from {before} to {after}, which cannot be changed in place: keep it with "
                f"sizing.{what}: {before}, or make a new tenant "
                "of the new size and move to it"
            )
    for pool in old.storage_clusters:
        if pool not in new.storage_clusters:
            yield f"storageClusters loses {pool}, which holds its data: move the data away first, or keep the pool"
    yield from _lost_pools(old, new)


HELD: dict[str, str] = {
    "volumes": "the volumes",
    "images": "the images",
    "ephemeral": "the disks of its machines",
    "cephfs": "the shares",
    "rgw": "the buckets",
}


def _lost_pools(old: OpenStackCluster, new: OpenStackCluster) -> Iterator[str]:
    """What would go of a storage pool that the tenant keeps: data does not move to where the claim says that it is now.

    The two pools of a filesystem or an object store are one thing that goes.
    """
    was, becomes = _held(old), _held(new)
    firsts = (old.storage_clusters[0], new.storage_clusters[0])
    for what, cluster in was:
        if (what, cluster) in becomes or cluster not in new.storage_clusters:
            continue
        elsewhere = [other for part, other in becomes if part == what and (part, other) not in was]
        reordered = firsts[0] != firsts[1] and elsewhere == [firsts[1]]
        why = f"it would be made anew on {' and '.join(elsewhere)}" if elsewhere else "nothing asks for it any more"
        if reordered:
            why += ", which storageClusters names first now"
        allowed = ", then set deletionProtection to false and update" if old.deletion_protection else ""
        yield (
            f"{old.name}-{what} on {cluster} would go with {HELD[what]} in it, as {why}: keep it there, or move the "
            f"data away first{allowed}"
        )


def _held(tenant: OpenStackCluster) -> dict[tuple[str, str], None]:
    """What holds data, by the name that it has after the tenant's, and where; in order."""
    pools = ((pool.name.removeprefix(f"{tenant.name}-"), pool.storage_cluster) for pool in ceph_pools(tenant))
    return dict.fromkeys(pools)


def _clusters(before: RegionSpec, after: RegionSpec) -> Iterator[str]:
    now = {pool.name: pool for pool in after.pools}
    for old in before.pools:
        new = now.get(old.name)
        if new is None:
            if old.deletion_protection:
                yield (
                    f"pool {old.name} is gone, and was protected: set its deletionProtection to false and update "
                    "first, then remove it"
                )
        elif new.ironcore != old.ironcore:
            yield (
                f"pool {old.name}: ironcore changes, which replaces every server of the pool: add a new pool of the "
                "new servers and move to it"
            )


def _git(root: Path, *arguments: str) -> str:
    program = shutil.which("git")
    if program is None:
        raise Problems(["git is not on PATH, and earlier states come from it: install it, or check without SINCE."])
    done = subprocess.run([program, *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Problems(
            [f"git {arguments[0]} failed: {said[0] if said else 'without a word'}; name a revision that git knows."]
        )
    return done.stdout
