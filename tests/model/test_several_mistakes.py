"""Several mistakes give as many sentences, and one mistake never gives a second that only follows from it."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from model import Problems
from model.problems import Path as Place, dotted
from tests.regions import STACKS, loaded, stack
from tests.stackfiles import GOOD, NAME, changed, sentences

Config = dict[str, Any]
TYPO = "x"


def lines_and_keys(found: list[str]) -> list[tuple[int, str]]:
    places = [sentence.removeprefix(f"{NAME}:").split(" ")[:2] for sentence in found]
    return sorted((int(line.rstrip(":")), key.removeprefix("cobaltcore:")) for line, key in places)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {"workers: 5\n": "workers: 0\n", "machineType: m5.4xlarge": "machineTyp: m5", "200Gi": "200GB"},
            [(11, "controlPlane.workers"), (13, "controlPlane.machineTyp"), (14, "controlPlane.volumeSize")],
            id="in one claim",
        ),
        pytest.param(
            {"maxWorkers: 10\n": "maxWorkers: ten\n", "deviceClass: nvme": "deviceClass: tape", "mtu: 1500": "mtu: 15"},
            [
                (12, "controlPlane.maxWorkers"),
                (43, "storagePools[0].ceph.deviceClass"),
                (63, "openStackClusters[0].network.mtu"),
            ],
            id="in three claims",
        ),
        pytest.param(
            {"osdCount: 30": "osdCount: 0", "octavia: true": "manila: true", "[hv-pool-sox]": "[hv-pool-soxx]"},
            [
                (42, "storagePools[0].ceph.osdCount"),
                (61, "openStackClusters[0].services.manila"),
                (81, "openStackClusters[2].hypervisorClusters[0]"),
            ],
            id="a field and two rules",
        ),
        pytest.param(
            {"mtu: 1500": "mtu: 15", "octavia: true": "manila: true", "replication: 3": "replication: 1"},
            [
                (61, "openStackClusters[0].services.manila"),
                (63, "openStackClusters[0].network.mtu"),
                (69, "openStackClusters[0].storage.ceph.volumePool.replication"),
            ],
            id="a field and two rules in one claim",
        ),
        pytest.param(
            {
                "region: eu-de-1\n      name: hv-pool-a": "region: us\n      name: hv-pool-a",
                "dedicated: ": "dedicatd: ",
            },
            [(20, "hypervisorPools[0].region")],
            id="a label of another name is no mistake",
        ),
    ],
)
def test_mistakes_at_once_give_one_sentence_each(
    tmp_path: Path, changes: dict[str, str], expected: list[tuple[int, str]]
) -> None:
    text = GOOD
    for old, new in changes.items():
        text = changed(old, new, text)
    assert lines_and_keys(sentences(tmp_path, text)) == expected, "nobody wants to run a preview three times"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: hv-pool-a\n", "name: HV_A\n"),
        ("name: hv-pool-a\n", "nmae: hv-pool-a\n"),
        ("name: hv-pool-a\n", "name:\n"),
        ("      machineClass: baremetal-kvm\n", "      machineclass: baremetal-kvm\n"),
        ("machinePool: ironcore-baremetal-kvm\n", "machinpool: ironcore-baremetal-kvm\n"),
        ("  cobaltcore:hypervisorPools:", "  cobaltcore:hypervisorpools:"),
        ("  cobaltcore:storagePools:\n", "  cobaltcore:storagePools: &pools\n    - [] \n"),
        ("name: st-pool-a\n", "name: hv-pool-a\n"),
        ("workers: 10\n      ironcore:", "workers: ten\n      ironcore:"),
        ("workers: 10\n      ironcore:", "workers: 0\n      ironcore:"),
        ("region: eu-de-1\n      name: st-pool-a", "region: eu_de_1\n      name: st-pool-a"),
        ("region: eu-de-1\n      name: st-pool-a", "region: us-east-1\n      name: st-pool-a"),
        ("region: eu-de-1\n    kubernetesVersion", "region: us-east-1\n    kubernetesVersion"),
        ("hypervisorClusters: [hv-pool-a]", "hypervisorClusters: [hv-pol-a]"),
        ("hypervisorClusters: [hv-pool-a]", "hypervisorClusters: [HV_A]"),
        ("storageClusters: [st-pool-sox]", "storageClusters: [st-pool-a]"),
        ('labels: {dedicated: "true", compliance: sox}', "labels: [dedicated, compliance]"),
        ("ceph: {encrypted: true}", "ceph: {encrypted: 1}"),
    ],
    ids=lambda text: str(text).strip().replace("\n", " "),
)
def test_a_mistake_in_a_claim_that_others_refer_to_is_one_mistake(tmp_path: Path, old: str, new: str) -> None:
    found = sentences(tmp_path, changed(old, new))
    assert len(found) == 1, f"what follows from a mistake is gone with it: {found}"


def leaves(value: object, path: Place = ()) -> Iterator[Place]:
    match value:
        case dict():
            for key, one in cast("Config", value).items():
                yield from leaves(one, (*path, key))
        case list():
            for index, one in enumerate(cast("list[Any]", value)):
                yield from leaves(one, (*path, index))
        case _:
            yield path


def at(config: Config, path: Place) -> Any:  # noqa: ANN401  (whatever stands there)
    value: Any = config
    for part in path:
        value = value[part]
    return value


REAL: dict[str, Config] = {name: stack(name) for name in STACKS} | {
    "good": {key.removeprefix("cobaltcore:"): value for key, value in yaml.safe_load(GOOD)["config"].items()}
}


@pytest.mark.parametrize("name", REAL)
def test_a_wrong_value_at_any_place_of_a_real_region_is_exactly_one_mistake(name: str) -> None:
    failed: list[str] = []
    places = list(leaves(REAL[name]))
    for path in places:
        config = copy.deepcopy(REAL[name])
        at(config, path[:-1])[path[-1]] = ["wrong kind"]
        found = mistakes(config)
        if len(found) != 1 or f"cobaltcore:{dotted(path)} is a list of 1: " not in found[0]:
            failed += [f"{dotted(path)}: {found}"]
    assert len(places) > 20, "there is something to break"
    assert not failed, "each place says its own mistake, and nothing else does"


@pytest.mark.parametrize("name", REAL)
def test_a_misspelt_key_at_any_place_of_a_real_region_is_exactly_one_mistake(name: str) -> None:
    failed: list[str] = []
    for path in leaves(REAL[name]):
        config = copy.deepcopy(REAL[name])
        holder = at(config, path[:-1])
        if isinstance(path[-1], int) or {"labels", "nodeShares", "backends"} & set(path):
            continue  # no key, or one that is the person's own
        holder[f"{path[-1]}{TYPO}"] = holder.pop(path[-1])
        found = mistakes(config)
        if len(found) != 1 or f"cobaltcore:{dotted(path)}{TYPO} is not a known key: did you mean" not in found[0]:
            failed += [f"{dotted(path)}: {found}"]
    assert not failed, "what is missing, or has its default, because of a typo is the typo's consequence"


def mistakes(config: Config) -> list[str]:
    try:
        loaded(config)
    except Problems as problems:
        return list(problems.sentences)
    return []
