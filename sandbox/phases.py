"""The start of a sandbox, step by step; each step finds what the earlier ones made in the Sandbox."""

from collections.abc import Callable

from sandbox import flux, garden, management, registry, server_faults, shoots
from sandbox.operators import controller as operators
from sandbox.sandbox import Sandbox

PHASES: list[tuple[str, Callable[[Sandbox], None]]] = [
    ("Garden: API server", garden.start_server),
    ("Garden: Gardener", garden.start_gardener),
    ("Garden: landscape", garden.make_landscape),
    ("Management: API server", management.start),
    ("Management: Flux", flux.begin),
    ("Charts", registry.begin),
    ("Stand-ins for operators", operators.start),
    ("Stand-in for Gardener's controllers", shoots.start),
    ("Faults on demand", server_faults.start),
]
