#!/bin/sh
# Opens JupyterLab on the first notebook of a folder of the learner's own, which is made on first use; where there is
# no screen to open a browser on, prints the address. scripts/start.sh [FOLDER [OPTIONS OF JUPYTERLAB]]
set -eu
cd "$(dirname "$0")/.."
home=$PWD
folder=${1:-my-course}
[ $# = 0 ] || shift
case $folder in  # not every shell does this for FOLDER=~/transformers
    "~/"*) folder=$HOME/${folder#"~/"} ;;
esac
PATH="$PWD/.venv/bin:$PATH"
grader start "$folder"
cd "$folder"
set -- --LabApp.default_url=/lab/tree/00_start_here.ipynb "$@"
if [ "$(id -u)" = 0 ]; then
    set -- "$@" --allow-root
fi
if [ "$(uname)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    set -- "$@" --no-browser
fi
python "$home/scripts/address.py" $$ &  # prints the address in a box once it is there; exec keeps this number
exec jupyter-lab --ServerApp.log_level=WARN "$@"
