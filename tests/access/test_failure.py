"""What Pulumi's provider says of a failure, in its own words, and what that means."""

import pytest

from access.failure import refusal, waited, words

SLOW = 'the Kubernetes API server reported that "a/b" failed to fully initialize or become live: timed out waiting for'
DENIED = (
    'the Kubernetes API server reported that "a/b" failed to fully initialize or become live: admission webhook '
    '"guard.example.com" denied the request: not on Fridays.'
)
NOT_MADE = 'resource "urn:pulumi:a::b::c" was not successfully created by the Kubernetes API server: spec.a: Invalid'


@pytest.mark.parametrize(
    ("error", "was_waited_for", "server"),
    [
        (f"{SLOW} the condition", True, None),
        ("timed out waiting for the condition", True, None),
        (DENIED, False, 'admission webhook "guard.example.com" denied the request: not on Fridays'),
        (NOT_MADE, False, "spec.a: Invalid"),
        ("etcdserver: request timed out", False, None),
        ('"a/b" failed to fully initialize or become live: context canceled', False, None),
    ],
)
def test_a_change_that_is_refused_is_not_taken_for_one_that_is_slow(
    error: str, server: str | None, *, was_waited_for: bool
) -> None:
    assert waited([error]) is was_waited_for
    assert refusal(error) == server


def test_the_words_are_the_server_s_where_it_spoke_each_once_and_short() -> None:
    assert words([NOT_MADE, NOT_MADE, "no\nanswer."]) == "spec.a: Invalid; no answer"
    assert len(words(["x" * 5000])) == 400
    assert words([]) == "nothing more is known"
