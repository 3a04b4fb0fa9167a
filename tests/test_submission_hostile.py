"""Code that was made to crash, to hang or to fill the memory does neither; nor does any other."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.submission import load_submission
from grader.submission.magics import plain_python
from tests.counted import within
from tests.submitted import (
    EXERCISES,
    execute,
    notebook_json,
    several,
    submission,
    write_notebook,
    write_zip,
)

ANSWER = "def softmax(x):\n    return x + 1"

HOSTILE_CODE = {
    "nested brackets": "(" * 10_000,
    "nested lambdas": "lambda:" * 50_000 + "1",
    "minus signs": "x = " + "-" * 90_000 + "1",
    "a long sum": "x = " + "+".join(["1"] * 90_000),
    "attributes": "x = a" + ".b" * 90_000,
    "calls": "x = f" + "()" * 90_000,
    "comparisons": "x = " + "not " * 40_000 + "1",
    "indentation": "".join(" " * i + "if 1:\n" for i in range(99)) + " " * 99 + "x = 1",
    "too much indentation": "".join(" " * i + "if 1:\n" for i in range(400)),
    "a huge integer": "x = " + "9" * 10_000,
    "statements": "a;" * 99_000,
    "definitions": "a=1;" * 49_000,
    "decorators": "@a\n" * 60_000 + "def f(): pass",
    "names": "global " + ",".join(f"a{i}" for i in range(20_000)),
    "comments": "#" * 190_000,
    "magics": "%time " * 30_000,
    "shell lines": "!ls\n" * 40_000,
    "cell magics": "%%time\n" * 20_000,
    "spaces": " " * 190_000 + "%",
    "question marks": "?" * 190_000,
    "quotes": "'" * 99_001,
    "open string": "'''" + "\\" * 190_000,
    "prompts": ">>> " * 40_000,
    "annotation in a string": f"x: '{'[' * 400}' = 1",
    "f-strings": "x = " + "f'{" * 200,
    "nested comprehensions": "x = " + "[" * 150 + "1" + " for i in x]" * 150,
    "walrus": "(a := " * 150 + "1" + ")" * 150,
    "default lambdas": "x = " + "lambda a=" * 180 + "1" + ": 1" * 180,
    "coding": "# -*- coding: punycode -*-\n",
    "control characters": "\x01\x02\x0c\x1a = 1",
    "unicode names": "𝓍 = ﬁ = 1\nﬀ = ℌ",
    "backslashes": "\\\n" * 60_000,
}


@pytest.mark.parametrize("case", HOSTILE_CODE)
def test_hostile_code_takes_a_few_steps_a_character_and_harms_no_other_cell(
    tmp_path: Path, case: str
) -> None:
    path = write_notebook(tmp_path / "work.ipynb", HOSTILE_CODE[case], ANSWER, "%ls")

    def judged() -> None:
        work = load_submission(path, EXERCISES)
        assert execute(work.slice("softmax"))["softmax"](1) == 2
        work.slice("attention")

    # It takes 2,000 and up to 51 a character ("statements").
    within(10_000 + 200 * len(HOSTILE_CODE[case]), judged)


ENCODINGS = "punycode idna utf-7 utf-16 unicode_escape raw_unicode_escape zlib rot13 undefined"


@pytest.mark.parametrize("encoding", ENCODINGS.split())
def test_an_encoding_that_is_none_of_letters_counts_as_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "work.py"
    odd = "# \\ud800 +2AA- é\n" + "#" * 400_000 + "-" + "a" * 400_000  # hours of punycode's work
    path.write_text(f"# coding: {encoding}\n{ANSWER}\n{odd}", encoding="utf-8")
    work = load_submission(path, EXERCISES)
    assert work.problems == () and execute(work.slice("softmax"))["softmax"](1) == 2


def test_a_number_that_python_cannot_write_out_stops_no_run_of_all() -> None:
    work = several({"a.py": [f"a = 1; b = 0x{'f' * 5_000}; c = {'-' * 2_000}a", ANSWER]}, EXERCISES)
    run = work.whole_run("softmax", {})
    assert run is not None and any("def softmax" in unit.code for unit in run.cells)


def test_a_statement_behind_a_form_feed_is_cut_out_whole() -> None:
    work = submission(
        "\fh = [\n    1,\n]\ndef softmax(x):\n    return x + h[0]", exercises=EXERCISES
    )
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_memory_stays_bounded(tmp_path: Path) -> None:
    """The worst of the above, one after the other, in one process that is watched."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("needs Linux's account of memory")
    write_notebook(tmp_path / "a.ipynb", HOSTILE_CODE["statements"], HOSTILE_CODE["definitions"])
    (tmp_path / "b.ipynb").write_bytes(b'{"cells": [' + b"[]," * 1_499_000 + b"[]]}")
    (tmp_path / "c.ipynb").write_bytes(b'{"cells": [' + b"1.5," * 3_990_000 + b"1]}")
    script = (
        "from grader.submission import *\n"
        f"for found in find_submissions({str(tmp_path)!r}):\n"
        "    load_submission(found.path, ['softmax']).slice('softmax')\n"
        f"print([line.split()[1] for line in open({str(status)!r}) if 'VmHWM' in line][0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(done.stdout) < 450_000  # KiB; 30,000 of them are Python and its modules


def test_a_broken_script_of_many_parts_is_not_read_anew_for_each() -> None:
    parts = "\n" * 20_000 + "# %%\n(\n" * 190 + ANSWER
    work = several({"work.py": [parts]})
    # It takes 1,100,000; when each part was read with all lines before it, 100,000,000.
    broken = within(4_000_000, lambda: work.broken)
    assert len(broken) == 1


# Each takes milliseconds; what looks at all that follows anew from each place takes hours.
LONG_TEXTS = """
from grader.report.exports.spreadsheet import defused
from grader.submission import Cell, Submission, handed_in_apart
from grader.marking.usual_errors import is_usual

for blank in ("\\n", "\\f\\n", " \\n\\t\\n"):
    cell = Cell("def softmax(x): return x\\n" + blank * 45_000, "a.py", "a.py", 0)
    work = Submission("ann", frozenset(["softmax", "gelu"]), (cell,))
    handed_in_apart(work.slice("softmax"), work)
for text in ("\\n" * 190_000, "; |" * 60_000, "=" * 190_000):
    defused(text)
names = frozenset({"x"})
for text in ("1" * 190_000, "1, " * 60_000, "x" * 190_000, "[" * 190_000):
    for start in ("", "Given normalized_shape=[", "shape '[", "name '"):
        is_usual(start + text, names, names)
"""


def test_patterns_go_over_long_texts_once() -> None:
    """In a process of its own: what a pattern does is no step that could be counted."""
    subprocess.run([sys.executable, "-c", LONG_TEXTS], check=True, timeout=60)


# Anything at all

_many = settings(max_examples=150, suppress_health_check=list(HealthCheck))
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "input", "worksheets", "metadata"]),
            inner,
        )
    ),
    max_leaves=15,
)
_cells = st.lists(
    st.fixed_dictionaries({"cell_type": st.just("code"), "source": _json | st.text()}) | _json
)
_characters = st.sampled_from("abfx_(){}[]:=.,;@*'\"\\#%!?\n\t 01λ") | st.characters(
    exclude_categories=[]
)
_words = st.sampled_from(
    [
        *("def softmax(x):", "softmax", "=", "(", ")", "\n", "    ", "return", "import", "from"),
        *(
            "class",
            "lambda",
            ":",
            "del",
            "if",
            "for",
            "in",
            "%time",
            "!",
            "?",
            "'''",
            "*",
            ",",
            "@",
        ),
        *("try:", "except:", "global", "async", "await", "with", "as", "torch", ".", "[", "]", "K"),
    ]
)
_code = st.text(_characters, max_size=80) | st.lists(_words, max_size=30).map(" ".join)


