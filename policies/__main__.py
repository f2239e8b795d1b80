"""Where Pulumi starts the pack."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)  # Pulumi runs this folder, and its modules are a package

from policies.analyzer import serve  # noqa: E402  (the path is set above)
from policies.registry import POLICIES  # noqa: E402  (as above)

serve(POLICIES)
