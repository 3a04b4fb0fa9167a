"""Where a wrong function departs from right ones, on the inputs that tell it from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.seeds import generator_for
from ...course.references import reference
from ...course.syllabus import judges_others, syllabus
from ..misconceptions.function_subject import FunctionSubject, Probe, as_it_is
from ..misconceptions.registry import entry_point, function_subject
from ..misconceptions.switches import NONE
from ..probed import Seen, asked, played
from ..sameness import same_value, size_of
from .binding import Sequences, bound, sequences
from .chance import by_chance
from .departed import Departed, Point, returns
from .exceptions import Raised, are_different, raised, sizes_of
from .judges import judge_recordings
from .kinds import wrong_kind
from .known import Known
from .recording import Recording, harnessed, play, record
from .tracing import Bound, Tracing

_MOST_WRONG, _MOST_RIGHT = 3, 5  # inputs on which it is wrong, and on which it is right
_MOST_TRIED = 12
_MOST_EVENTS = 1_000
_USUAL = 3  # inputs that show that what is unknown need not be wrong: one may hide all mistakes


@dataclass(frozen=True)
class Case:
    """One input, and what right code does with it."""

    probe: Probe
    known: Known
    right: Sequence[Any]  # what the calls give
    recording: Recording | None = None  # where the lines of right code are to be seen
    number: int = 0

    def tracing(
        self, mine: Recording, usual: Set[Point] = frozenset(), bound: Bound | None = None
    ) -> Tracing:
        """The comparison of a learner's recording with this case, not yet run."""
        return Tracing(mine, self.known, self.right, usual, bound, size_of(self.probe))

    @cached_property
    def sequences(self) -> Sequences:
        """The series that names take on in right code."""
        return {} if self.recording is None else sequences(self.recording)


@dataclass(frozen=True)
class Tried:
    """What a comparison of one case with the learner's lines showed."""

    case: Case
    mine: Recording
    is_right: bool
    healed: Set[Point]  # unknown there, and what was made of them at once is right
    sure: Set[Point]  # known there
    blurred: Set[Point]  # unknown there, and what is made of them tells little of them

    @classmethod
    def of(cls, case: Case, mine: Recording) -> Tried:
        """Compare the two."""
        tracing = case.tracing(mine)
        tracing.run()
        is_right = tracing.is_right
        healed = tracing.healed - tracing.spread if is_right else frozenset()
        return cls(case, mine, is_right, healed, tracing.sure, tracing.blurred)


def function_departures(candidate: Candidate, seed: int) -> Sequence[Departed | None]:
    """Where it departs on each input on which it does; of few inputs."""
    if judges_others(candidate.exercise) or not _can_be_followed(candidate.exercise):
        return []
    cases = _cases(candidate.exercise, seed, candidate.harness)
    tried = _tried(candidate, cases)
    wrong = [one for one in tried if not one.is_right]
    others = [wrong_kind(one.mine, one.case.right, one.case.known) for one in wrong]
    if any(others):
        return others
    first = wrong[0] if wrong else None
    if first and (one := by_chance(candidate, _target(candidate), first.case.probe, first.mine)):
        return [one]
    return compared(tried)


def function_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises on an input on which right code does not, and the sizes there."""
    right = reference(candidate.exercise)
    probes = probes_of(candidate.exercise, seed)
    sizes = [sizes_of(right, probe.args, probe.kwargs) for probe in probes]
    # Plain inputs stand first, and before them those whose sizes tell their axes.
    for number in sorted(range(len(probes)), key=lambda each: not are_different(sizes[each])):
        candidate.stay_in_time()
        probe = probes[number]
        if not _raises(candidate, probe) or right_answer(candidate.exercise, seed, number).error:
            continue
        mine = called(candidate, probe)
        found = None if mine is None else raised(mine)
        if found is not None:
            return found, sizes[number]
    return None


@lru_cache(maxsize=64)  # those of all exercises: a class is marked with one seed
def probes_of(exercise: str, seed: int) -> tuple[Probe, ...]:
    """The inputs of an exercise's diagnosis."""
    subject = function_subject(exercise)
    assert subject is not None
    return subject.probes(generator_for(seed, exercise, "diagnosis"))


@lru_cache(maxsize=1_000)
def right_answer(exercise: str, seed: int, number: int) -> Seen:
    """What right code gives on one of them."""
    subject = function_subject(exercise)
    assert subject is not None
    return played(subject, probes_of(exercise, seed)[number], None, NONE)


def _raises(candidate: Candidate, probe: Probe) -> bool:
    """Asked without a recording, which takes ten times as long."""

    def tried() -> bool:
        try:
            candidate.call(_target(candidate), probe.args, dict(probe.kwargs), {})
        except CandidateError:
            return True
        return False

    return candidate.once("raises", tried, probe)


def function_recordings(candidate: Candidate, seed: int) -> list[Recording]:
    """What its lines do on a few inputs on which it gives anything but what right code gives."""
    if judges_others(candidate.exercise):
        return judge_recordings(candidate)
    wrong = islice(wrong_probes(candidate, seed), _MOST_WRONG)
    probes = probes_of(candidate.exercise, seed)
    found = (called(candidate, probes[number]) for number in wrong)
    return [each for each in found if each is not None]


