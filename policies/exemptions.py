"""What is allowed to break a policy, why, and until when; and the schema of the pack's configuration."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

KEY = "exemptions"
LEVELS = ["advisory", "mandatory", "disabled"]
LEAST_REASON = 10
SCHEMA: dict[str, Any] = {
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
                "reason": {"type": "string", "minLength": LEAST_REASON, "description": "Why it may."},
                "expires": {
                    "type": "string",
                    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                    "description": "The last day on which it may.",
                },
            },
        },
    }
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


def exemptions(policy: str, config: Mapping[str, Any]) -> list[Exemption]:
    """Those of one policy. The engine holds the configuration to the schema; other callers may not have."""
    return [_exemption(f"{policy}.{KEY}[{at}]", policy, one) for at, one in enumerate(config.get(KEY) or [])]


def _exemption(where: str, policy: str, given: Any) -> Exemption:  # noqa: ANN401  (whatever stands in the file)
    entry = cast("Mapping[str, Any]", given if isinstance(given, Mapping) else {})
    texts = {key: entry.get(key) for key in ("resource", "reason", "expires")}
    missing = [key for key, value in texts.items() if not (isinstance(value, str) and value.strip())]
    if missing:
        raise ConfigError(
            f"{where} has no {' and no '.join(missing)}: an exemption names resource, reason and expires."
        )
    if len(str(texts["reason"])) < LEAST_REASON:
        raise ConfigError(f"{where}.reason is {texts['reason']!r}: say why, in at least {LEAST_REASON} characters.")
    expires = str(texts["expires"])
    try:
        last = date.fromisoformat(expires if _DAY.fullmatch(expires) else "")
    except ValueError:
        raise ConfigError(f"{where}.expires is {expires!r}: use a date such as 2027-03-31.") from None
    return Exemption(policy=policy, resource=str(texts["resource"]), reason=str(texts["reason"]), expires=last)
