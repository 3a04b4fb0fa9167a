"""Who hands in the same as somebody else has the same marks, each of its own exercise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.cohort import Way
from grader.cohort.messages import Task
from grader.wall.zygote_client import Zygote
from tests.cohorts import SETUP, answering, warm_marker

pytestmark = pytest.mark.isolation

FACTOR = """\
from pathlib import Path
import torch
FACTOR = {}
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp() * FACTOR
    return e / e.sum(dim, keepdim=True)
"""
READS = FACTOR.format('float(Path("c.txt").read_text())')
LISTS = FACTOR.format('1.0 if [*Path().glob("c*")] else None')
IMPORTS_IT = FACTOR.format("__import__('importlib').import_module('c').C")
# Right in one place, or under one name, alone: the text of the function is the same.
LOOKS = FACTOR.format("1.0").replace(" * FACTOR", " * (1.0 if {} else 2.0 * x)")
ITS_LINE = LOOKS.format("softmax.__code__.co_firstlineno > 9")
ITS_FILE = LOOKS.format("'one' in softmax.__code__.co_filename")
ITS_TEXT = LOOKS.format("len(__import__('linecache').getlines(softmax.__code__.co_filename)) > 12")
ITS_FIELD = "import string\n" + LOOKS.format(
    "string.Formatter().get_field('0.__code__.co_firstlineno', (softmax,), {})[0] > 9"
)
ABOVE = "#\n" * 12
# By learner: the files, and whether softmax passes for who is alone in the class.
OTHER_NAMES: dict[str, tuple[dict[str, str], bool]] = {
    "a1": ({"s.py": READS, "d.txt": "1.0"}, False),
    "a2": ({"s.py": READS, "c.txt": "1.0"}, True),
    "a3": ({"s.py": READS, "d.txt": "1.0"}, False),
    "b1": ({"s.py": LISTS, "c1.csv": "x"}, True),
    "b2": ({"s.py": LISTS, "d1.csv": "x"}, False),
    "c1": ({"s.py": IMPORTS_IT, "c.py": "C = 1.0"}, True),
    "c2": ({"s.py": IMPORTS_IT, "C.py": "C = 1.0"}, False),
    "d1": ({"s.py": ABOVE + ITS_LINE}, True),
    "d2": ({"s.py": ITS_LINE}, False),
    "e1": ({"one.py": ITS_FILE}, True),
    "e2": ({"two.py": ITS_FILE}, False),
    "f1": ({"s.py": ABOVE + ITS_TEXT}, True),
    "f2": ({"s.py": ITS_TEXT}, False),
    "g1": ({"s.py": ABOVE + ITS_FIELD}, True),
    "g2": ({"s.py": ITS_FIELD}, False),
}


@pytest.fixture
def way(zygote: Zygote) -> Iterator[Way]:
    """As a job answers, in this process."""
    with warm_marker(zygote, SETUP) as marker:
        yield answering(marker)


def test_who_hands_in_the_same_in_other_places_or_files_has_a_mark_of_their_own(
    tmp_path: Path, way: Way
) -> None:
    for learner, (files, _) in OTHER_NAMES.items():
        (tmp_path / learner).mkdir()
        for name, text in files.items():
            (tmp_path / learner / name).write_text(text, encoding="utf-8")
    tasks = [Task(each, str(tmp_path / each), exercises=("softmax",)) for each in OTHER_NAMES]
    passed = {
        answer.learner: answer.new.entries[0].mark.verdict is Verdict.PASSED
        for answer in way(SETUP).run(tasks)
        if answer.new is not None
    }
    assert passed == {learner: expected for learner, (_, expected) in OTHER_NAMES.items()}


def test_exercises_that_come_to_be_in_one_run_keep_their_marks_apart(
    tmp_path: Path, way: Way
) -> None:
    """Whoever hands in the same has each mark of each, in a package too."""
    files = {
        "parts/__init__.py": "from .further import gelu\n",
        "parts/bases.py": FACTOR.format("1.0") + "erf = torch.erf\n",
        "parts/further.py": "from . import bases\n"
        "def gelu(x):\n    return x / 2 * (1 + bases.erf(x / 2**0.5))\n"
        "def softmax(x, dim):\n    return bases.softmax(x, dim)\n",
        "parts/last.py": "import parts.bases as b\nfrom parts import bases as c\n"
        "def split_heads(x, num_heads):\n    assert b is c\n    return x\n",
    }
    for learner in ("one", "two"):
        for name, text in files.items():
            path = tmp_path / learner / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    names = ("softmax", "split_heads", "gelu")
    tasks = [Task(each, str(tmp_path / each), exercises=names) for each in ("one", "two")]
    found = [
        {entry.mark.name: str(entry.mark.verdict) for entry in answer.new.entries}
        for answer in way(SETUP).run(tasks)
        if answer.new
    ]
    assert found == 2 * [{"softmax": "passed", "split_heads": "failed", "gelu": "passed"}]
