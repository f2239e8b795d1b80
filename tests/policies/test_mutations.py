"""Every violation that is planted into a good region is caught at the preview, by its policy and no other."""

from collections import Counter

import pytest

from policies.registry import POLICIES
from tests.policies.cases import CASES, Case, data, isolation, operations, sizing
from tests.policies.graphs import planned_region, region
from tests.policies.judging import judge, mandatory
from tests.regions import STACKS, small

TOPICS = (data, isolation, operations, sizing)
BROKEN = [case for case in CASES if case.says]
FINE = [case for case in CASES if not case.says]
LEAST = 3


@pytest.mark.parametrize("name", STACKS)
def test_the_documents_regions_break_nothing_mandatory(name: str) -> None:
    said = judge(region(name))
    assert not [one for one in said if one.level == "mandatory"], "these are the regions that have to pass"


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_what_is_planted_is_caught_by_its_policy_and_no_other(case: Case) -> None:
    plan = region(case.stack)
    case.change(plan)
    said = judge(plan)
    assert mandatory(said) == ({case.policy} if case.level == "mandatory" else set()), [one.says for one in said]
    mine = [one.says for one in said if one.policy == case.policy]
    assert any(all(part in text for part in case.says) for text in mine), f"no message has {case.says}: {mine}"


@pytest.mark.parametrize("case", FINE, ids=str)
def test_what_is_at_the_border_is_left_alone(case: Case) -> None:
    plan = region(case.stack)
    before = {one.says for one in judge(plan)}
    case.change(plan)
    found = [one.says for one in judge(plan) if one.policy == case.policy and one.says not in before]
    assert not found, "it is allowed"


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_every_policy_has_its_cases(policy: object) -> None:
    name = getattr(policy, "name", "")
    times = Counter(case.policy for case in BROKEN)
    if name == "exemptions-are-current":
        return  # test_exemptions.py has them: a region without a configuration cannot break it
    assert times[name] >= LEAST, "three violations, so that it is not one field by chance that is looked at"
    assert [case for case in FINE if case.policy == name], "and one case that is only just right"


def test_names_that_look_like_another_tenant_s_are_one_s_own() -> None:
    """Tenants called like each other's pools, clients and services: nothing of them is anybody else's."""
    config = small()
    config["storagePools"].append({**config["storagePools"][0], "name": "volumes", "ironcore": {"machinePool": "more"}})
    for pool in config["storagePools"]:
        pool["ceph"] = {"targetCapacity": "100Ti"}
    config["openStackClusters"] = [
        {
            "region": "eu-de-1",
            "name": name,
            "size": "small",
            "hypervisorClusters": ["hv-pool-a"],
            "storageClusters": ["volumes", "st-pool-a"],
            "nodeShares": {"hv-pool-a": 1},
            "services": {"manila": True},
            "storage": {
                "ceph": {
                    "volumePool": {"quotaGB": 10},
                    "filesystem": {"enabled": True},
                    "objectStore": {"enabled": True},
                }
            },
        }
        for name in ("a", "a-volumes", "a-st-pool-a", "nova-a", "openstack-a", "a-rgw", "nova", "ceph")
    ]
    said = judge(planned_region(config))
    assert not [one.says for one in said if one.level == "mandatory"]
