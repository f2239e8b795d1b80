"""What may break a policy for a while, and how that ends."""

from datetime import date, timedelta
from typing import Any

import pytest

from policies.exemptions import ConfigError, exemptions
from tests.policies.graphs import region
from tests.policies.judging import TODAY, Plan, Said, judge, mandatory

POLICY = "stateful-is-protected"
POOL = "st-pool-a/rook-ceph/CephBlockPool/customer-a-prod-volumes"
REASON = "moved to another pool this month"


def unprotected() -> Plan:
    plan = region()
    plan.find("CephBlockPool", "customer-a-prod-volumes").protect = False
    return plan


def said(last: date, resource: str = POOL, **more: str) -> list[Said]:
    entry = {"resource": resource, "reason": REASON, "expires": last.isoformat()}
    return judge(unprotected(), {POLICY: {"exemptions": [entry], **more}})


def test_an_exemption_holds_until_its_last_day_and_stays_visible() -> None:
    answers = said(TODAY)
    assert mandatory(answers) == set()
    (told,) = [one for one in answers if one.policy == POLICY]
    assert told.level == "advisory"
    assert f"(Allowed until {TODAY}: {REASON})" in told.says


def test_an_exemption_that_has_ended_is_a_violation_of_its_own() -> None:
    yesterday = TODAY - timedelta(days=1)
    answers = said(yesterday)
    assert mandatory(answers) == {POLICY, "exemptions-are-current"}
    (told,) = [one.says for one in answers if one.policy == "exemptions-are-current"]
    assert f"the exemption of {POOL} from {POLICY} ended on {yesterday}" in told


def test_an_exemption_is_of_one_object_only() -> None:
    answers = said(TODAY, resource="st-pool-a/rook-ceph/CephBlockPool/customer-a-prod-images")
    assert mandatory(answers) == {POLICY}, "the volumes are not the images"


def test_an_exemption_of_nothing_is_told() -> None:
    answers = said(TODAY, resource="st-pool-a/rook-ceph/CephBlockPool/gone")
    assert mandatory(answers) == {POLICY, "exemptions-are-current"}


def test_a_level_is_the_configuration_s() -> None:
    for level, expected in (("mandatory", {"mandatory"}), ("advisory", {"advisory"}), ("disabled", set[str]())):
        answers = judge(unprotected(), {POLICY: {"enforcementLevel": level}})
        assert {one.level for one in answers if one.policy == POLICY} == expected


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("a", "has no resource and no reason and no expires"),
        ({"resource": "a", "expires": "2027-01-01"}, "has no reason"),
        ({"resource": "a", "reason": "because", "expires": "2027-01-01"}, "say why, in at least 10 characters"),
        ({"resource": "a", "reason": REASON, "expires": "2027-02-30"}, "use a date such as 2027-03-31"),
        ({"resource": "a", "reason": REASON, "expires": "next week"}, "use a date such as 2027-03-31"),
    ],
)
def test_a_mistake_in_an_exemption_is_a_sentence(entry: Any, says: str) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError, match=says):
        exemptions(POLICY, {"exemptions": [entry]})
