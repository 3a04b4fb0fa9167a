"""Finds the known wrong turns that a function behaves like, on every probe; runs no check."""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..candidate.candidate import Candidate
from .function_answers import FunctionAnswers, answers_of
from .misconceptions.catalogue import Misconception
from .misconceptions.function_subject import FunctionSubject
from .misconceptions.wrong_turns import Turns
from .one_by_one import Hunt, WrongTurn, one_by_one
from .probed import Seen
from .sameness import differing, distance

_MOST_TRIED = 4000
_MOST_THROUGH_HARNESS = 1000  # each of these calls the learner's code many times


def diagnose_function(
    subject: FunctionSubject, candidate: Candidate, seed: int
) -> tuple[Misconception, ...]:
    """The misconception, or up to four of them together, that reproduces it on all probes.

    First what its own exception tells, then one wrong turn, then two, then three or four; empty
    where nothing fits, and where the candidate is right.
    """
    answers = answers_of(subject, candidate, seed)
    probes = answers.questions.probes
    plain = _OnProbes(answers, sum(not probe.aside for probe in probes), candidate.stay_in_time)
    if len(plain.found) < len(probes) and not plain.differs(plain.found):
        plain = _OnProbes(answers, len(probes), candidate.stay_in_time)
    return plain.by_error() or plain.by_behaviour()


