#!/bin/sh
# Writes requirements.lock anew (everything that pyproject.toml asks for, in a clean environment, at exact versions),
# then requirements.hashes, what each file of these versions must hash to. With `hashes` as argument, the latter alone.
# Run it with the oldest Python that the course must install on, Debian 12's 3.11.2: PYTHON=/usr/bin/python3.11
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/python.sh)
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT INT TERM

"$python" -m venv "$clean/venv"
pip="$clean/venv/bin/python -m pip --disable-pip-version-check"

# A file's comments, up to its first package.
head_of() {
    sed '/^[^#]/,$d' "$1"
}

lock() {
    # PyTorch first and alone: a range in another package must not choose its version.
    $pip install --quiet "$(grep -o '"torch==[^"]*"' pyproject.toml | tr -d '"')"
    "$clean/venv/bin/python" - >"$clean/wanted" <<'END'
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print(*project["dependencies"], *sum(project["optional-dependencies"].values(), []), sep="\n")
END
    $pip install --quiet --requirement "$clean/wanted"
    $pip check
    {
        head_of requirements.lock
        # A build's own label (+cpu) is dropped: any build of that version will do.
        $pip freeze --all | grep -v '^pip==' | sed 's/+[a-z0-9.]*$//'
    } >"$clean/lock"
    mv "$clean/lock" requirements.lock
}

hashes() {
    "$python" -m venv "$clean/uv"
    "$clean/uv/bin/python" -m pip --disable-pip-version-check install --quiet uv
    # PyTorch comes in several builds, from several indexes: no one list of hashes holds for all.
    grep -v '^torch==' requirements.lock >"$clean/wanted.txt"
    {
        head_of requirements.hashes
        "$clean/uv/bin/uv" pip compile "$clean/wanted.txt" --quiet --no-deps --generate-hashes --no-header --no-annotate \
            --python "$clean/venv/bin/python"
    } >"$clean/hashes"
    mv "$clean/hashes" requirements.hashes
}

[ "${1:-}" = hashes ] || lock
hashes
