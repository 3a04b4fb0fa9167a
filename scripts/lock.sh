#!/bin/sh
# Writes requirements.lock anew: everything that pyproject.toml asks for, in a clean environment, at exact versions.
# Run it with the oldest Python that the course must install on, Debian 12's 3.11.2: PYTHON=/usr/bin/python3.11
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/python.sh)
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT INT TERM

"$python" -m venv "$clean/venv"
pip="$clean/venv/bin/python -m pip --disable-pip-version-check"
# PyTorch first and alone: a range in another package must not choose its version.
$pip install --quiet "$(grep -o '"torch==[^"]*"' pyproject.toml | tr -d '"')"
"$clean/venv/bin/python" - >"$clean/wanted" <<'EOF'
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print(*project["dependencies"], *sum(project["optional-dependencies"].values(), []), sep="\n")
EOF
$pip install --quiet --requirement "$clean/wanted"
$pip check
{
    sed '/^[^#]/,$d' requirements.lock
    # A build's own label (+cpu) is dropped: any build of that version will do.
    $pip freeze --all | grep -v '^pip==' | sed 's/+[a-z0-9.]*$//'
} >"$clean/lock"
mv "$clean/lock" requirements.lock
