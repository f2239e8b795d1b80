"""The gate as a person runs it: the real pulumi with the pack, and no cluster."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from policies import gate, preview
from policies.preview import Result, gate as judged
from policies.registry import POLICIES
from policies.report import MARK, clear, report, sarif, summary
from tests.regions import ROOT, STACKS


def test_the_documents_stacks_pass_the_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["--out", str(tmp_path)]) == 0, capsys.readouterr().out
    told = json.loads((tmp_path / "report.json").read_text())
    assert "| eu-de-1 | good |" in (tmp_path / "summary.md").read_text()
    assert [one["stack"] for one in told["stacks"]] == sorted(STACKS)
    enforced = {one.name for one in POLICIES if one.level == "mandatory"}
    for one in told["stacks"]:
        waits = {found["policy"] for found in one["violations"]}
        assert waits & enforced <= {"nothing-opaque"}, "the chart of Flux's operator, which only the update can see"
        assert enforced <= {*one["passed"], *waits}, "each mandatory policy has been asked"
        assert one["resources"] > 0
        assert "Previewing" in (tmp_path / f"preview-{one['stack']}.txt").read_text()


def test_a_violation_and_a_mistake_refuse_their_stack(tmp_path: Path) -> None:
    text = (ROOT / "Pulumi.us-east-1.yaml").read_text()
    for stack, old, new in (
        ("us-east-1", "name: st-pool-us\n", "name: st-pool-us\n      deletionProtection: false\n"),
        ("wrong", "region: us-east-1", "region: us-east-1\n  cobaltcore:regoin: us-east-1"),
    ):
        assert old in text
        (tmp_path / f"Pulumi.{stack}.yaml").write_text(text.replace(old, new, 1))
    unprotected, wrong = judged("us-east-1", tmp_path), judged("wrong", tmp_path)
    assert not unprotected.good
    assert {one.policy for one in unprotected.mandatory} == {"stateful-is-protected"}, unprotected
    assert "garden-c5c3/garden-c5c3/Shoot/st-pool-us" in unprotected.mandatory[0].says
    assert not wrong.good
    assert "is not a known key" in wrong.mistakes[0]
    assert not wrong.resources, "nothing is planned when the stack file is wrong"
    table = gate.said([unprotected, wrong], tmp_path)
    assert "us-east-1 mandatory stateful-is-protected" in table
    assert table.count("REFUSED") == 2


def test_a_plan_that_fails_is_no_good_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when Pulumi cannot even start the pack."""
    shutil.copy2(ROOT / "Pulumi.us-east-1.yaml", tmp_path)
    monkeypatch.setattr(preview, "PACK", tmp_path)
    result = judged("us-east-1", tmp_path)
    assert not result.good, result
    assert "PulumiPolicy.yaml" in " ".join(result.mistakes)


def test_a_configuration_that_turns_the_gate_off_is_a_mistake(tmp_path: Path) -> None:
    """The engine would take it, and say nothing."""
    shutil.copy2(ROOT / "Pulumi.us-east-1.yaml", tmp_path)
    config = tmp_path / "config.json"
    config.write_text('{"all": "disabled"}')
    result = judged("us-east-1", tmp_path, config)
    assert not result.good, result
    assert result.mistakes == ["config.json: all is said of every policy at once: name each policy that you mean."]


def test_a_configuration_of_no_stack_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "eu-de-11.json").write_text("{}")
    monkeypatch.setattr(preview, "CONFIG", tmp_path)
    assert gate.main([]) == 2
    assert "policies/config/eu-de-11.json is of no stack: call it after one of eu-de-1," in capsys.readouterr().err


def test_what_an_earlier_run_left_is_no_report(tmp_path: Path) -> None:
    for name in ("preview-gone.txt", "report.json", "report.sarif", "summary.md", "notes.txt"):
        (tmp_path / name).write_text("old")
    clear(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"], "what is not ours stays"


def test_the_workflow_judges_by_make_gate_alone_and_posts_the_preview() -> None:
    text = (ROOT / "deploy/github/gate.yml").read_text()
    steps = yaml.safe_load(text)["jobs"]["gate"]["steps"]
    used = [step["uses"] for step in steps if "uses" in step]
    assert all(re.fullmatch(r"[a-z-]+/[a-z-]+@[0-9a-f]{40}", one) for one in used), "versions are pinned"
    runs = [step["run"] for step in steps if "run" in step]
    assert [run for run in runs if "make" in run] == ["make gate"]
    (posts,) = [run for run in runs if "gh pr comment" in run]
    assert "--body-file .gate/summary.md" in posts
    assert "mark=$(head -n 1 .gate/summary.md)" in posts, "the comment of another job is not written over"
    assert summary([]).splitlines()[0] == MARK
    known = {f".gate/{name}" for name in ("summary.md", "report.sarif")}
    assert set(re.findall(r"[.]gate/[a-z.]+", text)) == known, "what the gate writes"


def test_a_summary_has_room_in_a_comment() -> None:
    long = [Result(stack=name, text="a line\n" * 50_000) for name in ("a", "b", "c")]
    assert len(summary(long)) < 65_536
    assert "| a | good |" in summary(long)


def test_the_reports_have_what_was_found() -> None:
    result = Result(stack="eu-de-1", mistakes=["Pulumi.eu-de-1.yaml:17: cobaltcore:region is wrong."])
    told = report([result])
    assert told["good"] is False
    (run,) = sarif([result], POLICIES)["runs"]
    (found,) = run["results"]
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 17}
    rules = {one["id"] for one in run["tool"]["driver"]["rules"]}
    assert {one.name for one in POLICIES} | {"stack-file"} == rules
