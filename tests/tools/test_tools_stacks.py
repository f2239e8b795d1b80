"""`python -m tools pulumi` answers a mistyped command at once, and not after a quarter of an hour of set-up."""

from pathlib import Path

from tests.tools.clone import Clone, sentence


def stacks(clone: Clone, *names: str) -> None:
    for name in names:
        (clone.root / f"Pulumi.{name}.yaml").touch()


def test_a_stack_that_does_not_exist_gets_the_names_of_those_that_do(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    stacks(clone, "eu-de-1", "us-east-1", "lab.two")
    (clone.root / "Pulumi.yaml").touch()
    said = sentence(clone.run("pulumi", "--stack", "nowhere", "preview"))
    assert said == "STACK=nowhere: there is no Pulumi.nowhere.yaml. The stacks are eu-de-1, lab.two, us-east-1."


def test_a_stack_that_does_not_exist_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    stacks(clone, "eu-de-1")
    sentence(clone.run("pulumi", "--stack", "nowhere", "preview"))
    assert clone.built() == [], "a typing mistake must not cost the time of the set-up"
    assert not clone.cache.exists()


def test_a_pulumi_command_that_is_missing_is_asked_for_before_anything_is_built(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    stacks(clone, "eu-de-1")
    said = sentence(clone.run("pulumi", "--stack", "eu-de-1"), code=2)
    assert "preview" in said, f"an example of what is missing: {said}"
    assert clone.built() == []
