"""What a function answers to the probes of its exercise, each asked once, beside what is right."""

from functools import lru_cache

from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.seeds import generator_for
from .latest import Latest
from .misconceptions.function_subject import FunctionSubject
from .misconceptions.wrong_turns import NONE, Turns
from .probed import Seen, asked, cotangent_for, played
from .sameness import rounding_scale, same_gradient, same_value

# Kept for other candidates are so many answers, of no more numbers: what all pairs of wrong turns
# of an exercise answer to one probe, and single ones to all.
_MOST_ANSWERS, _MOST_NUMBERS = 5000, 2000
_MOST_TURNS = 2  # of more at once, hardly anybody else is asked

_Play = tuple[Turns, int, bool]  # a probe by its number, and whether for its gradients too


class Questions:
    """The probes of one seed, the same for every candidate, and what variants answer to them.

    Answers are filled in as far as they are asked for.
    """

    def __init__(self, subject: FunctionSubject, seed: int) -> None:
        generator = generator_for(seed, subject.exercise, "diagnosis")
        self.subject = subject
        self.probes = subject.probes(generator)
        self.cotangents = [cotangent_for(subject, probe, generator) for probe in self.probes]
        self.scales = [rounding_scale(probe) for probe in self.probes]
        self.pairs: list[Turns] = []
        self._right: dict[int, Seen] = {}
        self._played: Latest[_Play, Seen] = Latest(_MOST_ANSWERS)

    def right(self, index: int) -> Seen:
        """What right code does with a probe."""
        if index not in self._right:
            self._right[index] = self.play(NONE, index)
        return self._right[index]

    def play(self, on: Turns, index: int, with_gradient: bool = True) -> Seen:
        """What the reference with these wrong turns does with a probe."""
        cotangent = self.cotangents[index] if with_gradient else None
        key = (on, index, cotangent is not None)
        if key in self._played:
            return self._played[key]
        seen = played(self.subject, self.probes[index], cotangent, on)
        if len(on) <= _MOST_TURNS and not _is_large(seen):
            self._played[key] = seen
        return seen

    def same_value(self, one: Seen, right: Seen, index: int) -> bool:
        """Whether two answers to a probe are equal up to rounding."""
        return same_value(one.value, right.value, self.subject.tolerance, self.scales[index])

    def alike(self, one: Seen, right: Seen, index: int) -> bool:
        """Whether two answers to a probe agree, and their gradients are equal up to rounding."""
        tolerance, scale = self.subject.tolerance, self.scales[index]
        if not agree(one, right, tolerance, scale) or len(one.grads) != len(right.grads):
            return False
        pairs = zip(one.grads, right.grads, strict=True)
        return all(same_gradient(*pair, tolerance, scale) for pair in pairs)


class FunctionAnswers:
    """A candidate's answers to these questions, as far as they are asked for."""

    def __init__(self, candidate: Candidate, questions: Questions) -> None:
        self.questions = questions
        self._candidate = candidate
        self._found: dict[tuple[int, bool], Seen] = {}

    def found(self, index: int) -> Seen:
        """What it answers to a probe, with gradients where the probe asks for them."""
        return self._answer(index, self.questions.cotangents[index])

    def value(self, index: int) -> Seen:
        """The same; without gradients, where it raises with them."""
        seen = self.found(index)
        return self._answer(index, None) if seen.error else seen

    def is_wrong(self, index: int) -> bool:
        """Whether the value is another than that of right code."""
        one, right, known = self.value(index), self.questions.right(index), self.questions
        return not agree(one, right, known.subject.tolerance, known.scales[index])

    def _answer(self, index: int, cotangent: Tensor | None) -> Seen:
        key = index, cotangent is not None
        if key not in self._found:
            self._candidate.stay_in_time()
            probe = self.questions.probes[index]
            self._found[key] = asked(self.questions.subject, self._candidate, probe, cotangent)
        return self._found[key]


@lru_cache(maxsize=100)  # those of all exercises: a class is marked with one seed
def questions_of(subject: FunctionSubject, seed: int) -> Questions:
    """What every candidate of an exercise is asked with a seed."""
    return Questions(subject, seed)


def answers_of(subject: FunctionSubject, candidate: Candidate, seed: int) -> FunctionAnswers:
    """What this candidate answers; kept for as long as its code is the same."""
    questions = questions_of(subject, seed)
    return candidate.once("answers", lambda: FunctionAnswers(candidate, questions), questions)


def agree(one: Seen, right: Seen, tolerance: float, scale: float) -> bool:
    """Whether both raise, or both give the same value and change the same."""
    if one.error or right.error:
        return bool(one.error) == bool(right.error)
    is_same = same_value(one.value, right.value, tolerance, scale)
    return is_same and set(one.changed) == set(right.changed)


def _is_large(seen: Seen) -> bool:
    """Whether it takes so much memory that it is rather worked out again."""
    held = (each.numel() for each in (seen.value, *seen.grads) if isinstance(each, Tensor))
    return sum(held) > _MOST_NUMBERS
