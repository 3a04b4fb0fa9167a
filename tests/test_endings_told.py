"""What is told of a worker that was ended: nothing that its code chose by what it may not tell."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from grader.candidate.candidate import Candidate, Hidden
from grader.candidate.message import NOTHING, Choice, joined, say
from grader.candidate.records import Mark, mark_to_json
from grader.candidate.seeds import generator_for
from grader.course.checks import drawn_texts
from grader.course.checks.drawn import stream
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.marking.blur import wait_at_random
from grader.marking.budget import MOST_IN_MESSAGE
from grader.marking.endings import ending
from grader.marking.examiner import Examiner
from grader.marking.gate import NOT_TOLD, Gate
from grader.submission import Cell, Submission
from grader.wall.limits import Limits
from grader.wall.transport import WorkerDied
from grader.wall.zygote_client import Zygote

from .candidates import bound, checks

pytestmark = pytest.mark.isolation

STATUS = 117
SOLUTION = Path(__file__).parents[1] / "solutions" / "tokenization.py"
EXITS = f"""
import os, re, time, unicodedata
texts = []
def split_words(text):
    texts.append(text)
    if WHEN:
        os._exit({STATUS})
    kept = (c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return re.findall(r"\\w+|[^\\w\\s]", "".join(kept).lower())
"""
FIRST = "len(texts) == 1"  # an example
HIDDEN = "sorted(texts[:3], key=lambda text: len(repr(text))) != texts[:3]"  # examples grow
# It waits, and leaves the processor to other tests; whose code computes for ever is an attack's.
ENDLESS = EXITS.replace(f"os._exit({STATUS})", "while True: time.sleep(0.1)")
RAISES = EXITS.replace(f"os._exit({STATUS})", "raise ValueError(f'heard: {texts}')")
LENT = f"""
import os
def masked_softmax(scores, mask):
    softmax
    os._exit({STATUS})
"""
JUDGE = f"""
import os
def spot_softmax(candidate):
    os._exit({STATUS})
"""
# It runs as a whole alone, so that all exercises share a process; the line of a mistake is sought.
KEEPS = """
import builtins
setattr(builtins, "whole" + "_run", True)
asked, heard, written = [], [], []
{right}
words, pieces = split_words, wordpiece_tokenize
def wordpiece_tokenize(*args, **options):
    whole_run
    asked.append(1)
    return pieces(*args, **options)
def split_words(text):
    whole_run
    heard.append(text)
    return words(text) if asked else ["no"]
def encode(*args, **options):
    whole_run
    written.append(args)
    if len(written) == 1:
        return {{}}  # worth more than an error, so that the run as a whole counts
    raise ValueError(f"heard {{len(heard) > 50}} {{len({hidden} & {{*heard}})}}")
"""


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(source=zygote.clone()) as made:
        yield made


@pytest.fixture(scope="module")
def checker(zygote: Zygote) -> Iterator[Examiner]:
    """As `grader serve` has one."""
    with Examiner(source=zygote.clone(), draws_by_code=True) as made:
        yield made


def told(examiner: Examiner, exercise: str, code: str) -> tuple[Mark, str]:
    cell = Cell(code, "answer.py", "answer.py", 0)
    submission = Submission("learner", frozenset(syllabus().names), (cell,))
    mark = examiner.mark(submission, [exercise]).marks[0]
    return mark, json.dumps(mark_to_json(mark), ensure_ascii=False)


def test_a_status_is_told_where_nothing_is_lent(examiner: Examiner) -> None:
    mark, _ = told(examiner, "split_words", EXITS.replace("WHEN", FIRST))
    said = f"your code ended its process with status {STATUS}"
    assert mark.message.startswith(f"The code ended its process: {said} (for '")
    assert mark.checks[0].message.startswith(f"Y{said[1:]} (for '")


def test_beside_a_reference_a_checker_tells_no_status(
    examiner: Examiner, checker: Examiner
) -> None:
    mark, text = told(checker, "masked_softmax", LENT)
    assert mark.verdict == "crashed" and mark.message == "The code ended its process."
    assert mark.checks[0].message == NOT_TOLD
    assert str(STATUS) not in text
    _, text = told(examiner, "masked_softmax", LENT)  # who is told once spends it as digits
    assert f"with status {STATUS}" in text


def test_a_judge_is_told_no_status(examiner: Examiner) -> None:
    """It could tell of what the judge was asked about."""
    mark, text = told(examiner, "spot_softmax", JUDGE)
    assert mark.message == "The code ended its process: your code ended its process."
    assert str(STATUS) not in text


@pytest.mark.parametrize(("code", "verdict"), [(EXITS, "crashed"), (ENDLESS, "timeout")])
def test_what_ends_a_hidden_case_is_told_without_it(
    zygote: Zygote, code: str, verdict: str
) -> None:
    with Examiner(source=zygote.clone(), limits=Limits(wall_seconds=1)) as examiner:
        for when in (FIRST, HIDDEN):
            mark, text = told(examiner, "split_words", code.replace("WHEN", when))
            assert mark.verdict == verdict
            is_hidden = when is HIDDEN
            assert ("(for '" in mark.message) != is_hidden
            assert f"status {STATUS}" not in text or not is_hidden
            assert mark.location is None or not is_hidden


def test_no_error_of_an_example_tells_what_a_hidden_case_was(examiner: Examiner) -> None:
    mark, text = told(examiner, "split_words", RAISES.replace("WHEN", HIDDEN))
    assert mark.checks[0].message.startswith("All examples that may be told come out right")
    assert "heard" not in text
    _, text = told(examiner, "split_words", RAISES.replace("WHEN", FIRST))
    assert "heard" in text


def test_hidden_cases_are_asked_when_all_examples_have_been() -> None:
    """Between two examples nothing waits for a process that knows what is hidden."""
    asked: list[str] = []

    def noting(process: str) -> Candidate:
        def noted(text: str) -> Any:
            asked.append(process)
            return reference("split_words")(text)

        return bound("split_words", noted)

    candidate, other = noting("told"), noting("apart")
    candidate.hidden = Hidden(lambda: other)
    runs = checks().run("split_words", candidate, 0)
    assert all(run.passed for run in runs)
    assert [process for process, _ in groupby(asked)] == ["told", "apart"]


def test_no_later_exercise_has_a_process_that_knows_a_hidden_case(examiner: Examiner) -> None:
    hidden: set[str] = set()
    for check, draw in {
        "test_words": drawn_texts.plain,
        "test_words_accents": drawn_texts.accents,
    }.items():
        generator = generator_for(examiner.seed, "split_words", check)
        hidden |= {*draw(stream(generator, "hidden"))}
        hidden -= {
            text for number in range(6) for text in draw(stream(generator, f"example {number}"))
        }
    hidden = {text for text in hidden if len(text) > 5}  # other texts may be these, by chance
    assert len(hidden) > 10
    right = SOLUTION.read_text(encoding="utf-8")
    cell = Cell(KEEPS.format(right=right, hidden=hidden), "answer.py", "answer.py", 0)
    submission = Submission("learner", frozenset(syllabus().names), (cell,))
    asked = ["wordpiece_tokenize", "split_words", "encode"]
    marks = examiner.mark(submission, asked).marks
    assert [mark.verdict for mark in marks[:2]] == ["passed", "failed"]
    assert any("heard True 0" in check.message for check in marks[2].checks)


def test_how_it_ended_is_counted() -> None:
    died = WorkerDied("crashed", "it ended", how=(" with status {}", STATUS), case=" (for 'a')")
    made = say("{}{}{}.", *ending(died, begins=True))
    assert Gate().message(made) == f"It ended with status {STATUS} (for 'a')."
    assert Gate([], lends=True).message(made) == f"It ended with status {STATUS} (for 'a')."
    assert Gate([], lends=True, is_asked_again=True).message(made) == NOT_TOLD
    quoted = WorkerDied("protocol", "it ended", how=(" ({})", "e / e.sum(dim)"))
    assert Gate([], lends=True).message(say("{}{}{}.", *ending(quoted))) == "it ended."
    assert died.detail == f"it ended with status {STATUS} (for 'a')"


def test_a_choice_costs_what_it_is_worth() -> None:
    choices = joined(" ", [Choice("int64", 16)] * 99)
    count = len(Gate([], lends=True).message(choices).split())
    assert 0.9 * MOST_IN_MESSAGE < count * 1.204 <= MOST_IN_MESSAGE
    assert len(Gate([]).message(choices).split()) == 99
    again = Gate([], lends=True, is_asked_again=True)
    assert again.message(say("It is {}.", Choice("None", 3))) == NOT_TOLD
    assert again.message(say("{}", Choice("the only one", 1))) == "the only one"
    assert say("{}", Choice("", 3)) == NOTHING


@pytest.mark.parametrize("dtype", ["bool", "float16", "int64"])
def test_a_checker_tells_no_dtype_beside_a_reference(
    examiner: Examiner, checker: Examiner, dtype: str
) -> None:
    code = "import torch\ndef masked_softmax(scores, mask):\n"
    code += f"    return softmax(scores, -1).to(torch.{dtype})\n"
    said = re.compile(rf"Its dtype is {dtype}")
    assert said.search(told(examiner, "masked_softmax", code)[1])
    assert not re.search(r"dtype is \w", told(checker, "masked_softmax", code)[1])


@pytest.mark.parametrize(("took", "longest"), [(0.1, 0.21), (3.0, 6.1), (3600.0, 10.0)])
def test_what_is_held_back_is_held_back_for_ten_seconds_at_most(
    took: float, longest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    for _ in range(100):
        wait_at_random(time.monotonic() - took)
    assert 0 <= min(waits) < longest / 3 and longest / 3 < max(waits) <= longest
