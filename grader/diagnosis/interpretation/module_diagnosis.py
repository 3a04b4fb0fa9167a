"""Names the mistake of a failing module: the switch with which the reference gives its answers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from torch import Tensor

from ...candidate.candidate import Candidate, CandidateError, Outcome, Problem
from ...candidate.records import Diagnosis
from ..misconceptions.catalogue import Misconception
from ..misconceptions.observed import (
    CALLED,
    GRADIENT,
    MUTATES,
    NOT_REGISTERED,
    RETURNS_MORE,
    START,
    TENSOR_AS_TRUTH,
    WRONG_DEVICE,
)
from ..one_by_one import Unit
from .behaviour import (
    DROPPERS,
    PLACERS,
    chance_turn,
    dropout_turn,
    fresh_norm,
    held_loosely,
    observed,
    on_one_device,
    plain_tensors,
)
from .epsilons import with_right_epsilon
from .evidence import Evidence
from .module_subject import ModuleSubject
from .saturated_scores import STACKS, weak_fill
from .search import interpret, readings_of
from .several import several
from .shapes import explaining_shape
from .single_token import may_explain
from .sizes import LAYER

_FEW_READINGS = 4  # where several mistakes are tried together
_READINGS, _FEW = 32, 12  # tried for each switch; where several layers make a reading dear
_LIKELY = 16  # misconceptions that are also tried in pairs
_OFTEN_WITH_OTHERS = ("relu",)  # PyTorch's own layer has it: tried with every other one
# They may hide all that a softmax runs over: nan where it is hidden by -inf, equal weights where
# it is hidden by a large number, as most code does, and none in PyTorch's own attention.
# Where that is added to the scores, gradients flow through them.
_NONE = frozenset({"hidden_rows_zero"})
_PREFERRED = frozenset({"full_rows_seen"})  # a large number is added to what should be hidden
_LARGE_NUMBER, _ADDED = frozenset({"finite_fill"}), frozenset({"fill_added"})
_INVERTED = ("mask_inverted", "memory_mask_inverted", "attention_mask_inverted")
_HIDING_ALL = (
    *(
        "softmax_over_queries",
        "softmax_over_heads",
        "softmax_over_batch",
        "mask_over_queries",
        "log_softmax",
    ),
    *("causal_without_self", *_INVERTED),
)
_WAYS_TO_INVERT = (_LARGE_NUMBER, _NONE, _PREFERRED)
_HALF = LAYER.hidden // 2
_CRASHES = {  # how what values tell too fails at our sizes: sines and cosines for an odd width
    "sinusoidal_positions": rf"size of the tensor \({_HALF}\) must match the existing size "
    rf"\({LAYER.hidden - _HALF}\)",
}
# Of what a call looks up or lines up; a constructor that raises the same makes another mistake.
_OF_CALLS = {"position_out_of_range", "position_table_whole", "keepdim_missing"}
# So many tensors come before a mask; where there is none, more than any call has.
_BEFORE_MASK = {
    **dict.fromkeys(("CrossAttention", "TransformerDecoderLayer"), 2),
    **dict.fromkeys(("Embeddings", "FeedForward", "LayerNorm", "Pooler", "AdditiveScores"), 9),
}
_OTHER_WAYS: dict[str, tuple[frozenset[str], ...]] = {
    **dict.fromkeys(_HIDING_ALL, (_LARGE_NUMBER, _NONE)),
    **dict.fromkeys(_INVERTED, _WAYS_TO_INVERT),
    "attention_mask_inverted": (*_WAYS_TO_INVERT, _LARGE_NUMBER | {"no_mask_hides_all"}),
    "no_mean": (frozenset({"norm_without_shift"}),),  # as RMSNorm is mostly written
    "cosine": (frozenset({"cosine_scaled"}),),  # cosines are seldom divided once more
    "causal_without_self": (
        _LARGE_NUMBER,
        frozenset({"first_row_hidden"}),
        frozenset({"first_row_hidden", "hidden_rows_zero"}),
    ),
    "causal_reversed": tuple(
        frozenset({"last_row_hidden", *more})
        for more in ((), ("finite_fill",), ("hidden_rows_zero",))
    ),
    "always_causal": (frozenset({"causal_unless_masked"}),),
    "merge_features_first": (frozenset({"heads_in_front"}),),
    "dense_in_front": tuple(frozenset({f"pooled_{f}"}) for f in ("tanh", "relu", "gelu")),
    "pool_max": (frozenset({"pooled_late"}),),  # of what the linear map gives
    "token_types_swapped": (frozenset({"default_type_one"}),),  # where none are given too
    "norm_once_more": (frozenset({"norm_of_its_own"}),),  # with numbers of its own
}


def diagnose_module(
    subject: ModuleSubject, candidate: Candidate, seed: int
) -> tuple[Diagnosis, ...]:
    """The misconceptions that the candidate behaves like, on every input and in its gradients."""
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError as error:
        turn = by_error(subject, error.problem)
        return () if turn is None else (said(turn),)
    shown = _behaviour(subject, candidate, evidence)
    found = (*shown, *_code(subject, candidate, evidence))
    if WRONG_DEVICE in found and not shown and interpret(subject, evidence) is None:
        return ()  # a lesser mistake alone would hide what makes the answers wrong
    return tuple(said(turn) for turn in dict.fromkeys(found))


def _behaviour(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence
) -> tuple[Misconception, ...]:
    if evidence.problem is not None:
        turn = by_error(subject, evidence.problem)
        return _by_values(subject, evidence) if turn is None else (turn,)
    outcomes = [outcome for outcome in evidence.outcomes if isinstance(outcome, Outcome)]
    if any(isinstance(outcome.value, list | tuple | dict) for outcome in outcomes):
        return (RETURNS_MORE,)
    if any(not isinstance(outcome.value, Tensor) for outcome in outcomes):
        return ()
    if not evidence.is_steady:
        turn = chance_turn(evidence)
        return () if turn is None else (turn,)
    mutates = (MUTATES,) if any(outcome.mutated for outcome in outcomes) else ()
    shaped = explaining_shape(subject, evidence)
    right = None if shaped is not None else interpret(subject, evidence)
    if right is None:
        return (*_by_values(subject, evidence, shaped), *mutates)
    if not right.gradients_agree and not mutates and not held_loosely(evidence):
        return (GRADIENT,)
    turns = [weak_fill(subject, evidence, right)] if subject.exercise in STACKS else []
    if subject.exercise in DROPPERS:
        turns.append(dropout_turn(subject, candidate, evidence, right))
    mutates = (*mutates, *(turn for turn in turns if turn is not None))
    if subject.exercise == "LayerNorm" and not fresh_norm(evidence, right):
        return (START, *mutates)
    return mutates


def _code(
    subject: ModuleSubject, candidate: Candidate, evidence: Evidence
) -> tuple[Misconception, ...]:
    """Mistakes that no value shows."""
    if held_loosely(evidence) or plain_tensors(subject, evidence):
        return (NOT_REGISTERED,)
    if not evidence.is_steady:
        return ()  # what is made anew in every call is made on the CPU too
    if subject.exercise in PLACERS and not on_one_device(subject, candidate, evidence):
        return (WRONG_DEVICE,)
    return ()


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
            return CALLED
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


def _by_values(
    subject: ModuleSubject, evidence: Evidence, shaped: Sequence[Misconception] | None = None
) -> tuple[Misconception, ...]:
    """By what the reference answers with switches; `shaped`: only these explain a wrong shape."""
    turns = [turn for turn in subject.misconceptions if turn.error is None]
    single = readings_of(subject, evidence, frozenset()).settled if evidence.single else None

    def possible(*some: Misconception) -> bool:
        mistakes = frozenset(turn.id for turn in some)
        return single is None or may_explain(mistakes, single)

    most = _FEW if subject.is_deep else _READINGS
    for turn in turns if shaped is None else shaped:
        if possible(turn) and any(_fits_somehow(subject, evidence, on, most) for on in _ways(turn)):
            return with_right_epsilon(subject, evidence, (turn,), most)
    found = _several(subject, evidence, turns, shaped)
    if found:
        return found
    often = [turn for turn in turns if turn.id in _OFTEN_WITH_OTHERS]
    pairs = (*itertools.combinations(turns[:_LIKELY], 2), *itertools.product(often, turns))
    for one, other in pairs:
        if one is other:
            continue
        if shaped is not None and one not in shaped and other not in shaped:
            continue
        if possible(one, other) and _fits(subject, evidence, frozenset({one.id, other.id}), 1):
            return with_right_epsilon(subject, evidence, (one, other), 1)
    return ()


def _several(
    subject: ModuleSubject,
    evidence: Evidence,
    turns: Sequence[Misconception],
    shaped: Sequence[Misconception] | None,
) -> tuple[Misconception, ...]:
    """Several mistakes, found one after the other."""
    if evidence.problem is not None:
        return ()
    units = [Unit(turn.id, on) for turn in turns for on in _ways(turn)]
    starts = [unit for unit in units if shaped and unit.name in {turn.id for turn in shaped}]
    if shaped is not None and not starts:
        return ()

    def fits(on: frozenset[str]) -> bool:
        return _fits_somehow(subject, evidence, on, _FEW_READINGS)

    names = several(subject, evidence, units, starts, fits)
    found = tuple(turn for turn in turns if turn.id in names)
    return with_right_epsilon(subject, evidence, found, _FEW_READINGS) if found else ()


def _ways(turn: Misconception) -> Iterator[frozenset[str]]:
    """The switch of a mistake, and the other shapes that it has where all is hidden."""
    yield frozenset({turn.id})
    for more in _OTHER_WAYS.get(turn.id, ()):
        yield more | {turn.id}


def _fits_somehow(
    subject: ModuleSubject, evidence: Evidence, on: frozenset[str], most: int
) -> bool:
    """Whether a mistake fits, be what hides put in place of the scores or added to them."""
    found = interpret(subject, evidence, on, most)
    if found is None or found.gradients_agree or not on & set(_HIDING_ALL):
        return found is not None and found.gradients_agree
    return _fits(subject, evidence, on | _ADDED, most)


def _fits(subject: ModuleSubject, evidence: Evidence, on: frozenset[str], most: int) -> bool:
    found = interpret(subject, evidence, on, most)
    return found is not None and found.gradients_agree


def said(turn: Misconception) -> Diagnosis:
    """A misconception, as the learner is told of it."""
    return Diagnosis(turn.id, turn.explanation, turn.question)
