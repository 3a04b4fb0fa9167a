"""Answers of the checker are no table: what they tell decides nothing, here or in a later run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.candidate.candidate import Candidate
from grader.candidate.records import mark_to_json
from grader.candidate.seeds import generator_for
from grader.cohort import fresh_seed
from grader.course.misconceptions.spot_variants import drawn
from grader.course.misconceptions.spots import SPOTS
from grader.curriculum.references import reference_submission
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.spotting import Spot, implementation
from grader.marking.check_session import CheckRun
from grader.marking.examiner import Examiner
from grader.submission import Cell
from grader.wall.zygote_client import Zygote
from tests.candidates import Here, checks, failed, loaded
from tests.submitted import submission
from tests.test_spots_unseen import spot_answers

# What is asked of it is kept, and answered by what was learnt before; else by nothing true.
TABLES = {
    "split_words": ("text", "['?']"),
    "wordpiece_tokenize": ("word, vocab, unk_token='[UNK]', max_chars=100", "['?']"),
    "encode": ("first, second, vocab, max_length=512", "{'input_ids': ['?']}"),
    "pad_batch": ("sequences, pad_id", "(None, None)"),
}
SECRET = 77123


def _checked(exercise: str, code: str, seed: int) -> tuple[CheckRun, ...]:
    return checks().run(exercise, loaded(exercise, code), seed)


def _earns(runs: tuple[CheckRun, ...]) -> bool:
    return all(run.result.outcome == "passed" for run in runs if run.essential)


@pytest.mark.parametrize("exercise", TABLES)
def test_what_is_told_is_no_case_that_decides(exercise: str) -> None:
    """Whoever knows every example by heart, with the right answer, fails all the same."""
    parameters, otherwise = TABLES[exercise]
    names = ", ".join(each.partition("=")[0].strip() for each in parameters.split(","))
    code = f"""
from solutions.tokenization import {exercise} as right
told = iter(range(TURN))
def {exercise}({parameters}):
    return right({names}) if next(told, None) is not None else {otherwise}
"""
    for known in (0, 4, 7):
        runs = _checked(exercise, code.replace("TURN", str(known)), 5)
        assert not _earns(runs)


@pytest.mark.parametrize("exercise", TABLES)
def test_other_seeds_try_other_things(exercise: str) -> None:
    asked: list[set[str]] = []
    for seed in (1, 2):
        candidate = loaded(exercise, f"from solutions.tokenization import {exercise}")
        sent: set[str] = set()
        ask = candidate.request

        def request(op: str, ask: Any = ask, sent: set[str] = sent, **payload: Any) -> Any:
            sent.add(repr((payload.get("args"), payload.get("kwargs"))))
            return ask(op, **payload)

        candidate.request = request  # type: ignore[method-assign]
        assert all(
            run.result.outcome == "passed" for run in checks().run(exercise, candidate, seed)
        )
        asked.append(sent)
    assert len(asked[0] & asked[1]) <= 4  # a text of one sign, or of none, may come again


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
@pytest.mark.parametrize(
    "answer",
    [
        f"__import__('torch').zeros({SECRET}, 0)",
        f"[0] * {SECRET}",
        f"'{SECRET}'",
        str(SECRET),
        f"int('x{SECRET}')",
        f"exit({SECRET})",
    ],
)
def test_nothing_that_a_judge_chooses_is_told(spot: Spot, answer: str) -> None:
    runs = _checked(spot.exercise, f"def {spot.exercise}(candidate):\n    return {answer}\n", 3)
    assert not _earns(runs)
    assert str(SECRET) not in " ".join(run.result.message for run in runs)


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_every_mistake_is_there_in_two_ways_and_right_ones_are_all_there(spot: Spot) -> None:
    one, other = (drawn(spot, generator_for(seed, spot.exercise)) for seed in (1, 2))
    assert len(one.right) == len(spot.right)
    assert [each.mistake for each in one.wrong[::2]] == [each.mistake for each in spot.wrong]
    assert [each.mistake for each in one.wrong[1::2]] == [each.mistake for each in spot.wrong]
    assert len({implementation(one, number) for number in range(len(one.right))}) == len(one.right)
    assert one.wrong[1].function is not other.wrong[1].function


WITHOUT_KNOWLEDGE = """
import hashlib
from collections import Counter
from tests.test_no_oracle import answers_in_turn
heard = Counter()

