"""The configuration of the pack for one stack, checked before Pulumi sees it: the engine takes much and says nothing.

It has a word for all policies at once, skips names that no policy has, and lowers what is mandatory without a word.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

from model.problems import likely
from policies.exemptions import LEVELS, SCHEMA, ConfigError, Exemption, Lowered, exemptions, lowered
from policies.policy import Policy
from policies.registry import POLICIES

LEVEL = "enforcementLevel"


@dataclass(frozen=True, kw_only=True)
class Config:
    mistakes: Sequence[str] = ()
    lowered: Sequence[Lowered] = ()
    exemptions: Sequence[Exemption] = ()


def read(file: Path, today: date | None = None, policies: Sequence[Policy] = POLICIES) -> Config:
    """What the file says; one that is not there says nothing."""
    if not file.exists():
        return Config()
    try:
        given: Any = json.loads(file.read_text())
    except ValueError as error:
        return Config(mistakes=[f"{file.name} is no JSON ({error}): correct it, or remove the file."])
    if not isinstance(given, dict):
        return Config(
            mistakes=[f"{file.name} is no mapping: write the names of policies, each with its configuration."]
        )
    return _checked(file.name, cast("dict[str, Any]", given), today or date.today(), policies)  # noqa: DTZ011  (a day of the person who asks)


def _checked(name: str, given: Mapping[str, Any], today: date, policies: Sequence[Policy]) -> Config:
    known = {one.name: one for one in policies}
    mistakes: list[str] = []
    low: list[Lowered] = []
    exempt: list[Exemption] = []
    for policy, value in given.items():
        try:
            own = _known(policy, known)
            level, config = _entry(policy, value, own.level)
            found = lowered(policy, own.level, level, config, today)
            low += [found] if found else []
            exempt += exemptions(policy, config, today)
        except ConfigError as error:
            mistakes.append(f"{name}: {error}")
    return Config(mistakes=mistakes, lowered=low, exemptions=exempt)


def _known(name: str, known: Mapping[str, Policy]) -> Policy:
    if name == "all":
        raise ConfigError("all is said of every policy at once: name each policy that you mean.")
    if name not in known:
        near = likely(name, known)
        raise ConfigError(f"{name} is no policy: {f'did you mean {near}?' if near else 'docs/policies.md has them.'}")
    return known[name]


def _entry(policy: str, value: Any, own: str) -> tuple[str, Mapping[str, Any]]:  # noqa: ANN401  (as it was written)
    if not isinstance(value, str | dict):
        raise ConfigError(f"{policy} is {value!r}: write a level, or a mapping of {', '.join((LEVEL, *SCHEMA))}.")
    config = {LEVEL: value} if isinstance(value, str) else cast("Mapping[str, Any]", value)
    strange = sorted(set(config) - {LEVEL, *SCHEMA})
    if strange:
        raise ConfigError(f"{policy}.{strange[0]} is not a known key: use {', '.join((LEVEL, *SCHEMA))}.")
    level = config.get(LEVEL, own)
    if level not in LEVELS:
        raise ConfigError(f"{policy}.{LEVEL} is {level!r}: use one of {', '.join(LEVELS)}.")
    return level, config
