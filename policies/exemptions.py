"""What is allowed to break a policy, or makes one less strict: why, and until when; and the schema of all that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, cast

KEY = "exemptions"
LEVELS = ["advisory", "mandatory", "disabled"]
LEAST_REASON = 10
LONGEST = 180  # days: what nobody has looked at for half a year is no exception any more
ALWAYS = "exemptions-are-current"  # it would not be said any more that the others have ended
_REASON = {"type": "string", "minLength": LEAST_REASON}
_EXPIRES = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
SCHEMA: dict[str, Any] = {
    "reason": {**_REASON, "description": "Why the policy is less strict than it is by itself."},
    "expires": {**_EXPIRES, "description": f"The last day on which it is, {LONGEST} days ahead at most."},
    KEY: {
        "type": "array",
        "description": "Objects that may break the policy for a while.",
        "items": {
            "type": "object",
            "required": ["resource", "reason", "expires"],
            "additionalProperties": False,
            "properties": {
                "resource": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The object as messages call it, such as st-pool-a/rook-ceph/CephBlockPool/volumes.",
                },
                "reason": {**_REASON, "description": "Why it may."},
                "expires": {
                    **_EXPIRES,
                    "description": f"The last day on which it may, {LONGEST} days ahead at most.",
                },
            },
        },
    },
}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class ConfigError(Exception):
    """What is wrong with the configuration, as a sentence."""


@dataclass(frozen=True, kw_only=True)
class Exemption:
    policy: str
    resource: str
    reason: str
    expires: date

    def expired(self, today: date) -> bool:
        """The last day still counts."""
        return today > self.expires


@dataclass(frozen=True, kw_only=True)
class Lowered:
    """A mandatory policy that the configuration makes less strict."""

    policy: str
    level: str
    reason: str
    expires: date


def exemptions(policy: str, config: Mapping[str, Any], today: date) -> list[Exemption]:
    """Those of one policy. The engine holds the configuration to the schema; other callers may not have."""
    given: Any = config.get(KEY) or []
    if not isinstance(given, list):
        raise ConfigError(f"{policy}.{KEY} is {given!r}: write a list of exemptions.")
    found = [_exemption(f"{policy}.{KEY}[{at}]", policy, one, today) for at, one in enumerate(cast("list[Any]", given))]
    if found and policy == ALWAYS:
        raise ConfigError(f"{policy}.{KEY} exempts from what ends exemptions: remove it.")
    return found


def lowered(policy: str, own: str, level: str, config: Mapping[str, Any], today: date) -> Lowered | None:
    """`own` is the policy's level by itself: what is mandatory is so, unless somebody says why not, and until when."""
    if own != "mandatory" or level == "mandatory":
        return None
    if policy == ALWAYS:
        raise ConfigError(f"{policy} is {level}: leave it mandatory, or nobody learns that an exemption has ended.")
    missing = [key for key in ("reason", "expires") if not config.get(key)]
    if missing:
        raise ConfigError(
            f"{policy} is mandatory, and the configuration makes it {level} with no {' and no '.join(missing)}: write "
            "enforcementLevel, reason and expires, or leave its level alone."
        )
    last = _expires(policy, str(config["expires"]), today)
    if today > last:
        raise ConfigError(
            f"{policy} is {level} until {last}, which has passed: remove it, or have a new date and a reason agreed."
        )
    return Lowered(policy=policy, level=level, reason=_reason(policy, str(config["reason"])), expires=last)


def _exemption(where: str, policy: str, given: Any, today: date) -> Exemption:  # noqa: ANN401  (whatever stands in the file)
    entry = cast("Mapping[str, Any]", given if isinstance(given, Mapping) else {})
    texts = {key: entry.get(key) for key in ("resource", "reason", "expires")}
    missing = [key for key, value in texts.items() if not (isinstance(value, str) and value.strip())]
    if missing:
        raise ConfigError(
            f"{where} has no {' and no '.join(missing)}: an exemption names resource, reason and expires."
        )
    strange = sorted(set(entry) - set(texts))
    if strange:
        raise ConfigError(f"{where}.{strange[0]} is not a known key: an exemption names resource, reason and expires.")
    reason, last = _reason(where, str(texts["reason"])), _expires(where, str(texts["expires"]), today)
    return Exemption(policy=policy, resource=str(texts["resource"]), reason=reason, expires=last)


def _reason(where: str, reason: str) -> str:
    if len(reason.strip()) < LEAST_REASON:
        raise ConfigError(f"{where}.reason is {reason!r}: say why, in at least {LEAST_REASON} characters.")
    return reason


def _expires(where: str, expires: str, today: date) -> date:
    try:
        last = date.fromisoformat(expires if _DAY.fullmatch(expires) else "")
    except ValueError:
        raise ConfigError(f"{where}.expires is {expires!r}: use a date such as 2027-03-31.") from None
    latest = today + timedelta(days=LONGEST)
    if last > latest:
        raise ConfigError(
            f"{where}.expires is {expires!r}, more than {LONGEST} days ahead: use {latest} at the latest, and "
            "look at it again then."
        )
    return last
