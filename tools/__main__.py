"""Entry of `python3 -m tools`. This file must parse on any Python, so that a wrong one gets a sentence."""

import sys

if sys.version_info < (3, 11):
    sys.exit(
        "tools: this is Python %d.%d (%s), and CobaltCore needs 3.11 or newer. Install one, or name it: "
        "make PYTHON=python3.12 ..." % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

from tools.cli import main

sys.exit(main(sys.argv[1:]))
