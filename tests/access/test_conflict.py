"""What a person reads when somebody else has set what the run wants to set."""

import pytest

from access.conflict import TAKE_OVER, conflict

ONE = (
    "server-side apply field conflict detected, see https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/"
    "managing-resources-with-server-side-apply/#handle-field-conflicts-on-existing-resources for troubleshooting help\n"
    'The resource managed by field manager "cobaltcore" had an apply conflict: Apply failed with 1 conflict: conflict '
    'with "dashboard" using core.gardener.cloud/v1beta1: .spec.provider.workers[name="storage"].minimum'
)
MORE = (
    'Apply failed with 3 conflicts: conflicts with "dashboard" using v1:\n- .data.a\n- .data.b\nconflicts with '
    '"somebody":\n- .data.c'
)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ONE, 'somebody else (dashboard) has set .spec.provider.workers[name="storage"].minimum'),
        (MORE, "somebody else (dashboard and somebody) has set .data.a and .data.b and .data.c"),
    ],
)
def test_it_names_the_fields_and_who_set_them(error: str, said: str) -> None:
    sentence = conflict("Cluster hv-pool-a (Shoot hv-pool-a)", error)
    assert sentence is not None
    assert sentence.startswith(f"Cluster hv-pool-a (Shoot hv-pool-a): {said}, and this run wants it otherwise.")
    assert sentence.endswith(f"with one update under {TAKE_OVER}=true.")


def test_everything_else_is_no_conflict() -> None:
    assert conflict("x", "timed out waiting for the condition") is None
