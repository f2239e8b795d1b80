"""Ranges of versions: what is inside, what is refused, and that both agree with plain comparison."""

import itertools
import random

import pytest

from model.catalog.versions import Version, VersionRange

SEMVER_ORG = [
    *("1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1"),
    *("1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"),
]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=1.16.0 <2.0.0", ["1.16.0", "v1.21.2", "1.999.0+build.7"], ["1.15.9", "2.0.0", "1.20.0-rc.1"]),
        (">1.0.0 <=1.2.0", ["1.0.1", "1.2.0"], ["1.0.0", "1.2.1"]),
        (">=1.0.0-rc.1 <2.0.0", ["1.0.0-rc.2", "1.0.0", "1.5.0-beta"], ["1.0.0-beta"]),
        ("0.4.2", ["0.4.2", "v0.4.2"], ["0.4.3", "0.4.2-rc.1"]),
        ("=0.4.2", ["0.4.2"], ["0.4.1"]),
        (" >=1.0.0   <2.0.0 ", ["1.0.0"], ["2.0.0"]),
    ],
)
def test_a_range_contains_what_flux_would_take(text: str, inside: list[str], outside: list[str]) -> None:
    found = VersionRange.parse(text)
    assert [one for one in inside if not found.contains(one)] == []
    assert [one for one in outside if found.contains(one)] == []


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("", 'write a range, as in ">=1.16.0 <2.0.0", or one version'),
        (">=0.1.0", "add an upper bound, as in >=0.1.0 <1.0.0"),
        (">0.1.0", "add an upper bound, as in >0.1.0 <1.0.0"),
        ("<2.0.0", "add a lower bound, as in >=0.1.0 <2.0.0"),
        (">=2.0.0 <1.0.0", "no version is inside: the lower bound must be below the upper one"),
        (">=1.0.0 <1.0.0", "no version is inside: the lower bound must be below the upper one"),
        ("1.0.0 2.0.0", "no version is inside: the lower bound must be below the upper one"),
        ("latest", "'latest' is no version of three numbers, as in 1.16.0; a range looks like \">=1.16.0 <2.0.0\""),
        (">=1.16", "'1.16' is no version of three numbers, as in 1.16.0; a range looks like \">=1.16.0 <2.0.0\""),
        (">=01.2.3 <2.0.0", "'01.2.3' is no version of three numbers, as in 1.16.0; "),
        (">= 1.16.0 <2.0.0", 'write >= and its version together, as in ">=1.16.0 <2.0.0"'),
        ("^1.2.3", "'^1.2.3' is a short form that tools read differently; write \">=1.16.0 <2.0.0\""),
        ("2.x", "'2.x' is a short form that tools read differently; write \">=1.16.0 <2.0.0\""),
        ("*", "'*' is a short form that tools read differently; write \">=1.16.0 <2.0.0\""),
    ],
)
def test_what_is_no_bounded_range_is_refused_with_what_to_write(text: str, remedy: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        VersionRange.parse(text)
    assert str(caught.value).startswith(remedy)


def test_versions_have_the_order_of_the_specification() -> None:
    versions = [Version.parse(text) for text in SEMVER_ORG]
    assert sorted(random.Random(6).sample(versions, len(versions))) == versions
    assert [str(version) for version in versions] == SEMVER_ORG


def test_any_two_bounds_contain_exactly_what_is_between_them() -> None:
    chance = random.Random(7)
    for _ in range(500):
        low, high = sorted(tuple(chance.randrange(4) for _ in range(3)) for _ in range(2))
        text = f">={'.'.join(map(str, low))} <{'.'.join(map(str, high))}"
        if low == high:
            continue
        found = VersionRange.parse(text)
        for numbers in itertools.product(range(4), repeat=3):
            assert found.contains(".".join(map(str, numbers))) == (low <= numbers < high), f"{numbers} in {text}"


def test_the_lowest_version_is_inside_and_nothing_before_it_is() -> None:
    chance = random.Random(8)
    for _ in range(500):
        low = Version(chance.randrange(9), chance.randrange(9), chance.randrange(9))
        found = VersionRange.parse(f"{chance.choice(['>', '>='])}{low} <{low.major + 1}.0.0")
        lowest = found.lowest
        assert found.contains(lowest)
        assert not found.contains(Version(lowest.major, lowest.minor, lowest.patch - 1)), found.text


def test_no_text_does_anything_but_parse_or_say_why_not() -> None:
    chance = random.Random(9)
    for _ in range(5000):
        text = "".join(chance.choice("0123456789.<>=^~x*- vabc") for _ in range(chance.randrange(12)))
        try:
            found = VersionRange.parse(text)
        except ValueError:
            continue
        assert found.contains(found.lowest)
