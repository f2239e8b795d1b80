"""Stack files as a person writes them: a good one to change at one place, and what the model says of it."""

from pathlib import Path

from model import Problems, RegionSpec, stack_file

GOOD = (Path(__file__).parent / "model" / "region.yaml").read_text()
NAME = "Pulumi.test.yaml"
HERE = "# here"


def changed(old: str, new: str, text: str = GOOD) -> str:
    """The text with its first `old` replaced."""
    assert old in text, f"{old!r} is not in the text, so the change would change nothing"
    return text.replace(old, new, 1)


def line_of(text: str, good: str = GOOD) -> int:
    """The line marked as HERE, or else the first that is not as in the good text."""
    lines, others = text.splitlines(), good.splitlines()
    marked = [number for number, line in enumerate(lines, 1) if line.endswith(HERE)]
    pairs = enumerate(zip(lines, others, strict=False), 1)
    return marked[0] if marked else next(number for number, (line, other) in pairs if line != other)


def region_of(folder: Path, text: str) -> RegionSpec:
    (folder / NAME).write_text(text, encoding="utf-8")
    return stack_file("test", folder)


def sentences(folder: Path, text: str) -> list[str]:
    """What the model says of a stack file; nothing of a good one."""
    try:
        region_of(folder, text)
    except Problems as problems:
        return list(problems.sentences)
    return []
