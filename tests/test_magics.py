"""Magics and shell lines vanish from a cell, and every other line stays where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.submission import load_submission
from grader.submission.magics import plain_python
from tests.submitted import EXERCISES, execute, write_notebook

MAGICS = {
    "%matplotlib inline\nx = 1": "pass\nx = 1",
    "%%time\nx = 1": "\nx = 1",
    "\n%%capture out\n%%time\nx = 1": "\n\n\nx = 1",
    "%%bash\nls": "",
    "%%timeit -n 3\ndef softmax(x): return x": "",
    "%%writefile softmax.py\ndef softmax(x): return x": "",
    "!pip install torch | head -3\nx = 1": "pass\nx = 1",
    "!echo 'it\nx = 1": "pass\nx = 1",
    "files = !ls\nx = 1": "files = None\nx = 1",
    "a, b = %magic x\n": "a, b = None\n",
    "if x:\n    %time y = f(2)\n    !ls": "if x:\n    y = f(2)\n    pass",
    "%time y = (1,\n  2)": "y = (1,\n  2)",
    "y = %time f(1)\n!ls": "y = f(1)\npass",
    "%timeit -n 3 f(x)": "pass",
    "?softmax\nsoftmax?\nsoftmax??  # source\n": "pass\npass\npass\n",
    "!ls \\\n  -l\nx = 1": "pass\n\nx = 1",
    "s = '''\n%time\n!ls\n'''\n%ls": "s = '''\n%time\n!ls\n'''\npass",
    "f(a\n%b\n)\n%ls": "f(a\n%b\n)\npass",
    "x = a \\\n%b\n%ls": "x = a \\\n%b\npass",
    "# it's \\\n%ls": "# it's \\\npass",
    ">>> def f():\n...     return 1\n>>> x = 1": "def f():\n    return 1\nx = 1",
    "    x = 1\n    %ls": "x = 1\npass",
    '"""%s"""  # "\n%ls': '"""%s"""  # "\npass',
    "x = 'a\\\n%b'\n%ls": "x = 'a\\\n%b'\npass",
}


@pytest.mark.parametrize("source", MAGICS)
def test_magics_leave_every_line_where_it_was(source: str) -> None:
    assert plain_python(source) == MAGICS[source]


def test_plain_python_that_looks_like_a_magic_is_left_alone(tmp_path: Path) -> None:
    cell = "k = (7\n%4)\ndef softmax(x):\n    return x + k"
    work = load_submission(write_notebook(tmp_path / "a.ipynb", cell), EXERCISES)
    assert execute(work.slice("softmax"))["softmax"](1) == 4
