"""Annotations that the type checker reads and the program does not: written so that an import makes none of them.

A kind like CephCluster has thousands of fields, and Python makes an object of each annotation of each. Left as text
they cost nothing until Pulumi asks for those of a class that is used. A TypedDict is a dict while the program runs.
"""

import re

FIRST = "import builtins as _builtins\n"  # after the comments at the top of every module that has types
TYPED_DICT = re.compile(
    r"^if not MYPY:\n(    class (\w+)\(TypedDict\):\n(?:     .*\n|\n)+)elif False:\n.*\n", re.MULTILINE
)


def as_text(module: str) -> str:
    """The same module; annotations are not evaluated when it is imported."""
    lazy = module.replace(FIRST, f"from __future__ import annotations\n{FIRST}from typing import TYPE_CHECKING\n", 1)
    return TYPED_DICT.sub(r"if TYPE_CHECKING:\n\1else:\n    \2 = dict\n", lazy)
