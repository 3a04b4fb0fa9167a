"""Looks for a reading of a candidate's parameters under which the reference gives its answers.

One exists: the candidate is right, however it is written. One exists with an edited reference:
that edit is the mistake. It must not know what a check says about either.
"""

import itertools
from collections.abc import Iterator
from functools import partial
from itertools import islice

import torch

from ...candidate.failures import Problem
from ..misconceptions.wrong_turns import NONE, Turns
from .edited_reference import IMPOSSIBLE
from .evidence import Evidence
from .module_subject import Numbers
from .parameter_reading import Reading

_ORDERED = 4  # readings of another form that are asked about a single token
READINGS = 40  # bounds are counts, never seconds: the same code gets the same mark on any machine


class Readings:
    """Readings that several ask for, made as far as asked for, and once."""

    def __init__(self, made: Iterator[Reading]) -> None:
        self._made = made
        self._known: list[Reading] = []

    def __iter__(self) -> Iterator[Reading]:
        for index in itertools.count():
            if index == len(self._known):
                self._known += islice(self._made, 1)
            if index == len(self._known):
                return
            yield self._known[index]


def interpret(evidence: Evidence, on: Turns = NONE, most: int = READINGS) -> Reading | None:
    """The first reading under which the reference, with these wrong turns, gives every answer.

    One whose gradients agree is taken before others. Up to `most` are tried.
    """
    found = found_in(evidence)
    if (on, most) not in found:
        found[on, most] = _interpret(evidence, on, most)
    return found[on, most]


def found_in(evidence: Evidence) -> dict[tuple[Turns, int], Reading | None]:
    """What was found so far, by wrong turns and by how many readings were tried."""
    return evidence.once("found", dict)


def _interpret(evidence: Evidence, on: Turns, most: int) -> Reading | None:
    evidence.module.stay_in_time()
    raised = [probe for probe, answer in evidence.pairs if isinstance(answer.outcome, Problem)]
    answered = [answer for answer in evidence.answers if answer.value is not None]
    if not answered or len(answered) + len(raised) < len(evidence.probes):
        return None
    fallback: Reading | None = None
    # What the plain formula gets wrong turns down the most, so that comes first.
    first = first_wrong(evidence)
    cases = sorted(range(len(evidence.cases)), key=lambda case: case != first)
    for reading in islice(readings_of(evidence, on), most):
        evidence.module.stay_in_time()
        if not all(reading.raises(on, probe) for probe in raised):
            break  # shapes are the same under every reading
        if not all(reading.fits(on, case) for case in cases):
            continue
        try:
            if not (reading.fits_telling_numbers(on) and reading.places.are_apart):
                continue  # what one number decides twice is another function
        except IMPOSSIBLE:
            continue
        if reading.gradients_agree(on):
            return reading
        fallback = fallback or reading
    return fallback


def first_wrong(evidence: Evidence) -> int | None:
    """The first case with another answer than the reference's; None where all are right."""
    reading, cases = likeliest(evidence, NONE), range(len(evidence.cases))
    return next((i for i in cases if reading is None or not reading.fits(NONE, i)), None)


def likeliest(evidence: Evidence, on: Turns) -> Reading | None:
    """The likeliest reading under these wrong turns, if there is one."""
    return next(iter(readings_of(evidence, on)), None)


def readings_of(evidence: Evidence, on: Turns) -> Readings:
    """The readings of the candidate's parameters under these wrong turns, likely ones first.

    They are kept from try to try, and are the same for all that have parameters of the same form.
    """

    def made() -> Readings:
        form = "readings of the form", evidence.subject.form(on)
        return evidence.once(form, lambda: Readings(_in_order(evidence, on)))

    return evidence.once(on, made)


def _in_order(evidence: Evidence, on: Turns) -> Iterator[Reading]:
    """Of the form of right code, as a single token tells; of another, first those that fit it."""
    read = map(partial(Reading, evidence), islice(_layouts(evidence, on), READINGS))
    if evidence.subject.form(on) == evidence.subject.form(NONE):
        yield from _told_apart(evidence, read)
        return
    few = list(islice(read, _ORDERED))
    if evidence.single is not None:
        few.sort(key=lambda reading: not reading.fits(on, 0))
    yield from few
    yield from read


def _told_apart(evidence: Evidence, read: Iterator[Reading]) -> Iterator[Reading]:
    """Those that are right for a `single` token and for more; else for the one alone; else all.

    A single token attends to itself alone, which settles all but queries and keys at once, also for
    code whose scale, mask or softmax is wrong.
    """
    right, unfit, is_told = [], [], False
    for reading in read:
        if evidence.single is None or not reading.fits(NONE, 0):
            unfit.append(reading)
        elif len(evidence.cases) > 1 and reading.fits(NONE, 1):
            is_told = True
            yield reading
        else:
            right.append(reading)
    if not is_told:
        left = right or unfit
        if evidence.single is not None:
            _find_twins(left)
        yield from left


def _find_twins(many: list[Reading]) -> None:
    """Find readings that differ in queries and keys alone, which a single token hides."""
    told = [(reading, reading.expected(NONE, 0)) for reading in many]
    known = [(reading, answer) for reading, answer in told if answer is not None]
    for reading, own in known:
        twins = (other for other, answer in known if torch.equal(own, answer))
        reading.twin = next(twins, reading)


def _layouts(evidence: Evidence, on: Turns) -> Iterator[Numbers]:
    """Of what inputs meet; where that is no whole module, as one used twice, of what is held."""
    subject = evidence.subject
    try:
        first = next(found := subject.readings(evidence.parts, on), None)
        if first is not None:
            yield first
            yield from found
        else:
            yield from subject.readings(evidence.held, on, whole=True)
    except ValueError:  # no program takes all of these wrong turns
        return
