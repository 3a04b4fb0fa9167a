"""Names the mistake of a failing module: the edit with which the reference gives its answers."""

import re

from torch import Tensor

from ...candidate.candidate import Candidate, Outcome
from ...candidate.failures import CandidateError, Problem
from ...diagnosis.interpretation.behaviour import chance_turn, held_loosely, observed, on_one_device
from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.module_subject import ModuleSubject
from ...diagnosis.interpretation.search import interpret
from ...diagnosis.misconceptions.catalogue import Misconception
from ...diagnosis.misconceptions.observed import (
    BUFFERED,
    DIGITS_LOST,
    EARLIER_CALL_COUNTS,
    GRADIENT_STOPPED,
    MUTATES,
    NORM_STARTS_ELSEWHERE,
    NOT_REGISTERED,
    RETURNS_MORE,
    SHARED_WITH_ANOTHER,
    TENSOR_AS_TRUTH,
    TOO_MANY_ARGUMENTS,
    WRONG_DEVICE,
)
from .asked_again import (
    loses_digits,
    overflow,
    padded_in_between,
    weak_fill,
    zero_taken_for_padding,
)
from .by_values import by_values, explaining_shape
from .dropout import DROPPERS, dropout_turn
from .own_behaviour import (
    PLACERS,
    depends_on_earlier_calls,
    fresh_norm,
    never_learning,
    shared_with_another,
)
from .sizes import LAYER

_HALF = LAYER.hidden // 2
_CRASHES = {  # how what values tell too fails at our sizes: sines and cosines for an odd width
    "sinusoidal_positions": rf"size of the tensor \({_HALF}\) must match the existing size "
    rf"\({LAYER.hidden - _HALF}\)"
}
# Of what a call looks up or lines up; a constructor that raises the same makes another mistake.
_ASKED_AGAIN = (weak_fill, overflow, padded_in_between, zero_taken_for_padding)
_OF_CALLS = {"position_out_of_range", "position_table_whole", "keepdim_missing"}
# So many tensors come before a mask; where there is none, more than any call has.
_BEFORE_MASK = {
    **dict.fromkeys(("CrossAttention", "TransformerDecoderLayer"), 2),
    **dict.fromkeys(("Embeddings", "FeedForward", "LayerNorm", "Pooler", "AdditiveScores"), 9),
}


def diagnose_module(
    subject: ModuleSubject, candidate: Candidate, seed: int
) -> tuple[Misconception, ...]:
    """The misconceptions that the candidate behaves like, on every input and in its gradients."""
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError as error:
        turn = by_error(subject, error.problem)
        return () if turn is None else (turn,)
    shown = _behaviour(candidate, evidence)
    found = (*shown, *_code(candidate, evidence))
    if shown and found[-1] is BUFFERED:
        found = shown  # what makes the answers wrong has a name
    lesser = found and not shown and found[0] in (WRONG_DEVICE, SHARED_WITH_ANOTHER)
    if lesser and interpret(evidence) is None:
        return ()  # a lesser mistake alone would hide what makes the answers wrong
    return tuple(dict.fromkeys(found))


def _behaviour(candidate: Candidate, evidence: Evidence) -> tuple[Misconception, ...]:
    if evidence.problem is not None:
        turn = by_error(evidence.subject, evidence.problem)
        if turn is not None:
            return (turn,)
        return by_values(evidence, explaining_shape(evidence))
    outcomes = [outcome for outcome in evidence.outcomes if isinstance(outcome, Outcome)]
    if any(isinstance(outcome.value, list | tuple | dict) for outcome in outcomes):
        return (RETURNS_MORE,)
    if any(not isinstance(outcome.value, Tensor) for outcome in outcomes):
        return ()
    if not evidence.is_steady:
        turn = chance_turn(evidence)
        return () if turn is None else (turn,)
    mutates = (MUTATES,) if any(outcome.mutated for outcome in outcomes) else ()
    shaped = explaining_shape(evidence)
    right = None if shaped is not None else interpret(evidence)
    turns = [] if right is None else [ask(right) for ask in _ASKED_AGAIN]
    is_odd = right is None or not right.gradients_agree() or any(turns)
    if is_odd and depends_on_earlier_calls(candidate, evidence):
        return (EARLIER_CALL_COUNTS, *mutates)  # all that shows may come of it
    if right is None:
        return (*by_values(evidence, shaped), *mutates)
    if not right.gradients_agree() and not mutates and not held_loosely(evidence):
        return (GRADIENT_STOPPED,)
    if evidence.subject.exercise in DROPPERS:
        turns.append(dropout_turn(candidate, right))
    mutates = (*mutates, *(turn for turn in turns if turn is not None))
    if evidence.subject.exercise == "LayerNorm":
        if not fresh_norm(evidence, right):
            return (NORM_STARTS_ELSEWHERE, *mutates)
        if loses_digits(evidence):
            return (DIGITS_LOST, *mutates)
    if not mutates and not is_odd and depends_on_earlier_calls(candidate, evidence):
        return (EARLIER_CALL_COUNTS,)
    return mutates


def _code(candidate: Candidate, evidence: Evidence) -> tuple[Misconception, ...]:
    """Mistakes that no value shows."""
    if held_loosely(evidence):
        return (NOT_REGISTERED,)
    if kept := never_learning(candidate, evidence):
        is_moved = all(info.kind == "buffer" for info in kept)
        return (BUFFERED,) if is_moved else (NOT_REGISTERED,)
    if not evidence.is_steady:
        return ()  # what is made anew in every call is made on the CPU too
    if evidence.subject.exercise in PLACERS and not on_one_device(candidate, evidence):
        return (WRONG_DEVICE,)
    return (SHARED_WITH_ANOTHER,) if shared_with_another(candidate, evidence) else ()


def by_error(subject: ModuleSubject, problem: Problem) -> Misconception | None:
    """The misconception that an exception speaks of."""
    raised = f"{problem.type}: {problem.message}"
    for turn in subject.misconceptions:
        pattern = turn.error or _CRASHES.get(turn.id)
        if pattern is None or not re.search(pattern, raised):
            continue
        if problem.where == "construct" and turn.id in _OF_CALLS:
            continue
        if turn.id == "too_many_arguments" and not _is_of(subject.exercise, problem):
            return TOO_MANY_ARGUMENTS
        if turn.id == "mask_as_truth" and len(problem.given) <= _BEFORE_MASK.get(
            subject.exercise, 1
        ):
            return TENSOR_AS_TRUTH
        return turn
    return None


def _is_of(exercise: str, problem: Problem) -> bool:
    """Whether the class itself was called with what it does not take, by no line of its own."""
    methods = (f"{exercise}.{name}()" for name in ("forward", "__init__"))
    return not problem.frames and any(method in problem.message for method in methods)
