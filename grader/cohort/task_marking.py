"""Marks tasks one after the other as far as the gradebook lacks them; touches no gradebook."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from ..candidate.records import Mark, SubmissionMarks, Verdict, mark_from_json
from ..curriculum.given import with_given
from ..curriculum.syllabus import syllabus
from ..gradebook.entries import Entry, Piece, Recorded
from ..submission import Submission, Unit, load_submission, own_code
from ..submission.bounded import Reader, why_unreadable
from ..submission.shortcuts import find
from ..submission.showing import Showing
from .keys import CanonicalKey, Keys, content_of, keys_of, used_by
from .known_marks import Copies
from .messages import REFUSALS, NoIsolation, Setup, Task, TaskResult

if TYPE_CHECKING:
    from ..marking.examiner import Examiner
    from ..wall.start import Source

_NEW_OBJECTS = 20_000  # between collections
_AROUND = 12  # lines shown above and below one that Python cannot read
_TRIES = 2  # of an examiner: what happens twice is no accident


def nothing(*_: object) -> None:
    """What is to be done where there are no others, and where nobody looks."""


class TaskMarker:
    """Marks tasks one after the other; a context manager that ends its examiner.

    The examiner, and PyTorch with it, is started when there is something to mark.
    """

    def __init__(self, setup: Setup, examiners: int, ready: Callable[[], None]) -> None:
        """`examiners` will use its zygote; `ready` is called when its own has started."""
        self._setup = setup
        self._examiners = examiners
        self._ready = ready
        self._examiner: Examiner | None = None
        self._copies = Copies()
        self._stack = ExitStack()
        self._readers = [Reader(self._look_through) for _ in range(examiners)]
        self._reader = self._readers[0]

    def __enter__(self) -> TaskMarker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._reader.close()

    def answer(self, task: Task) -> TaskResult:
        """The marks of one submission, as far as the gradebook does not hold them already."""
        began = time.monotonic()
        found = self._answer(task)
        return replace(found, seconds=time.monotonic() - began) if found.new else found

    def _answer(self, task: Task) -> TaskResult:
        settings, known, began = self._setup.settings, task.known, time.process_time()
        submission = _read(task, self._reader.why_unreadable(json.dumps(asdict(task))))
        content = content_of(submission)
        if known and (known.content, known.settings) == (content, settings):
            return TaskResult(task.learner)
        # A mark that is there already is told at once: who asks would learn what others have asked.
        whose = f"{settings} of {task.learner}" if self._setup.draws_by_code else settings
        keys = keys_of(submission, whose, task.exercises)
        held = known.keys if known else {}
        kept = {
            name: key.answer
            for name, (code, by) in held.items()
            if by == settings and (key := keys.held_by(name, code))
        }
        changed = [name for name in keys.slices if name not in kept]
        marks, whole = self._known(keys, changed)
        incomplete: frozenset[str] = frozenset()
        fresh: list[tuple[CanonicalKey, Mark]] = []
        if left := [name for name in changed if name not in marks]:
            # A mark may name an earlier exercise as the one to mend, which takes that one's mark.
            wanted = left if task.exercises else used_by(submission, left)
            read = 2 * (time.process_time() - began)  # here, and by whoever tried it first
            made = self._mark(submission, wanted, read)
            incomplete = made.incomplete
            whole |= made.whole
            for mark in made.marks:
                marks[mark.name] = mark
                # What other exercises' code left no time for is not told of those who wrote it too.
                alike = keys.of(mark.name, mark.name in made.whole).shared(mark)
                if alike and mark.name not in incomplete and self._copies.keep(alike, mark):
                    fresh.append((alike, mark))
        entries, showing = [], Showing()
        sources = {name: _source(submission, name, showing) for name in keys.slices}
        for name in changed:
            mark, key = marks[name], keys.of(name, name in whole)
            # A timeout lasts under no key, as other exercises may have used up the time.
            lasts = mark.verdict is not Verdict.TIMEOUT and name not in incomplete
            code, by = (key.code, settings) if lasts else ("", "")
            entries.append(Entry(code, by, mark, sources[name], key.answer))
        problems = submission.problems
        if not problems and not task.exercises and submission.why_nothing:
            problems = (submission.why_nothing,)
        made_with = (content, settings, not self._setup.trust)
        new = Recorded(task.learner, *made_with, problems, tuple(entries), kept)
        return TaskResult(task.learner, new, fresh=tuple(fresh))

    def _known(self, keys: Keys, names: Iterable[str]) -> tuple[dict[str, Mark], set[str]]:
        """Marks of the same code that have been made already; which depend on all handed in."""
        whole = self._copies.of({name: keys.wholes[name].alike for name in names})
        marks = self._copies.of({name: keys.slices[name].alike for name in names})
        marks |= self._copies.of({name: keys.slices[name].if_right for name in names})
        return {**whole, **marks}, whole.keys() - marks.keys()

    def learn(self, copies: Iterable[Any]) -> None:
        """Marks that other jobs have made, as answers hold them."""
        for key, cells, mark in copies:
            self._copies.keep(CanonicalKey(key, tuple(cells)), mark_from_json(mark))

    def clone(self) -> Source | None:
        """A zygote for a fork's desk, from that of this one's examiner, if it has one."""
        from ..wall.zygote_client import ZygoteDied

        try:
            return self._examiner.zygote.clone() if self._examiner else None
        except ZygoteDied:
            return None

    def go_on_with(self, clone: Source | None, place: int) -> None:
        """In the fork of this number: what was the parent's stays the parent's."""
        from ..wall.zygote_client import ZygoteDied

        self._examiners, self._ready = 1, nothing
        self._reader = self._readers[place]
        self._stack.pop_all()
        examiner, self._examiner = self._examiner, None
        if examiner is not None and clone is not None:
            try:
                examiner.go_on_with(clone)
            except ZygoteDied:
                return  # the next mark starts an examiner
            self._examiner = self._stack.enter_context(examiner)

    def _look_through(self, line: str) -> None:
        """Do all that marking does with a submission's text before it runs any."""
        task = Task.from_json(json.loads(line))
        submission, exercises = _load(task), task.exercises or syllabus().names
        if task.known and task.known.content == content_of(submission):
            return
        keys_of(submission, self._setup.settings, exercises)
        showing = Showing()
        for name in exercises:
            _source(submission, name, showing)
            cut, forbidden = submission.slice(name), syllabus()[name].forbidden
            if cut is not None:
                find(cut, forbidden)
            if not submission.stands_alone(name):
                submission.whole_run(name, {})

    def _mark(self, submission: Submission, exercises: list[str], read: float) -> SubmissionMarks:
        for attempt in range(_TRIES):
            try:
                return self._started().mark(submission, exercises, read)
            except REFUSALS:
                raise
            except Exception:
                self._stack.close()  # whatever state it is in: the next one is fresh
                self._examiner = None
                if attempt + 1 == _TRIES:
                    raise
        raise AssertionError

    def _started(self) -> Examiner:
        if self._examiner is None:
            from ..wall.limits import Limits
            from ..wall.start import begin

            limits, trust = Limits(**self._setup.limits), self._setup.trust  # type: ignore[arg-type]
            try:
                source = begin(not trust, limits, self._examiners)  # gets ready while this does
                from ..marking.examiner import Examiner

                examiner = Examiner(
                    seed=self._setup.seed,
                    draws_by_code=self._setup.draws_by_code,
                    waits_at_random=self._setup.waits_at_random,
                    limits=limits,
                    trust=trust,
                    source=source,
                )
                self._examiner = self._stack.enter_context(examiner)
            except Exception as error:  # that nothing is missing shows in that it starts
                from ..wall.isolation_layers import available

                if not trust and not (ready := available()):
                    raise NoIsolation(ready.why_not) from error
                raise
            # What is there now stays: looking through it again and again takes a fifth of the time,
            # and copies every page of a fork.
            gc.freeze()
            gc.set_threshold(_NEW_OBJECTS)
            gc.enable()
            self._ready()
        return self._examiner


def read_in_time(task: Task) -> Submission:
    """What was handed in; where it takes too long to read, a problem that says so."""
    return _read(task, why_unreadable(lambda: _load(task)))


def _read(task: Task, why_not: str) -> Submission:
    if why_not:
        problems = (f"This hand-in {why_not}.",)
        return Submission(task.learner, frozenset(syllabus().names), (), problems)
    return _load(task)


def _load(task: Task) -> Submission:
    if task.path:
        return with_given(load_submission(task.path, syllabus().names, learner=task.learner))
    return with_given(task.submission())


def _source(submission: Submission, name: str, showing: Showing) -> tuple[Piece, ...]:
    """The learner's own code for an exercise, for the report; else what stands where it broke."""
    cut = submission.slice(name)
    units = () if cut is None else own_code(cut, frozenset(syllabus().names))
    if cut is not None and cut.broken and not units:
        broken, first = cut.broken[0], max(cut.broken[0].line - _AROUND, 1)
        whole = next((c.source for c in submission.cells if c.label == broken.label), "")
        lines = whole.split("\n")[first - 1 : broken.line + _AROUND]
        units = (Unit("\n".join(lines), broken.label, first),) if lines else ()
    return tuple((unit.label, unit.line, unit.code) for unit in showing.of(units))
