#!/bin/sh
# Gradescope runs this once, when it builds the autograder's image: Debian's or Ubuntu's packages, then Python's.
# On Linux, PyPI's PyTorch is the CUDA build, of several gigabytes. For the small one, export PIP_EXTRA_INDEX_URL here
# as PyTorch's installation page names it.
set -eu
cd "${AUTOGRADER_ROOT:-/autograder}/source"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bubblewrap libseccomp2 python3-venv
python3 -m venv .venv
.venv/bin/python -m pip install --quiet -r requirements.lock