class _OnProbes:
    """The candidate's answers to the first probes, and what variants answer to them."""

    def __init__(
        self, answers: FunctionAnswers, most: int, stay_in_time: Callable[[], None]
    ) -> None:
        self.questions = answers.questions
        self.subject = self.questions.subject
        self.stay_in_time = stay_in_time
        self.found = [answers.found(index) for index in range(most)]
        self.right = [self.questions.right(index) for index in range(most)]
        # Cheap probes on which the candidate errs come first: they turn most variants down.
        self.order = sorted(range(most), key=self.rank)

    def by_error(self) -> tuple[Misconception, ...]:
        """What the candidate's exceptions say by themselves."""
        raised = [f"{seen.error}\n{seen.place}" for seen in self.found if seen.error]
        for one in self.subject.misconceptions:
            if one.error and any(re.search(one.error, text) for text in raised):
                return (one,)
        return ()

    def by_behaviour(self) -> tuple[Misconception, ...]:
        """The first wrong turn that does the same everywhere, else two of them, else up to four.

        Where it crashes on some probes, the two are told as far as every pair that fits has them
        and a value shows them; more than two are looked for only where it never crashes.
        """
        if not self.differs(self.found):
            return ()
        silent = [one for one in self.subject.misconceptions if one.error is None]
        ways = {frozenset({way}): one for one in silent for way in (one.id, *one.ways)}
        fits = next(filter(self.fits, ways), None)
        if fits is not None:
            return (ways[fits],)
        if all(seen.error for seen in self.found):  # of two, each has to show in a value
            return ()
        fitting = self.pairs(silent)
        first = next(fitting, ())
        if not any(seen.error for seen in self.found):
            return tuple(first or self.several(silent))
        pairs = [first, *fitting]  # where it crashes, the others are too few to tell all apart
        sure = (one for one in first if all(one in pair for pair in pairs))
        return tuple(one for one in sure if self.is_seen(one, first))

    def pairs(self, silent: Sequence[Misconception]) -> Iterator[Sequence[Misconception]]:
        """The pairs that do the same everywhere, neither of them for nothing."""
        pairs = self.questions.pairs
        if not pairs:
            ids = itertools.combinations([one.id for one in silent], 2)
            pairs.extend(on for on in map(frozenset, ids) if not self.subject.clashes(on))
        for both in self.changing_enough(pairs):
            if self.fits(both) and not self.is_redundant(both):
                yield [one for one in silent if one.id in both]

    def changing_enough(self, pairs: Sequence[Turns]) -> Sequence[Turns]:
        """The pairs that change all that is wrong, each part of an answer that has many.

        Where a harness asks, one answer is enough: to ask takes long, and it has many parts.
        """
        names = sorted({name for both in pairs for name in both})
        wanted: set[Any] = set()
        changed: dict[str, set[Any]] = {name: set() for name in names}
        for index in self.order[:1] if self.subject.entry else self.order:
            found, right = self.found[index], self.right[index]
            if found.error or right.error or self.questions.same_value(found, right, index):
                continue
            wanted |= {(index, part) for part in differing(found.value, right.value)}
            for name in names:
                one = self.questions.play(frozenset({name}), index, with_gradient=False)
                if one.error or not self.questions.same_value(one, right, index):
                    parts = differing(found.value if one.error else one.value, right.value)
                    changed[name] |= {(index, part) for part in parts}
        return [both for both in pairs if wanted <= set().union(*(changed[each] for each in both))]

    def several(self, silent: Sequence[Misconception]) -> Sequence[Misconception]:
        """Three or four that together do the same everywhere, found one after the other."""
        probes = self.questions.probes
        order = sorted(range(len(self.found)), key=lambda index: len(probes[index].args))
        hunt = Hunt(
            [WrongTurn(one.id, frozenset({way})) for one in silent for way in (one.id, *one.ways)],
            len(order),
            lambda on, case: self.error(on, order[case]),
            lambda on: self.fits(on) and not self.is_redundant(on),
            _MOST_TRIED if not self.subject.entry else _MOST_THROUGH_HARNESS,
        )
        names = one_by_one(hunt)
        return [one for one in silent if one.id in names]

    def error(self, on: Turns, index: int) -> float:
        """How far the variant's answer to one probe is from the candidate's; 0 where it is that."""
        if self.subject.clashes(on):
            return math.inf
        variant = self.questions.play(on, index, with_gradient=False)
        if variant.error:
            return math.inf
        if self.questions.same_value(self.found[index], variant, index):
            return 0.0
        return distance(variant.value, self.found[index].value)

    def is_seen(self, one: Misconception, pair: Sequence[Misconception]) -> bool:
        """Whether a value shows it, and not an exception alone."""
        both = frozenset(each.id for each in pair)
        return any(
            not found.error and not self.changes_nothing(one.id, both, index)
            for index, found in enumerate(self.found)
        )

    def fits(self, on: Turns) -> bool:
        """The variant does what the candidate does on every probe, and proves it on one."""
        self.stay_in_time()
        shown = False
        for index in self.order:
            found = self.found[index]
            if not self.value_fits(on, index):
                return False
            variant = self.questions.play(on, index)
            if not self.explains(variant, found, index):
                return False
            if not shown and not self.questions.alike(self.right[index], variant, index):
                # Two exceptions are alike by chance; the same words are evidence.
                shown = not found.error or variant.error == found.error
        return shown

    def value_fits(self, on: Turns, index: int) -> bool:
        """False where the value alone, which is cheaper, turns the variant down."""
        found = self.found[index]
        if self.questions.cotangents[index] is None or found.error:
            return True
        variant = self.questions.play(on, index, with_gradient=False)
        return not variant.error and self.questions.same_value(found, variant, index)

    def rank(self, index: int) -> tuple[bool, bool]:
        """Smaller for probes that are better asked first: wrong answers, without gradients."""
        right = self.questions.alike(self.found[index], self.right[index], index)
        return right, self.questions.probes[index].gradient

    def is_redundant(self, on: Turns) -> bool:
        """Whether one of these wrong turns changes nothing where the others are taken."""
        return any(
            all(self.changes_nothing(one, on, index) for index in range(len(self.found)))
            for one in on
        )

    def changes_nothing(self, one: str, on: Turns, index: int) -> bool:
        """Whether one probe has the same answer without this one of them."""
        every, less = self.questions.play(on, index), self.questions.play(on - {one}, index)
        return self.questions.alike(less, every, index)

    def differs(self, seen: list[Seen]) -> bool:
        """Is there a probe on which it is not as the reference?"""
        return any(
            not self.questions.alike(each, self.right[index], index)
            for index, each in enumerate(seen)
        )

    def explains(self, variant: Seen, found: Seen, index: int) -> bool:
        """Do both do the same, but that the candidate may change more?"""
        if set(variant.changed) < set(found.changed):
            found = replace(found, changed=variant.changed)
        return self.questions.alike(found, variant, index)
