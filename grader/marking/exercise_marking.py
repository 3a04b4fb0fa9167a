"""Marks one exercise so that an earlier one's mistake costs once; knows no kernel and no class.

With right earlier exercises in place of the learner's it passes: then it is right, and the mark
says which of the earlier ones have a mistake. Every surface marks by this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, TypeVar

from ..candidate.candidate import Candidate
from ..candidate.message import Message, Place, joined, known, say
from ..candidate.records import Mark, Verdict
from ..curriculum.references import reference_source, reference_sources
from ..curriculum.syllabus import Exercise, syllabus
from ..submission import REFERENCE, Slice, Submission, Unit, WholeRun
from ..submission.parts import defined_at, handed_in_apart
from ..submission.shortcuts import Shortcut, find
from ..wall.transport import WorkerDied
from ..wall.zygote_client import ZygoteDied
from .attempt import Attempt
from .gate import Gate
from .verdicts import fails_elsewhere, in_own_words, judge

if TYPE_CHECKING:
    from ..diagnosis.diagnose import PassesFirst


@dataclass
class CheckedAttempt:
    """An attempt, the candidate it was made with, and the way out for what it shows.

    `passes` is as `explained` takes it; `seed` is that of the diagnosis.
    """

    tried: Attempt
    candidate: Candidate
    gate: Gate
    seed: int
    passes: PassesFirst | None = None
    explains: bool = True  # somebody wants to know what is wrong
    searches: bool = True  # and waits for the line

    @property
    def was_cut_short(self) -> bool:
        """Time ran out."""
        ended = self.tried.ended
        return ended is not None and ended.kind == "timeout"

    def explained(self, mark: Mark) -> Mark:
        """The mark as it may be told, with its mistake, or where to look for it."""
        return self.gate.mark(self._explained(mark))

    def _explained(self, mark: Mark) -> Mark:
        """Asks the code while it is there; raises ZygoteDied, which is not the code's doing."""
        tried = self.tried
        if not self.explains or tried.ended or tried.unfinished or tried.unloaded:
            return mark
        try:
            # Which operators run is a matter of the mark; one that is refused has raised.
            self.candidate.trace &= bool(tried.problems)
            # What passes needs none of it, and in a kernel loading it is waited for.
            from ..diagnosis.diagnose import explained

            return explained(mark, self.candidate, self.seed, self.passes, self.searches)
        except WorkerDied:  # what it was asked ended it: the mark stands without
            return mark
        except ZygoteDied:
            raise
        except Exception:  # it worked while it was checked and does no more, or answers so oddly
            return mark  # that the mathematics trips over it


# A slice, or a run of the whole notebook.
Code = TypeVar("Code", Slice, WholeRun)
# Makes one attempt at it.
Trial = Callable[[Code], AbstractContextManager[CheckedAttempt]]
# An earlier exercise's own mark, where there is one.
MarkOf = Callable[[str], Mark | None]
_WHATEVER_THE_TIME = (Verdict.PARTIAL, Verdict.FAILED, Verdict.ERROR)  # others hang on it


@dataclass(frozen=True)
class Work(Generic[Code]):
    """The code of one exercise, with the learner's earlier exercises or with ours."""

    exercise: Exercise
    own: Code
    shortcuts: Sequence[Shortcut]
    earlier: tuple[str, ...]  # the learner's own in it, whose mistakes cost where they stand
    lending: Callable[[tuple[str, ...]], Code | None]  # with the reference's in place of these
    is_whole: bool = False  # it is run as its author ran it

    def judged(self, tried: Attempt) -> Mark:
        """The mark of one attempt."""
        return replace(judge(self.exercise, tried, self.shortcuts), is_whole=self.is_whole)


def slices_of(exercise: Exercise, submission: Submission, cut: Slice) -> Work[Slice]:
    """An exercise as its slice, with what its checks need beside it."""
    listed, name = syllabus(), exercise.name
    # Never a later exercise's reference: it may hold this one's own.
    lendable = listed.lendable(name)
    absent = reference_sources(each for each in cut.absent if each in lendable)
    if absent:
        cut = submission.slice(name, absent) or cut
    own = _with_companions(exercise, submission, cut)
    apart = {*handed_in_apart(own, submission)}.intersection(lendable)

    def lending(names: tuple[str, ...]) -> Slice | None:
        mended = submission.slice(name, {**absent, **reference_sources(names)})
        return None if mended is None else _with_companions(exercise, submission, mended)

    earlier = tuple(each for each in listed.needs(name) if each in apart)
    return Work(exercise, own, find(own, exercise.forbidden), earlier, lending)


def runs_of(exercise: Exercise, submission: Submission) -> Work[WholeRun] | None:
    """An exercise in a run of its whole notebook; None where there is none."""
    listed, name = syllabus(), exercise.name
    needs = [each for each in listed.needs(name) if each in listed.lendable(name)]
    absent = reference_sources(each for each in needs if submission.slice(each) is None)

    def lending(names: tuple[str, ...]) -> WholeRun | None:
        return submission.whole_run(name, {**absent, **reference_sources(names)}, names)

    own, cut = lending(()), submission.slice(name)
    if own is None:
        return None
    shortcuts = () if cut is None else find(cut, exercise.forbidden)
    earlier = tuple(each for each in needs if each in own.exercises and each not in absent)
    return Work(exercise, own, shortcuts, earlier, lending, is_whole=True)


