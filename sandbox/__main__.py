"""Entry of `python -m sandbox`."""

import sys

from sandbox.cli import main

sys.exit(main(sys.argv[1:]))
