"""What the gate found, for programs: JSON, and SARIF as code hosts show it beside a change."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from policies.policy import Policy
from policies.preview import Result

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
MODEL = "stack-file"
FILES = ("report.json", "report.sarif", "summary.md")
MARK = "<!-- gate of the regions -->"  # by which the comment on a change is found again
ROOM = 50_000  # letters of previews in a comment, which takes 65,536 altogether
_LINE = re.compile(r"^[^:]+\.yaml:(?P<line>[0-9]+): ")
_LEVELS = {"mandatory": "error", "advisory": "warning"}


def clear(folder: Path) -> None:
    """What an earlier run wrote of stacks that are none any more, or of a plan that there is not now."""
    for file in [*folder.glob("preview-*.txt"), *(folder / name for name in FILES)]:
        file.unlink(missing_ok=True)


def lowered(one: Result) -> list[str]:
    """Who looks at the gate sees what it does not enforce."""
    return [f"{low.policy} is {low.level} until {low.expires}: {low.reason}" for low in one.lowered]


def write(folder: Path, results: Sequence[Result], policies: Sequence[Policy]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    data, found, page = (folder / name for name in FILES)
    _put(data, report(results))
    _put(found, sarif(results, policies))
    page.write_text(summary(results))
    for one in results:
        if one.text:
            (folder / f"preview-{one.stack}.txt").write_text(one.text)


def report(results: Sequence[Result]) -> dict[str, Any]:
    return {
        "good": all(one.good for one in results),
        "stacks": [
            {
                "stack": one.stack,
                "good": one.good,
                "seconds": round(one.seconds, 1),
                "resources": one.resources,
                "note": one.note,
                "mistakes": list(one.mistakes),
                "violations": [asdict(finding) for finding in one.findings],
                "passed": list(one.passed),
                "lowered": [{**asdict(low), "expires": low.expires.isoformat()} for low in one.lowered],
            }
            for one in results
        ],
    }


def summary(results: Sequence[Result]) -> str:
    """As a change's own page shows it: the table, what is wrong, and each preview."""
    lines = [MARK, "# Gate", "", "| stack | | resources | mandatory | advisory |", "|---|---|---|---|---|"]
    for one in results:
        verdict = "good" if one.good else "**refused**"
        lines.append(f"| {one.stack} | {verdict} | {one.resources} | {len(one.mandatory)} | {len(one.advisory)} |")
    for one in results:
        lines += ["", f"## {one.stack}", ""]
        lines += [one.note, ""] if one.note else []
        lines += [f"- **lowered** {low}" for low in lowered(one)]
        lines += [f"- {mistake}" for mistake in one.mistakes]
        lines += [f"- **{found.level} {found.policy}** {found.says}" for found in [*one.mandatory, *one.advisory]]
        if one.text:
            lines += ["", "<details><summary>Preview</summary>", "", "```", _short(one.text, len(results)), "```"]
            lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def _short(text: str, parts: int) -> str:
    """A comment has so much room; the end of a preview says more than its beginning."""
    room = ROOM // parts
    return text.strip() if len(text) <= room else f"...\n{text.strip()[-room:]}"


def sarif(results: Sequence[Result], policies: Sequence[Policy]) -> dict[str, Any]:
    rules = [
        {
            "id": one.name,
            "shortDescription": {"text": one.title},
            "fullDescription": {"text": one.description},
            "help": {"text": one.remedy},
            "defaultConfiguration": {"level": _LEVELS.get(one.level, "none")},
            "properties": {"severity": one.severity.value, "tags": list(one.tags)},
        }
        for one in policies
    ]
    found = [
        *(_result(one.stack, MODEL, "error", says, None) for one in results for says in one.mistakes),
        *(
            _result(one.stack, finding.policy, _LEVELS[finding.level], finding.says, finding.urn)
            for one in results
            for finding in one.findings
        ),
    ]
    driver = {
        "name": "cobaltcore-gate",
        "rules": [{"id": MODEL, "shortDescription": {"text": "The stack file is right"}}, *rules],
    }
    return {"$schema": SARIF, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}


def _result(stack: str, rule: str, level: str, says: str, urn: str | None) -> dict[str, Any]:
    line = _LINE.match(says)
    place: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": f"Pulumi.{stack}.yaml"},
            "region": {"startLine": int(line["line"]) if line else 1},
        }
    }
    if urn:
        place["logicalLocations"] = [{"fullyQualifiedName": urn, "kind": "resource"}]
    return {"ruleId": rule, "level": level, "message": {"text": says}, "locations": [place]}


def _put(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2) + "\n")
