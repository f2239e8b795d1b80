"""A garden that cannot be seen: a preview goes on without, an update does not."""

import socket
from pathlib import Path

import pulumi
import pytest
import yaml

from components import Region, RegionArgs
from tests.recorder import Recording, record
from tests.regions import loaded, small


@pytest.fixture
def garden(tmp_path: Path) -> str:
    """A kubeconfig for a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = f"https://127.0.0.1:{taken.getsockname()[1]}"
    file = tmp_path / "garden.yaml"
    config = {
        "current-context": "here",
        "contexts": [{"name": "here", "context": {"cluster": "garden", "user": "me"}}],
        "clusters": [{"name": "garden", "cluster": {"server": server}}],
        "users": [{"name": "me", "user": {"token": "none"}}],
    }
    file.write_text(yaml.safe_dump(config))
    return str(file)


def region(garden: str, *, preview: bool) -> Recording:
    spec = loaded(small(garden={"kubeconfig": garden}))
    return record(lambda: Region(spec.region, RegionArgs(spec=spec)), preview=preview)


def test_a_preview_warns_and_goes_on(garden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []

    def warn(text: str, _resource: object) -> None:
        warned.append(text)

    monkeypatch.setattr("pulumi.log.warn", warn)
    worker = region(garden, preview=True).named("hv-pool-a-shoot").inputs["spec"]["provider"]["workers"][0]
    assert isinstance(worker["zones"], pulumi.output.Unknown)
    assert len(warned) == 1
    assert "gives no answer" in warned[0]
    assert "Planning without looking at the garden" in warned[0]


def test_an_update_stops(garden: str) -> None:
    with pytest.raises(pulumi.RunError, match="gives no answer"):
        region(garden, preview=False)