def judge(path: Path) -> None:
    """Load and slice; nothing may be raised."""
    work = load_submission(path, EXERCISES)
    for name in sorted(EXERCISES):
        work.slice(name, replace={"softmax": "def softmax(x): ..."})
    assert all(isinstance(problem, str) for problem in work.problems)


@_many
@given(_json | st.fixed_dictionaries({"cells": _cells}))
def test_any_json_is_judged(tmp_path_factory: pytest.TempPathFactory, content: object) -> None:
    path = tmp_path_factory.mktemp("any") / "work.ipynb"
    path.write_text(json.dumps(content))
    judge(path)


@_many
@given(st.binary(max_size=300), st.sampled_from([".ipynb", ".py", ".zip", ""]))
def test_any_bytes_are_judged(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"work{suffix}"
    path.write_bytes(content)
    judge(path)


@_many
@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from(["zip", "ipynb"]))
def test_any_damage_is_judged(
    tmp_path_factory: pytest.TempPathFactory, seed: int, changes: int, kind: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"work.{kind}"
    if kind == "zip":
        write_zip(path, ("a.ipynb", notebook_json(ANSWER)), ("b.py", ANSWER), ("c/", ""))
    else:
        write_notebook(path, ANSWER, "%ls")
    content, chance = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(changes):
        content[chance.randrange(len(content))] = chance.choice([0, 1, 255, chance.randrange(256)])
    if chance.random() < 0.3:
        del content[chance.randrange(len(content)) :]
    path.write_bytes(content)
    judge(path)


@_many
@given(st.lists(_code, min_size=1, max_size=4))
def test_any_cells_are_sliced(cells: list[str]) -> None:
    work = submission(*cells)
    for name in sorted(EXERCISES):
        work.slice(name)


@_many
@given(_code)
def test_magics_of_any_text_keep_the_lines(cell: str) -> None:
    plain = plain_python(cell)
    assert plain == "" or plain.count("\n") == cell.count("\n")
