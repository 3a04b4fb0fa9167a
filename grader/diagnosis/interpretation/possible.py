"""Which mistakes can be what is wrong at all, by an answer's shape and by a single token.

A single token attends to itself alone, with weight 1, and no mask is given with it. So most
mistakes of scores, masks and axes do not show there, and those that do show cannot be what is wrong
where a single token comes out right. It looks at no number.
"""

from __future__ import annotations

import torch

from ..misconceptions.catalogue import Misconception
from .evidence import Evidence
from .layouts import IMPOSSIBLE, LAYOUT_SWITCHES, evaluate
from .module_subject import ModuleSubject, Switches

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
