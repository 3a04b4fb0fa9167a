"""Several mistakes are found one after the other, each of them needed, and never too many asked."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.diagnosis.one_by_one import MOST_MISTAKES, Hunt, Turns, WrongTurn, one_by_one

NAMES = "abcdefghij"
INPUTS = st.lists(st.frozensets(st.sampled_from(NAMES)), min_size=1, max_size=6)
MISTAKES = st.frozensets(st.sampled_from(NAMES), min_size=1, max_size=MOST_MISTAKES)


def hunt(inputs: list[frozenset[str]], made: frozenset[str], most: int = 3000) -> Hunt:
    """Each input shows some of the mistakes; an error counts those that are otherwise."""

    def error(on: Turns, case: int) -> float:
        return float(len((on ^ made) & inputs[case]))

    def fits(on: Turns) -> bool:
        return on == made

    turns = [WrongTurn(name, frozenset({name})) for name in NAMES]
    return Hunt(turns, len(inputs), error, fits, most)


@given(MISTAKES, INPUTS)
@settings(max_examples=60)
def test_what_shows_somewhere_is_found(made: frozenset[str], inputs: list[frozenset[str]]) -> None:
    apart = [seen - made | {name} for name, seen in zip(sorted(made), inputs * 4, strict=False)]
    assert frozenset(one_by_one(hunt(apart, made))) == made


@given(MISTAKES, INPUTS)
@settings(max_examples=60)
def test_nothing_is_named_that_does_not_fit(
    made: frozenset[str], inputs: list[frozenset[str]]
) -> None:
    assert frozenset(one_by_one(hunt(inputs, made))) in (made, frozenset())


def test_one_of_the_starts_is_named() -> None:
    both = hunt([frozenset("a"), frozenset("b")], frozenset("ab"))
    assert set(one_by_one(both, [WrongTurn("b", frozenset("b"))])) == {"a", "b"}
    assert one_by_one(both, [WrongTurn("c", frozenset("c"))]) == ()


def test_the_search_ends_where_nothing_fits() -> None:
    asked = []

    def error(on: Turns, case: int) -> float:
        asked.append(on)
        return 1.0 / (1 + len(on)) if on else math.inf

    turns = [WrongTurn(str(name), frozenset({str(name)})) for name in range(50)]
    assert one_by_one(Hunt(turns, 3, error, bool, 500)) == ()
    assert len(asked) < 1000
