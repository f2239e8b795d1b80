"""All rights on one of a sandbox's clusters, for those who are not its supervisor."""

from sandbox.api_server import TRIES
from sandbox.client import Client
from sandbox.state import Folder, Status


def client(home: Folder, status: Status, cluster: str) -> Client:
    """Patient: a server that is just back refuses a kind until it has read its objects."""
    keys = home.path / "clusters" / cluster
    return Client(
        url=status.clusters[cluster].url,
        authority=keys / "ca.crt",
        certificate=keys / "admin.crt",
        key=keys / "admin.key",
        tries=5 * TRIES,
    )
