"""Every sentence of a contract is asked for or left open, and every check asks for one."""

from __future__ import annotations

import fnmatch

import pytest

from grader.curriculum.syllabus import syllabus
from tests.candidates import checks
from tests.promises import contract, promises, sentences, written


def test_every_exercise_has_a_file() -> None:
    assert set(written()) == set(syllabus().names)


@pytest.mark.parametrize("exercise", written())
def test_every_sentence_stands_in_the_table(exercise: str) -> None:
    assert {each.sentence for each in promises(exercise)} == set(contract(exercise))


@pytest.mark.parametrize("exercise", written())
def test_a_sentence_is_asked_for_or_left_open(exercise: str) -> None:
    forbidden = set(syllabus()[exercise].forbidden)
    for each in promises(exercise):
        assert each.open != bool(each.checks or each.shortcuts), each.sentence
        assert forbidden.issuperset(each.shortcuts), each.sentence


@pytest.mark.parametrize("exercise", written())
def test_every_check_asks_for_a_promise(exercise: str) -> None:
    names = checks().names(exercise)
    patterns = {pattern for each in promises(exercise) for pattern in each.checks}
    found = {pattern: fnmatch.filter(names, pattern) for pattern in patterns}
    assert [pattern for pattern in found if not found[pattern]] == []
    assert set().union(*found.values()) == set(names)


def test_a_docstring_is_read_sentence_by_sentence() -> None:
    text = """Cut it, and say why? Exactly: 1/√2, not 0.7.

It stays
as it is. p is a share!

x:       [batch, seq]; not
         changed. Never
returns: a tensor

Source: Somebody et al. 2017.
"""
    assert list(sentences(text)) == [
        "Cut it, and say why?",
        "Exactly: 1/√2, not 0.7.",
        "It stays as it is.",
        "p is a share!",
        "x: [batch, seq]; not changed. Never",
        "returns: a tensor",
    ]
