"""Finds the line of which one small change leaves a known mistake alone; feedback, never a mark.

For code with two mistakes, of which one has a name. A name is tried only where what it stands for
is nearer to right, and the code shows it as it is: it answers as that mistake does nearly wherever
that is wrong; or nowhere, and is wrong there and elsewhere too. A change that takes away what was
meant well would else leave a mistake that nobody made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import Candidate
from ...curriculum.syllabus import judges_others
from ..function_answers import FunctionAnswers, Questions, answers_of
from ..function_diagnosis import behaves_like
from ..misconceptions.catalogue import Misconception
from ..misconceptions.registry import function_subject
from ..misconceptions.wrong_turns import Turns
from ..patterns import close
from ..probed import Seen
from ..sameness import distance
from .repair_search import Repair, repair_towards

_MOST_NAMES, _MOST_CHANGES = 6, 400
_MOST_THROUGH_HARNESS = 100  # changes: each calls the code many times
# Another comparison, name or function may make another mistake of what was one.
_KINDS = ("number", "superfluous")


def left_over(candidate: Candidate, seed: int) -> tuple[Repair, Misconception] | None:
    """The change, and what the code behaves like with it; None where there is no such thing."""
    subject = function_subject(candidate.exercise)
    if subject is None or judges_others(candidate.exercise):
        return None  # another word at a judge's end makes one that says the same of all
    answers = answers_of(subject, candidate, seed)
    if isinstance(answers.questions.right(0).value, list):
        return None  # pieces and ids may come out alike by chance
    most = _MOST_CHANGES if subject.entry is None else _MOST_THROUGH_HARNESS
    for name, on in islice(_shown(answers), _MOST_NAMES):
        fits = partial(behaves_like, subject, candidate, seed, on)
        change = repair_towards(candidate, seed, on, fits, _KINDS, most)
        if change is not None:
            return change, name
    return None


def _shown(answers: FunctionAnswers) -> Iterator[tuple[Misconception, Turns]]:
    """The known mistakes that the code shows as it is, those first that explain the most."""
    known = answers.questions
    numbers = range(len(known.probes))
    mine = [answers.value(index) for index in numbers]
    wrong = [_wrong(known, index, each) for index, each in enumerate(mine)]
    off = partial(_off, known)
    before = sum(map(off, numbers, mine))
    found: list[tuple[int, int, Misconception, Turns]] = []
    for one in known.subject.misconceptions:
        for on in (frozenset({way}) for way in (one.id, *one.ways) if one.error is None):
            theirs = [known.play(on, index, with_gradient=False) for index in numbers]
            if sum(map(off, numbers, theirs)) >= before:
                continue
            left = [_wrong(known, index, each) for index, each in enumerate(theirs)]
            shows = [index for index in numbers if bool(left[index].any())]
            alike = sum(known.same_value(mine[each], theirs[each], each) for each in shows)
            less = all(bool((a <= b).all()) for a, b in zip(left, wrong, strict=True))
            size = sum(int(each.sum()) for each in left)
            hides = not alike and less and size < sum(int(each.sum()) for each in wrong)
            # What is nan stays nan, whatever is added to it: another mistake hides none.
            hides = hides and all(_is_finite(theirs[each]) for each in shows)
            if 2 * alike > len(shows) or (shows and hides):
                found.append((-alike, -size, one, on))
    return ((one, on) for *_, one, on in sorted(found, key=lambda row: row[:2]))


def _off(known: Questions, index: int, seen: Seen) -> float:
    """How far an answer to a probe is from what is right; 1 where that cannot be said."""
    right = known.right(index)
    if seen.error or right.error:
        return float(bool(seen.error) != bool(right.error))
    if known.same_value(seen, right, index):
        return 0.0
    return min(distance(seen.value, right.value), 1.0)


def _is_finite(seen: Seen) -> bool:
    value: Any = seen.value
    return not isinstance(value, Tensor) or bool(value.isfinite().all())


def _wrong(known: Questions, index: int, seen: Seen) -> Tensor:
    """Which numbers of an answer to a probe are wrong; of what is no tensor, the whole."""
    right: Any = known.right(index)
    if seen.error or right.error:
        return torch.tensor(bool(seen.error) != bool(right.error))
    got, expected = seen.value, right.value
    if not isinstance(expected, Tensor) or not expected.numel():
        return torch.tensor(not known.same_value(seen, right, index))
    if not isinstance(got, Tensor) or got.shape != expected.shape:
        return torch.ones(expected.shape, dtype=torch.bool)
    return ~close(got, expected, known.subject.tolerance, known.scales[index])