def _with_companions(exercise: Exercise, submission: Submission, cut: Slice) -> Slice:
    """The slice with the exercises that its checks need beside it: the learner's, or ours."""
    for name in exercise.beside:
        other = submission.slice(name)
        if other is not None and other.absent:
            lent = reference_sources(set(syllabus().before(name)).intersection(other.absent))
            other = submission.slice(name, lent)
        if other is None or other.is_stub or not other.units:
            units: Sequence[Unit] = (Unit(reference_source(name), REFERENCE, 1),)
        else:
            units = other.units
            cut = replace(cut, written=(*other.written, *cut.written))
        cut = replace(cut, units=(*units, *cut.units))
    return cut


def mark_exercise(work: Work[Code], trial: Trial[Code], mark_of: MarkOf) -> Mark:
    """The mark of an exercise by its code."""
    with trial(work.own) as own:
        mark = work.judged(own.tried)
        if mark.verdict is Verdict.PASSED:
            return own.gate.mark(mark)
        return mark_with_right_parts(work, own, mark, trial, mark_of)


def mark_with_right_parts(
    work: Work[Code], own: CheckedAttempt, mark: Mark, trial: Trial[Code], mark_of: MarkOf
) -> Mark:
    """The mark of what does not pass by itself, tried with right earlier exercises too."""
    choices = tuple(_replaceable(work, mark_of))
    for names, narrower in zip_longest(choices, choices[1:]):
        mended = work.lending(names)
        if mended is None:
            continue
        with trial(mended) as beside:
            better = work.judged(beside.tried)
            if better.verdict is Verdict.PASSED:
                found = _culprits(names, partial(_passes, work, trial))
                return beside.gate.mark(replace(better, carried=found))
            if work.is_whole or (narrower is not None and _passes(work, trial, narrower)):
                continue
            if not fails_elsewhere(beside.tried, own.tried):
                kept = beside.tried
                if not own.gate.lends:  # one budget for a mark
                    kept = in_own_words(kept, own.tried, beside.gate, own.gate)
                return beside.explained(work.judged(kept))
    return own.explained(mark)  # what is lent does not fit this code


def _replaceable(work: Work[Code], mark_of: MarkOf) -> Iterator[tuple[str, ...]]:
    """All earlier exercises; where ours do not fit this code, those alone that are not right."""
    if work.earlier:
        yield work.earlier
    if not work.is_whole:
        marks = ((name, mark_of(name)) for name in work.earlier)
        wrong = [name for name, mark in marks if mark and mark.verdict is not Verdict.PASSED]
        if 0 < len(wrong) < len(work.earlier):
            yield tuple(wrong)


def _passes(work: Work[Code], trial: Trial[Code], names: tuple[str, ...]) -> bool:
    """Whether it passes with right ones in place of these."""
    code = work.lending(names)
    if code is None:
        return False
    with trial(code) as tried:
        return work.judged(tried.tried).verdict is Verdict.PASSED


def _culprits(earlier: Sequence[str], passes: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """The earlier exercises that keep it from passing; with right ones in place of these it does.

    It passes with all of them replaced, and does not with none. Of a mistake and of what stands on
    it, the mistake is found: nothing of what comes before it in the course makes the difference.
    """
    found: tuple[str, ...] = ()
    left = tuple(earlier)
    while left and not (found and passes(found)):
        low, high = 0, len(left)  # with the first `high` replaced it passes, with `low` it does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if passes((*left[:middle], *found)) else (middle, high)
        found = (left[high - 1], *found)
        left = left[: high - 1]
    return found


def told(mark: Mark, submission: Submission, mark_of: MarkOf) -> Mark:
    """The mark with what is known of the earlier exercises whose mistakes it does not count."""
    if not mark.carried:
        return mark
    marks = {name: mark_of(name) for name in mark.carried}
    waiting = [name for name, of in marks.items() if of and of.verdict is Verdict.NOT_STARTED]
    said = [_known_of(name, submission, marks[name]) for name in marks if name not in waiting]
    if waiting:
        listed = joined(", ", [known(each) for each in waiting])
        said.append(say("Lent until it is written: {}.", listed))
    return replace(mark, message=joined(" ", said))


def _known_of(name: str, submission: Submission, mark: Mark | None) -> Message:
    """What is known of an earlier exercise with a mistake, and no more."""
    cut = submission.slice(name)
    unit = None if cut is None else defined_at(cut)
    place = known("") if unit is None else say(" ({})", Place(unit.label, unit.line))
    yours = say("Your {}{}", known(name), place)
    if mark is not None and mark.diagnosis:
        text = mark.diagnosis[0].explanation
        like = text if isinstance(text, Message) else known(text)
        differs = "Until it is right, what is computed with it differs."
        return say("{} behaves like this: {} {}", yours, like, known(differs))
    if mark is not None and mark.verdict in _WHATEVER_THE_TIME:
        return say("{} does not pass its own checks: {}.", yours, known(str(mark.verdict)))
    return say("{} is the one that was called.", yours)