def {exercise}(candidate):
    said = answers_in_turn(candidate, "{exercise}", heard.total())
    heard[said] += 1
    return {judgement}
"""
GIVEN: dict[tuple[str, int], str] = {}
MOST_SAY_SO = "heard[said] == max(heard.values())"
FOUR = "int(hashlib.md5({}.encode()).hexdigest(), 16) % 4"


def answers_in_turn(candidate: Any, exercise: str, turn: int) -> str:
    """What it gives for all inputs, found out once: a seed asks all judges about the same."""
    if (exercise, turn) not in GIVEN:
        GIVEN[exercise, turn] = spot_answers(candidate, exercise)
    return GIVEN[exercise, turn]


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
@pytest.mark.parametrize("judgement", [MOST_SAY_SO, f"{MOST_SAY_SO} > 1"])
def test_to_compare_implementations_with_each_other_earns_nothing(
    spot: Spot, judgement: str
) -> None:
    """Not even where one process hears all that the others were asked about before."""
    code = WITHOUT_KNOWLEDGE.format(exercise=spot.exercise, judgement=judgement)
    assert not _earns(_checked(spot.exercise, code, 3))


def test_two_bits_of_what_is_right_hardly_ever_earn_anything() -> None:
    earned = []
    for spot in SPOTS:
        told = repr(spot_answers(implementation(spot, 0), spot.exercise))
        judgement = f"{FOUR.format('said')} == {FOUR.format(told)}"
        code = WITHOUT_KNOWLEDGE.format(exercise=spot.exercise, judgement=judgement)
        earned.append(_earns(_checked(spot.exercise, code, 3)))
    assert sum(earned) <= 1


@pytest.mark.isolation
def test_a_checker_draws_for_what_is_handed_in(zygote: Zygote) -> None:
    def cells(code: str) -> tuple[Cell, ...]:
        return (Cell(code, "a.py", "a.py", 0),)

    with Examiner(seed=4, draws_by_code=True, source=zygote.clone()) as examiner:
        seeds = [
            examiner.checks_seed("encode", cells(code)) for code in ("a = 1", "a = 2", "a = 1")
        ]
        assert seeds[0] == seeds[2] != seeds[1]
        assert examiner.checks_seed("LayerNorm", cells("a = 1")) == 4
        code = "def split_words(text):\n    return text.lower().split()\n"
        sent = submission(code, exercises=frozenset(syllabus().names))
        marks = [examiner.mark(sent, ["split_words"]).marks[0] for _ in "ab"]
    told = [json.dumps(mark_to_json(mark)) for mark in marks]
    assert told[0] == told[1]
    assert "expected" in told[0]


SEED = 7_130_592_846_177


class Heard(Here):
    """A transport that looks at what a worker is told."""

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        assert str(SEED) not in str(payload), payload
        return super().request(op, payload)


@pytest.mark.parametrize("exercise", ["mask_tokens", "sample", "train_step", "greedy_decode"])
def test_no_worker_is_told_the_seed(exercise: str) -> None:
    """Whoever knows it knows all inputs of a later run."""
    candidate = Candidate(exercise, Heard(), harness=checks().harness(exercise))
    own = reference_submission().slice(exercise)
    assert own is not None
    units = [{"code": each.code, "label": "a", "line": 1} for each in own.units]
    candidate.request("load", exercise=exercise, units=units, harness=candidate.harness)
    assert failed(exercise, candidate, SEED) == []


def test_no_seed_is_found_by_trying_all() -> None:
    assert max(fresh_seed() for _ in range(9)) > 2**56
