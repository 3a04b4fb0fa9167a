"""Which mistakes a module's answers are those of: the switches that give them, one or several."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import torch

from ..misconceptions.catalogue import Misconception
from ..misconceptions.function_subject import Probe
from ..misconceptions.switches import NONE
from ..one_by_one import Trial, WrongTurn, one_by_one
from ..sameness import distance, near
from .asked_again import hold_where_mild, with_right_epsilon
from .evidence import Answer, Evidence
from .layouts import IMPOSSIBLE, LAYOUT_SWITCHES, OF_SCORES
from .module_subject import ModuleSubject, Switches
from .search import expected, first_wrong, interpret, readings_of

_MOST_TRIED, _MOST_OF_STACKS = 500, 200
_FEW_READINGS = 4  # where several mistakes are tried together
_READINGS, _FEW = 32, 12  # tried for each switch; where several layers make a reading dear
_OFTEN_WITH_OTHERS = ("relu",)  # PyTorch's own layer has it
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
# What shows only where a mask or token types are given; in a decoder a mask always is.
OF_MEMORY = frozenset({"memory_mask_ignored", "memory_mask_inverted"})
GIVEN = OF_MEMORY | {
    *("mask_ignored", "mask_inverted", "mask_over_queries", "mask_of_first_row"),
    *("mask_of_first_query", "mask_added", "mask_after_softmax", "mask_fills_zero"),
    *("mask_fills_minus_ten", "mask_fills_minus_one", "mask_fills_tiny", "mask_not_passed"),
    *("mask_only_in_first_layer", "attention_mask_over_queries", "token_types_ignored"),
}
# What a single token hides: it attends to itself alone, with weight 1, and no mask is given with
# it. What does show there cannot be what is wrong where a single token comes out right.
UNSEEN = GIVEN | {
    *("unscaled", "scaled_by_model_root", "scaled_by_width", "scaled_by_model"),
    *("scaled_by_heads_root", "scaled_by_root_of_keys", "scaled_by_keys", "scaled_by_eight"),
    *("scaled_by_fourth_root", "scale_multiplied", "cosine", "absolute_scores", "relu_scores"),
    *("heads_mixed_in_scores", "softmax_over_queries", "softmax_twice", "weights_transposed"),
    *("scores_transposed", "split_without_transpose", "merge_without_transpose"),
    *("both_views_wrong", "always_causal"),
    *("not_causal", "causal_reversed", "causal_one_ahead"),
    *("pool_last", "pool_mean", "pool_masked_mean", "pool_max", "pool_sum", "pool_last_real"),
    *("positions_reversed", "positions_all_first"),
    *("cross_queries_from_memory", "cross_keys_from_hidden", "norm_over_sentence"),
}
EITHER = {
    "causal_without_self",  # nan
    "gelu_tanh",  # within the tolerance or not
    # As one form or another has it.
    *("token_types_swapped", "attention_mask_inverted"),
}
Shaped = Callable[[Misconception], bool]  # whether one may explain a shape, or an exception


def by_values(
    subject: ModuleSubject, evidence: Evidence, shaped: Shaped | None = None
) -> tuple[Misconception, ...]:
    """By what the reference answers with switches; `shaped`: only these explain a wrong shape."""
    turns = [turn for turn in subject.misconceptions if turn.error is None]
    if not evidence.cases:
        return ()
    usual = _FEW if subject.is_deep else _READINGS
    case = first_wrong(subject, evidence)
    likely = [turn for turn in turns if may_show(subject, evidence, turn.id, case)]
    for turn in likely if shaped is None else filter(shaped, likely):
        most = _FEW_READINGS if subject.is_deep and turn.id in LAYOUT_SWITCHES else usual
        if any(_fits_somehow(subject, evidence, on, most) for on in _ways(turn)):
            return with_right_epsilon(subject, evidence, (turn,), most)
    return _several(subject, evidence, turns, shaped)


def may_show(subject: ModuleSubject, evidence: Evidence, name: str, case: int | None) -> bool:
    """Whether a mistake may be what makes a case wrong where those before it are right."""
    if evidence.single is None or name in EITHER:
        return True
    if not case:
        return name in LAYOUT_SWITCHES or (case == 0 and name not in UNSEEN)
    if len(evidence.cases[case][0].args) > len(evidence.cases[0][0].args):
        return name in GIVEN
    given = OF_MEMORY if subject.exercise == "TransformerDecoderLayer" else GIVEN
    return name in OF_SCORES or name in UNSEEN - given


def _several(
    subject: ModuleSubject,
    evidence: Evidence,
    turns: Sequence[Misconception],
    shaped: Shaped | None,
) -> tuple[Misconception, ...]:
    """Several mistakes that together give every answer, found one after the other.

    The single token comes first, on which most mistakes of an attention do not show; then inputs
    without a mask, then those with one.
    """
    first = sorted(turns, key=lambda turn: turn.id not in _OFTEN_WITH_OTHERS)
    ways = [WrongTurn(turn.id, on) for turn in first for on in _ways(turn)]
    known = {turn.id: turn for turn in turns}
    starts = [way for way in ways if shaped is not None and shaped(known[way.name])]
    if shaped is not None and not starts:
        return ()

    def error(on: Switches, case: int) -> float:
        _, roles = next(readings_of(subject, evidence, on).first(1), (None, None))
        got, found = evidence.cases[case][1], expected(subject, evidence, on, roles, case)
        if found is not None and near(got, found, subject.tolerance):
            return 0.0
        return math.inf if found is None else distance(found, got)

    fit = partial(_fits_somehow, subject, evidence, most=_FEW_READINGS)

    def minimal(on: Switches) -> bool:
        less = (on - way.switches for way in ways if way.switches & on)
        again = fit(on) and hold_where_mild(subject, evidence, on, _FEW_READINGS)
        return again and not any(map(fit, less))

    most = _MOST_OF_STACKS if subject.is_deep else _MOST_TRIED
    shows = partial(may_show, subject, evidence)
    trial = Trial(ways, len(evidence.cases), error, minimal, most, shows)
    names = one_by_one(trial, starts)
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
    if found is not None and not found.gradients_agree and on & set(_HIDING_ALL):
        found = interpret(subject, evidence, on | _ADDED, most)
    return found is not None and found.gradients_agree


def explaining_shape(subject: ModuleSubject, evidence: Evidence) -> Shaped | None:
    """Which mistakes may explain the first answer of a wrong shape, or that there is none.

    None where there is no such answer, and where it cannot be told, for no reading of the
    parameters is found.
    """

    def is_possible(on: Switches, probe: Probe, answer: Answer) -> bool:
        _, roles = next(readings_of(subject, evidence, on).first(1), (None, None))
        try:
            with torch.inference_mode():
                found = subject.run(roles, *probe.args, on=on) if roles is not None else None
        except IMPOSSIBLE:
            return answer.value is None
        return not (answer.value is None or found is None) and found.shape == answer.value.shape

    if not evidence.cases or next(readings_of(subject, evidence, NONE).first(1), None) is None:
        return None
    for case in evidence.asked:
        if not is_possible(NONE, *case):
            return cache(lambda turn, case=case: is_possible(frozenset({turn.id}), *case))
    return None
