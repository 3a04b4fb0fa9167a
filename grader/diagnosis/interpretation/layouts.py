"""What layouts are made of, and which switches change them; knows no values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .held import Held, Values

Parts = dict[str, Any]
# What a reading raises that does not even go through the mathematics.
IMPOSSIBLE = (RuntimeError, IndexError, KeyError, ValueError, TypeError)


@dataclass(frozen=True)
class Sizes:
    """What a config asks for; all pairwise different, so that a wrong axis cannot pass."""

    hidden: int
    heads: int
    width: int
    intermediate: int


FEWER_NORMS = {
    *("no_norms", "no_attention_norm", "no_cross_attention_norm", "no_feed_forward_norm"),
    *("first_norm_twice", "parallel", "no_feed_forward"),
}
NORMED = {  # by the number of its norms: what a layer has a norm for, in order
    2: ("attention", "feed_forward"),
    3: ("attention", "cross_attention", "feed_forward"),
}


_ROLES = {  # the projections that are left
    "no_output_projection": "qkv",
    "one_projection": "qo",
    **dict.fromkeys(("keys_from_query_projection", "queries_with_queries"), "qvo"),
    **dict.fromkeys(("queries_from_key_projection", "keys_with_keys"), "kvo"),
    **dict.fromkeys(("values_from_key_projection", "values_from_query_projection"), "qko"),
    **dict.fromkeys(("keys_as_values", "queries_as_values"), "qko"),
    **{"q_not_projected": "kvo", "k_not_projected": "qvo", "v_not_projected": "qko"},
}


# What they change stands around the layers of a stack, or is how many of them run.
AROUND_LAYERS = frozenset(
    {
        *("one_layer_less", "one_layer_more", "layers_shared", "final_norm_added"),
        *("no_token_types", "no_positions", "sinusoidal_positions", "no_embedding_norm"),
        *("head_without_bias", "dense_in_front"),
    }
)


# The switches under which parameters are read another way; all others change the mathematics alone.
OF_SCORES = frozenset(
    {
        *(*_ROLES, "heads_shared", "one_key_value_head", "heads_averaged", "heads_summed"),
        *("one_head", "merge_features_first", "no_cross_attention_norm"),
    }
)
LAYOUT_SWITCHES = OF_SCORES | {
    *(*FEWER_NORMS, *AROUND_LAYERS, "inner_four_times", "feed_forward_without_bias"),
    *("norm_without_shift", "norm_without_parameters", "dense_without_bias", "no_v"),
    "norm_of_its_own",
}


def roles_needed(on: frozenset[str]) -> str:
    """The projections that the mathematics needs under these switches."""
    left = [_ROLES[switch] for switch in on & _ROLES.keys()]
    return "".join(role for role in "qkvo" if all(role in each for each in left))


def evaluate(parts: Any, values: Values) -> Any:
    """The numbers of every role of a layout, where parameters have these values."""
    flat: dict[tuple[str, ...], Tensor] = {}  # all parameters one behind the other, once

    def read(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: read(each) for name, each in part.items()}
        if not isinstance(part, Held):
            return [read(each) for each in part]
        if part.names not in flat:
            own = [values[name].flatten() for name in part.names]
            flat[part.names] = torch.cat([torch.zeros(1), *own])
        return flat[part.names].take(part.places).sum(0)

    return read(parts)
