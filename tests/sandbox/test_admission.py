"""What Gardener would refuse is refused here, by its own admission and in its own words."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.sandboxes import Running, bare_metal, refusal

pytestmark = pytest.mark.servers

Change = Callable[[dict[str, Any]], object]


def _worker(**fields: object) -> Change:
    return lambda spec: spec["provider"]["workers"][0].update(fields)


REFUSALS: dict[str, tuple[Change, str]] = {
    "a machine type that the cloud profile has not": (
        _worker(machine={"type": "baremetal-gpu", "image": {"name": "gardenlinux"}}),
        'spec.provider.workers[0].machine.type: Unsupported value: "baremetal-gpu"',
    ),
    "an image that the cloud profile has not": (
        _worker(machine={"type": "baremetal-storage", "image": {"name": "flatcar"}}),
        'Invalid value: "flatcar": image is not supported',
    ),
    "a region that the cloud profile has not": (
        lambda spec: spec.update(region="eu-nl-1"),
        'spec.region: Unsupported value: "eu-nl-1"',
    ),
    "a zone that the region has not": (_worker(zones=["eu-de-1d"]), 'Unsupported value: "eu-de-1d"'),
    "a Kubernetes version that the cloud profile has not": (
        lambda spec: spec["kubernetes"].update(version="1.29.0"),
        'spec.kubernetes.version: Unsupported value: "1.29.0"',
    ),
    "a network type that nobody registered": (
        lambda spec: spec["networking"].update(type="flannel"),
        'non-registered networking type: spec.networking.type ("flannel")',
    ),
    "a provider that nobody registered": (
        lambda spec: spec["provider"].update(type="ironcore"),
        'non-registered provider type: spec.provider.type ("ironcore")',
    ),
    "the deprecated cloudProfileName": (
        lambda spec: spec.update(cloudProfile=None, cloudProfileName="ironcore"),
        "cloudProfileName field is no longer supported, use spec.cloudProfile.name instead",
    ),
    "the deprecated secretBindingName": (
        lambda spec: spec.update(credentialsBindingName=None, secretBindingName="ironcore-credentials"),
        "secretBindingName field is no longer supported, use spec.credentialsBindingName instead",
    ),
    "credentials that are not there": (
        lambda spec: spec.update(credentialsBindingName="nobody"),
        'credentialsbinding.security.gardener.cloud "nobody" not found',
    ),
    "more nodes at least than at most": (
        _worker(minimum=9, maximum=3),
        "maximum value must not be less than minimum value",
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_the_real_admission_refuses(shared: Running, what: str) -> None:
    change, words = REFUSALS[what]
    shoot = copy.deepcopy(bare_metal("refused"))
    change(shoot["spec"])
    message = refusal(lambda: shared.garden.create(shoot)).message
    assert words in message, f"for {what}, the admission says something else: {message}"


def test_the_shoot_is_good_before_it_is_broken(shared: Running) -> None:
    """Otherwise the refusals above might be for another reason."""
    path = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-c5c3/shoots"
    made = shared.garden.request("POST", path, bare_metal("good"), dryRun="All")
    assert made["spec"]["provider"]["workers"][0]["machine"]["image"]["version"], "the admission sets no image version"
