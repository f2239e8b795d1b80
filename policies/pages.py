"""Write docs/policies.md and the schema of the pack's configuration from the policies themselves."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from policies.exemptions import ALWAYS, LEVELS, SCHEMA
from policies.policy import Policy, Scope
from policies.registry import POLICIES
from tools import cache

PAGE = cache.ROOT / "docs/policies.md"
FILE = cache.ROOT / "docs/policies.schema.json"
HEAD = """\
# The policies

Written by `make reference` from the modules in `policies/rules`; change those. How they run is in [gate.md](gate.md).

A *mandatory* policy refuses the plan, an *advisory* one warns. "Each object" is judged before it is made, at the
preview and again at the update; "the stack" is judged when all objects are known. A value that the policy needs and
that only the update will know is refused, unless the policy says that it waits for it.
"""


def page(policies: Sequence[Policy] = POLICIES) -> str:
    sections = [line for one in policies for line in _section(one)]
    return "\n".join([HEAD, *_table(policies), "", *sections]).rstrip() + "\n"


def _table(policies: Sequence[Policy]) -> Iterator[str]:
    yield "| Policy | Level | Severity | Judges |"
    yield "|---|---|---|---|"
    for one in policies:
        yield f"| [{one.name}](#{one.name}) | {one.level} | {one.severity.value} | {_judged(one)} |"


def _section(one: Policy) -> Iterator[str]:
    yield f"## {one.name}"
    yield ""
    yield one.description
    yield ""
    yield f"*To mend it:* {one.remedy}"
    yield ""
    yield f"Values that are not known before the update: {one.when_unknown.value}. Tags: {', '.join(one.tags)}."
    yield ""


def _judged(one: Policy) -> str:
    return "each object" if one.scope is Scope.RESOURCE else "the stack"


def schema(policies: Sequence[Policy] = POLICIES) -> dict[str, Any]:
    """Of a file for `--policy-pack-config`, which may say of each policy how strict it is and what is exempt."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of the policies",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            one.name: {
                "description": one.description,
                **_entry(one),
            }
            for one in policies
        },
    }


def _entry(one: Policy) -> dict[str, Any]:
    """A level alone, or with exemptions; what is mandatory is lowered only with a reason and an end."""
    free = LEVELS if one.level != "mandatory" else ["mandatory"]
    level = {"enum": free, "description": "How strict the policy is."}
    whole: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"enforcementLevel": {**level, "enum": LEVELS}, **SCHEMA},
    }
    if one.name == ALWAYS:
        whole["properties"] = {"enforcementLevel": level}
    elif one.level == "mandatory":
        lower = {"enum": [name for name in LEVELS if name != "mandatory"]}
        whole["if"] = {"properties": {"enforcementLevel": lower}, "required": ["enforcementLevel"]}
        whole["then"] = {"required": ["reason", "expires"]}
    return {"anyOf": [level, whole]}


def files() -> dict[Path, str]:
    return {PAGE: page(), FILE: json.dumps(schema(), indent=2) + "\n"}


def main() -> int:
    for file, text in files().items():
        file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
