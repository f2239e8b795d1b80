"""What every resource of a stack is to Pulumi: its type and name, below its parent. Write it anew:

python -m tests.identities
"""

from collections.abc import Iterator
from pathlib import Path

from tests.plans import plan
from tests.recorder import Recording
from tests.regions import STACKS, stack

FOLDER = Path(__file__).parent / "components"
MANAGEMENT = {
    "kubeconfig": "there-is-none-either.yaml",
    "issuer": "https://issuer.example.com",
    "secretStore": {"server": "https://openbao.example.com:8200"},
    "greenhouse": {"organization": "c5c3"},
}


def file(name: str) -> Path:
    return FOLDER / f"identities.{name}.txt"


def identities(name: str) -> list[str]:
    """Of a stack file with all that may be in its clusters: each resource indented below its parent."""
    planned = plan({**stack(name), "management": MANAGEMENT, "chartMirror": "oci://mirror.example.com/charts"})
    found = list(_below("", planned, ""))
    assert len(found) == len(planned), "each has one place below the stack"
    return found


def _below(parent: str, planned: Recording, indent: str) -> Iterator[str]:
    children = [one for one in planned if _key(one.parent) == parent]
    for one in sorted(children, key=lambda one: (one.type, one.name)):
        yield f"{indent}{one.type}::{one.name}"
        yield from _below(f"{one.type}::{one.name}", planned, f"{indent}  ")


def _key(urn: str) -> str:
    """The type and name in a parent's URN; none of the stack, below which the program's first resource is."""
    _, _, last = urn.partition("::")
    _, _, last = last.partition("::")
    path, _, name = last.partition("::")
    kind = path.rpartition("$")[2]
    return "" if kind in {"", "pulumi:pulumi:Stack"} else f"{kind}::{name}"


if __name__ == "__main__":
    for each in STACKS:
        file(each).write_text("\n".join(identities(each)) + "\n")
