#!/bin/sh
# Prints the Python that `.venv` is made from: $PYTHON if set, else 3.11, else any newer one that can make an environment.
set -eu
for python in ${PYTHON:-} python3.11 python3 python3.12 python3.13; do
    if command -v "$python" >/dev/null 2>&1 &&
        "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
echo "Found no Python 3.11 or newer that can make a virtual environment." >&2
echo "On Debian: apt install python3 python3-venv. Elsewhere: make env PYTHON=/path/to/python3.11" >&2
exit 1