def wrong_probes(candidate: Candidate, seed: int) -> Iterator[int]:
    """The numbers of inputs on which its value is another than that of right code."""
    subject = function_subject(candidate.exercise)
    assert subject is not None
    for number, probe in enumerate(probes_of(candidate.exercise, seed)):
        candidate.stay_in_time()
        right = right_answer(candidate.exercise, seed, number)
        if not is_same(subject, probe, asked(subject, candidate, probe, None), right):
            yield number


def is_same(subject: FunctionSubject, probe: Probe, one: Seen, right: Seen) -> bool:
    """Whether two answers to a probe are equal up to rounding, or both raised."""
    if one.error or right.error:
        return bool(one.error) == bool(right.error)
    values_agree = same_value(one.value, right.value, subject.tolerance, size_of(probe))
    return values_agree and set(one.changed) == set(right.changed)


def compared(tried: Sequence[Tried]) -> list[Departed | None]:
    """Where those that are wrong depart, by what those that are right show of its lines.

    None stands for one of which nothing can be said.
    """
    healed = Counter(point for one in tried for point in one.healed)
    sure = {point for one in tried if one.is_right for point in one.sure}
    usual = {point for point, count in healed.items() if count >= _USUAL} - sure
    points = bound(
        [sequences(one.mine) for one in tried],
        [one.case.sequences for one in tried],
        [one.is_right for one in tried],
    )
    pairs = zip(tried, points, strict=True)
    found = [o.case.tracing(o.mine, usual, here).run() for o, here in pairs if not o.is_right]
    blurred = {point for one in tried for point in one.blurred}
    # What it makes where it is right shows what is its style; without that, only tensors tell.
    is_style_known = any(one.is_right for one in tried)

    def is_telling(each: Departed) -> bool:
        return is_style_known or each.why == "turn" or each.makes_tensors or each.is_sure

    return [
        each if each is not None and not each.points & blurred and is_telling(each) else None
        for each in found
    ]


def _tried(candidate: Candidate, cases: Sequence[Case]) -> list[Tried]:
    """The candidate on the simplest inputs on which it is right, and on which it is wrong."""
    tried: list[Tried] = []
    for number, case in enumerate(cases):
        right = sum(one.is_right for one in tried)
        wrong = len(tried) - right
        if wrong >= _MOST_WRONG and (right >= _MOST_RIGHT or number >= _MOST_TRIED):
            break
        one = _tried_on(candidate, case)
        if one is not None and (right < _MOST_RIGHT if one.is_right else wrong < _MOST_WRONG):
            tried.append(one)
    return tried


def called(candidate: Candidate, probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    target = _target(candidate)
    return candidate.once(
        "recorded", lambda: record(candidate, target, probe.args, probe.kwargs), probe
    )


def _target(candidate: Candidate) -> dict[str, str]:
    return {"name": entry_point(candidate.exercise) or candidate.exercise}


def _tried_on(candidate: Candidate, case: Case) -> Tried | None:
    """What comes of a case; found out once."""

    def tried() -> Tried | None:
        candidate.stay_in_time()
        mine = called(candidate, case.probe)
        return None if mine is None else Tried.of(case, mine)

    return candidate.once("tried", tried, case)


@lru_cache(maxsize=64)  # those of all exercises: a class is marked with one seed
def _cases(exercise: str, seed: int, harness: str) -> list[Case]:
    """The inputs, those of middle length first, with what right code does."""
    subject = function_subject(exercise)
    assert subject is not None
    right = _right(exercise, harness)
    found = []
    probes = subject.probes(generator_for(seed, exercise, "diagnosis"))
    for number, probe in enumerate(probes):
        known = Known()
        try:
            played = play(known, exercise, right, probe.args, probe.kwargs)
        except Exception:  # an input that is there to be refused
            continue
        if subject.entry is None:  # the same formula, written in another way
            with suppress(Exception):
                play(known, exercise, subject.run, probe.args, probe.kwargs)
        if len(played.events) <= _MOST_EVENTS:
            found.append(Case(probe, known, returns(played), played, number))
    found.sort(key=_length)
    middle = len(found) // 2  # simple ones hide much, long ones take long
    return [*found[middle:], *reversed(found[:middle])]


def _can_be_followed(exercise: str) -> bool:
    """Whether right code makes the same of the same input; else no value can be looked for.

    It need not where chance decides.
    """
    subject = function_subject(exercise)
    return subject is not None and subject.view is as_it_is


def _length(case: Case) -> int:
    return 0 if case.recording is None else len(case.recording.events)


def _right(exercise: str, harness: str) -> Callable[..., Any]:
    entry = entry_point(exercise)
    if entry is None:
        found: Callable[..., Any] = reference(exercise)
        return found
    names = {name: reference(name) for name in (exercise, *syllabus()[exercise].beside)}
    return harnessed(harness, entry, names)
