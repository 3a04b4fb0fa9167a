"""What can be said of a function that no known wrong turn explains; knows no exercise."""

import itertools
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.message import known, say
from ..candidate.records import Diagnosis
from ..candidate.seeds import generator_for
from .function_answers import FunctionAnswers, answers_of
from .growing import Growth, growths
from .misconceptions.catalogue import Misconception, misconceptions, told
from .misconceptions.function_subject import FunctionSubject, as_it_is
from .misconceptions.observed import (
    AXES_MOVED,
    FROM_SOME_LENGTH,
    GRADIENTS_OFF,
    HALF_PRECISION,
    MUTATES,
    OTHER_EXCEPTION,
)
from .patterns import close
from .probed import Seen

_NARROW = (torch.bfloat16, torch.float16)
_NEARLY = 0.02  # what one of these rounds off, of the largest number, a few times over


@dataclass(frozen=True)
class _Case:
    """One probe, what was found, and what is right."""

    answers: FunctionAnswers
    index: int

    @property
    def found(self) -> Seen:
        return self.answers.found(self.index)

    @property
    def right(self) -> Seen:
        return self.answers.questions.right(self.index)

    @property
    def is_right(self) -> bool:
        """Whether the value is: gradients are another matter."""
        return self.answers.questions.same_value(self.found, self.right, self.index)

    @property
    def has_right_gradients(self) -> bool:
        if any(one is None for one in self.found.grads):  # none at all is another mistake
            return True
        return self.answers.questions.same_gradients(self.found, self.right, self.index)

    @property
    def pair(self) -> tuple[Tensor, Tensor] | None:
        """What was found and what is right, where both are tensors of one kind."""
        one, other = self.found.value, self.right.value
        if not (isinstance(one, Tensor) and isinstance(other, Tensor)):
            return None
        return (one, other) if one.dtype == other.dtype and one.dim() == other.dim() else None


def unforeseen(subject: FunctionSubject, candidate: Candidate, seed: int) -> tuple[Diagnosis, ...]:
    """What holds of all its answers to the probes, or of where they go wrong; at most one thing."""
    if subject.view is not as_it_is or subject.entry is not None:
        return ()
    answers = answers_of(subject, candidate, seed)
    one = _of_all([_Case(answers, index) for index in range(len(answers.questions.probes))])
    if one is not None and one.id in {each.id for each in misconceptions(candidate.exercise)}:
        return ()  # an entry of this name claims more, and did not fit
    if one is not None:
        return told([one])
    edge = next(growths(answers, candidate, generator_for(seed, subject.exercise, "growth")), None)
    return () if edge is None else (_said(edge),)


def _of_all(cases: list[_Case]) -> Misconception | None:
    refused = [each for each in cases if each.right.error]
    cases = [each for each in cases if not each.right.error]
    if any(each.found.error for each in cases):
        return None
    if any(map(_another_exception, refused)):
        return OTHER_EXCEPTION
    if all(each.is_right for each in cases):
        if any(set(each.found.changed) - set(each.right.changed) for each in cases):
            return MUTATES
        return None if all(each.has_right_gradients for each in cases) else GRADIENTS_OFF
    pairs = [each.pair for each in cases]
    compared = [pair for pair in pairs if pair is not None]
    if len(compared) < len(pairs):
        return None
    if _are_moved(compared):
        return AXES_MOVED
    return HALF_PRECISION if any(_are_rounded(compared, narrow) for narrow in _NARROW) else None


def _another_exception(case: _Case) -> bool:
    """Whether both raise an error, and of two types."""
    types = [seen.error.partition(":")[0] for seen in (case.found, case.right)]
    return all(types) and types[0] != types[1]


def _are_moved(pairs: list[tuple[Tensor, Tensor]]) -> bool:
    """Whether one order of the axes, and another than the right one, gives all right answers."""
    axes = {right.dim() for _, right in pairs}
    if len(axes) != 1 or max(axes) > 4:
        return False
    return any(
        all(_is_copy(found.permute(order), right) for found, right in pairs)
        for order in itertools.permutations(range(max(axes)))
    )


def _is_copy(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and bool(close(one, other, 1e-4).all())


def _are_rounded(pairs: list[tuple[Tensor, Tensor]], narrow: torch.dtype) -> bool:
    """Whether all numbers that come out fit into 16 bits, and are near the right ones."""
    if not all(right.is_floating_point() and found.shape == right.shape for found, right in pairs):
        return False
    if not all(torch.equal(found, found.to(narrow).to(found.dtype)) for found, _ in pairs):
        return False
    return all(
        bool(close(found, right, _NEARLY, float(right.abs().max())).all())
        for found, right in pairs
        if right.numel()
    )


def _said(edge: Growth) -> Diagnosis:
    (one,) = told([FROM_SOME_LENGTH])
    before, behind = one.explanation.replace("WHERE", edge.where).split("WRONG")
    text = say("{}{}{}", known(before), edge.entries, known(behind))
    return replace(one, explanation=text)
