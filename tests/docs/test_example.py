"""The program of docs/components.md does what the page says."""

import re
from pathlib import Path

from tests.recorder import record

PAGE = Path(__file__).resolve().parents[2] / "docs/components.md"


def test_the_example_makes_one_pool_and_an_object_in_it() -> None:
    program = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL))
    recording = record(lambda: exec(compile(program, str(PAGE), "exec"), {}), preview=True)  # noqa: S102  (the page's own)
    assert recording.named("hv-pool-lab-shoot").inputs["spec"]["provider"]["workers"][0]["maximum"] == 5
    lab = recording.named("lab")
    assert "hv-pool-lab-cluster" in lab.provider
    assert lab.deleted_with.endswith("::hv-pool-lab-shoot")
