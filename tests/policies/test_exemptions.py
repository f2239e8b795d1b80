"""What may break a policy for a while, and how that ends."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from policies.config import read
from policies.exemptions import ConfigError, exemptions
from policies.gate import said as told
from policies.preview import Result
from policies.registry import POLICIES
from policies.report import report, summary
from tests.policies.graphs import region
from tests.policies.judging import TODAY, Plan, RefusedError, Said, judge, mandatory

POLICY = "stateful-is-protected"
POOL = "st-pool-a/rook-ceph/CephBlockPool/customer-a-prod-volumes"
REASON = "moved to another pool this month"
WHY = {"reason": REASON, "expires": (TODAY + timedelta(days=1)).isoformat()}


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
        answers = judge(unprotected(), {POLICY: {"enforcementLevel": level, **(WHY if level != "mandatory" else {})}})
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
        exemptions(POLICY, {"exemptions": [entry]}, TODAY)


LAST = (TODAY + timedelta(days=180)).isoformat()
TOO_LATE = (TODAY + timedelta(days=181)).isoformat()
EXEMPT = {"resource": POOL, "reason": REASON, "expires": LAST}
LOW = {"enforcementLevel": "advisory", **WHY}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "config.json is no JSON"),
        ("[]", "config.json is no mapping"),
        ({"all": "disabled"}, "all is said of every policy at once: name each policy"),
        ({"statefull-is-protected": "advisory"}, "is no policy: did you mean stateful-is-protected?"),
        ({POLICY: 5}, "is 5: write a level, or a mapping"),
        ({POLICY: "a little"}, "enforcementLevel is 'a little': use one of advisory, mandatory, disabled"),
        ({POLICY: "disabled"}, "makes it disabled with no reason and no expires"),
        ({POLICY: {**LOW, "reason": ""}}, "makes it advisory with no reason"),
        ({POLICY: {**LOW, "expires": "soon"}}, "use a date such as 2027-03-31"),
        ({POLICY: {**LOW, "expires": TOO_LATE}}, "more than 180 days ahead"),
        ({POLICY: {**LOW, "expires": "2026-11-17"}}, "advisory until 2026-11-17, which has passed"),
        ({POLICY: {**LOW, "until": LAST}}, "stateful-is-protected.until is not a known key"),
        ({"exemptions-are-current": LOW}, "leave it mandatory"),
        ({"exemptions-are-current": {"exemptions": [EXEMPT]}}, "exempts from what ends exemptions"),
        ({POLICY: {"exemptions": [{**EXEMPT, "expires": TOO_LATE}]}}, "more than 180 days ahead"),
        ({POLICY: {"exemptions": [{**EXEMPT, "resources": "*"}]}}, "resources is not a known key"),
        ({POLICY: {"exemptions": {}}}, None),
        ({POLICY: {"exemptions": "all"}}, "write a list of exemptions"),
        ({POLICY: {"exemptions": [EXEMPT]}, "pools-exist": LOW, "premium-pools": "disabled"}, None),
    ],
)
def test_a_mistake_in_the_configuration_is_a_sentence(tmp_path: Path, content: Any, says: str | None) -> None:  # noqa: ANN401
    file = tmp_path / "config.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    found = read(file, TODAY)
    if says is None:
        assert not found.mistakes
    else:
        assert len(found.mistakes) == 1, found.mistakes
        assert says in found.mistakes[0]


def test_what_is_lowered_is_told(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"pools-exist": LOW, "premium-pools": "disabled"}))
    (low,) = read(file, TODAY).lowered
    assert (low.policy, low.level, low.reason) == ("pools-exist", "advisory", REASON), "the other one is advice anyway"
    result = Result(stack="eu-de-1", lowered=[low])
    says = f"pools-exist is advisory until {low.expires}: {REASON}"
    assert report([result])["stacks"][0]["lowered"] == [
        {"policy": "pools-exist", "level": "advisory", "reason": REASON, "expires": low.expires.isoformat()}
    ]
    assert f"- **lowered** {says}" in summary([result])
    assert f"eu-de-1 {says}" in told([result], tmp_path)


@pytest.mark.parametrize("level", ["advisory", "disabled"])
def test_the_pack_itself_takes_no_lower_level_without_a_reason(level: str) -> None:
    """As the engine hands it over of {"all": "disabled"}, which names no policy at all."""
    with pytest.raises(RefusedError, match=f"makes it {level} with no reason and no expires"):
        judge(unprotected(), {one.name: {"enforcementLevel": level} for one in POLICIES})
