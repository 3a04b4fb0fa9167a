"""Which mistakes a module's answers are those of: the switches that give them, one or several."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import partial

import torch

from ..misconceptions.catalogue import Misconception
from ..one_by_one import Trial, WrongTurn, one_by_one
from ..sameness import distance
from .asked_again import with_right_epsilon
from .evidence import Evidence, near
from .layouts import IMPOSSIBLE, LAYOUT_SWITCHES, evaluate
from .module_subject import ModuleSubject, Switches
from .search import interpret, readings_of

_MOST_TRIED, _MOST_OF_STACKS = 3000, 500
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
    *("softmax_over_queries", "softmax_over_heads", "softmax_over_batch", "mask_over_queries"),
    *("log_softmax", "causal_without_self", *_INVERTED),
)
_WAYS_TO_INVERT = (_LARGE_NUMBER, _NONE, _PREFERRED)
_OTHER_WAYS: dict[str, tuple[Switches, ...]] = {
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
# What a single token hides: it attends to itself alone, with weight 1, and no mask is given with
# it. What does show there cannot be what is wrong where a single token comes out right.
UNSEEN = frozenset(
    {
        *("unscaled", "scaled_by_model_root", "scaled_by_width", "scaled_by_model"),
        *("scaled_by_heads_root", "scaled_by_root_of_keys", "scaled_by_keys", "scaled_by_eight"),
        *("scaled_by_fourth_root", "scale_multiplied", "cosine", "absolute_scores", "relu_scores"),
        *("heads_mixed_in_scores", "softmax_over_queries", "softmax_twice", "weights_transposed"),
        *("scores_transposed", "split_without_transpose", "merge_without_transpose"),
        *("both_views_wrong", "always_causal", "mask_ignored", "mask_inverted"),
        *("mask_over_queries", "mask_of_first_row", "mask_of_first_query", "mask_added"),
        *("mask_after_softmax", "mask_fills_zero", "mask_fills_minus_ten"),
        *("mask_fills_minus_one", "mask_fills_tiny", "mask_not_passed", "mask_only_in_first_layer"),
        *("attention_mask_inverted", "attention_mask_over_queries"),
        *("memory_mask_ignored", "memory_mask_inverted"),
        *("not_causal", "causal_reversed", "causal_one_ahead"),
        *("pool_last", "pool_mean", "pool_masked_mean", "pool_max", "pool_sum", "pool_last_real"),
        *("positions_reversed", "positions_all_first", "token_types_ignored"),
        *("cross_queries_from_memory", "cross_keys_from_hidden", "norm_over_sentence"),
    }
)
EITHER = LAYOUT_SWITCHES | {
    "causal_without_self",  # nan
    "gelu_tanh",  # within the tolerance or not
    # As one form or another has it.
    "merge_features_first",
    "token_types_swapped",
}


def by_values(
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
        if one is other or (shaped is not None and one not in shaped and other not in shaped):
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
    """Several mistakes that together give every answer, found one after the other.

    The single token comes first, on which most mistakes of an attention do not show; then inputs
    without a mask, then those with one.
    """
    ways = [WrongTurn(turn.id, on) for turn in turns for on in _ways(turn)]
    starts = [way for way in ways if shaped and way.name in {turn.id for turn in shaped}]
    if evidence.problem is not None or (shaped is not None and not starts):
        return ()
    asked = [*([evidence.single] if evidence.single else []), *evidence.asked]
    asked.sort(key=lambda pair: len(pair[0].args))
    cases = [(probe, answer.value) for probe, answer in asked if answer.value is not None]

    def error(on: Switches, case: int) -> float:
        probe, value = cases[case]
        got = subject.focused(value, probe)
        _, roles = next(readings_of(subject, evidence, on).first(1), (None, None))
        if roles is None:
            return math.inf
        try:
            with torch.no_grad():
                expected = subject.run(roles, *probe.args, on=on, **probe.kwargs)
        except IMPOSSIBLE:
            return math.inf
        expected = subject.focused(expected, probe)
        return 0.0 if near(got, expected, subject.tolerance) else distance(expected, got)

    fits = partial(_fits_somehow, subject, evidence, most=_FEW_READINGS)

    def minimal(on: Switches) -> bool:
        return fits(on) and not any(fits(on - way.switches) for way in ways if way.switches & on)

    most = _MOST_OF_STACKS if subject.is_deep else _MOST_TRIED
    names = one_by_one(Trial(ways, len(cases), error, minimal, most), starts)
    found = tuple(turn for turn in turns if turn.id in names)
    return with_right_epsilon(subject, evidence, found, _FEW_READINGS) if found else ()


def _ways(turn: Misconception) -> Iterator[Switches]:
    """The switch of a mistake, and the other shapes that it has where all is hidden."""
    yield frozenset({turn.id})
    for more in _OTHER_WAYS.get(turn.id, ()):
        yield more | {turn.id}


def _fits_somehow(subject: ModuleSubject, evidence: Evidence, on: Switches, most: int) -> bool:
    """Whether a mistake fits, be what hides put in place of the scores or added to them."""
    found = interpret(subject, evidence, on, most)
    if found is None or found.gradients_agree or not on & set(_HIDING_ALL):
        return found is not None and found.gradients_agree
    return _fits(subject, evidence, on | _ADDED, most)


def _fits(subject: ModuleSubject, evidence: Evidence, on: Switches, most: int) -> bool:
    found = interpret(subject, evidence, on, most)
    return found is not None and found.gradients_agree


def may_explain(mistakes: frozenset[str], right: bool) -> bool:
    """Whether one or several may be what is wrong; `right`: a reading is right for one token."""
    if mistakes & EITHER:
        return True
    return mistakes <= UNSEEN if right else not mistakes <= UNSEEN


def explaining_shape(subject: ModuleSubject, evidence: Evidence) -> list[Misconception] | None:
    """The mistakes that may explain the shape of the first answer; None where it is right.

    None as well where it cannot be told, for no reading of the parameters is found.
    """
    first = evidence.answers[0].value
    parts = next(subject.layouts(evidence.parts, frozenset()), None)
    if first is None or parts is None:
        return None

    def is_possible(on: Switches = frozenset()) -> bool:
        """Whether that is its shape; also where it needs another reading, or has no answer."""
        try:
            with torch.no_grad():
                roles = evaluate(parts, evidence.values)
                expected = subject.run(roles, *evidence.probes[0].args, on=on)
        except IMPOSSIBLE:
            return True
        return expected.shape == first.shape

    if is_possible():
        return None
    turns = [turn for turn in subject.misconceptions if turn.error is None]
    return [turn for turn in turns if is_possible(frozenset({turn.id}))]
