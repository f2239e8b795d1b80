#!/bin/sh
# The set-up puts it on PATH as cobaltcore-access; the command runs in the clone, with the clone's Python.
here=$(cd "$(dirname "$0")/../.." && pwd) && cd "$here" || exit 1
COBALTCORE_ACCESS="$here/.tools/bin/cobaltcore-access" exec .venv/bin/python -m access "$@"
