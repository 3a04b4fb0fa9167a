#!/bin/sh
# Opens JupyterLab on the first notebook; where there is no screen to open a browser on, prints the address.
set -eu
cd "$(dirname "$0")/../notebooks"
set -- --LabApp.default_url=/lab/tree/00_start_here.ipynb "$@"
if [ "$(id -u)" = 0 ]; then
    set -- "$@" --allow-root
fi
if [ "$(uname)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    set -- "$@" --no-browser
fi
exec ../.venv/bin/jupyter-lab "$@"
