"""Wrong implementations that are right in a part: in all numbers but one, for some sizes, masks or
orders. Of each there are two, as a run asks about two; knows no learner.
"""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from solutions.attention_scores import attention_scores
from solutions.multi_head_attention import split_heads
from solutions.softmax import masked_softmax

from ...diagnosis.misconceptions.spotting import Function
from .spot_functions import affine, norm, trie_pieces

Pair = tuple[Function, Function]
LOSSES = ("spot_classification_head", "spot_writing")


def one_too_large(inside: bool, right: Function, *given: Any) -> Tensor:
    """The right answer but for one number, the last of all or one in the middle of every axis."""
    found: Tensor = right(*given).clone()
    number = tuple(size // 2 if inside else size - 1 for size in found.shape)
    found[number] = found[number] + 1 + found[number].abs()
    return found


def listed(order: Callable[[dict[str, int]], Iterable[str]]) -> Function:
    """Takes the piece that stands first in that order of the dictionary, of all that fit."""
    return partial(
        trie_pieces, choose=lambda fit, vocab, _: next(p for p in order(vocab) if p in fit)
    )


def shortest(behind: bool) -> Function:
    """Takes the shortest piece behind the first one, or for the first one alone."""
    return partial(
        trie_pieces, choose=lambda fit, _, pieces: fit[0 if behind == bool(pieces) else -1]
    )


def out_of_all(taken: str, left: str) -> str:
    """What is left of a word without the piece that was taken, wherever it stands."""
    return left.replace(taken, "")


def each_once(word: str, vocab: dict[str, int]) -> list[str]:
    """The right pieces, each where it came first."""
    return [*dict.fromkeys(trie_pieces(word, vocab))]


def as_wide_inside(times: int, x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor) -> Tensor:
    """The right network where it is so many times as wide inside as outside; else numbers are left
    out, or count twice.
    """
    within = torch.arange(times * x.shape[-1]) % len(b)
    return affine(x, w[within], b[within], u[:, within], c)


def as_many_keys(query: Tensor, key: Tensor) -> Tensor:
    """The right scores where there are as many keys as queries; else keys are cut off, or filled up
    with zeros.
    """
    return attention_scores(query, F.pad(key, (0, 0, 0, query.shape[1] - key.shape[1])))


def scores_of_width(width: int, query: Tensor, key: Tensor) -> Tensor:
    """The right scores where the vectors are so wide."""
    return query @ key.mT / math.sqrt(width)


def waves_of_width(width: int, max_len: int, hidden_size: int) -> Tensor:
    """The right table for that hidden_size; for others its waves, cut off or too many."""
    rate = 10000.0 ** (-torch.arange(0, hidden_size, 2) / width)
    angle = torch.outer(torch.arange(max_len).float(), rate)
    return torch.stack((angle.sin(), angle.cos()), 2).flatten(1)


def so_many_heads(count: int, x: Tensor, num_heads: int) -> Tensor:
    """The right heads where there are so many; else that many, if they fit, or an error."""
    return split_heads(x, count)


def unbroadcast(scores: Tensor, mask: Tensor) -> Tensor:
    """The right answer to a mask of the scores' own shape; a smaller one is no index of them."""
    visible = scores.clone()
    visible[mask == 0] = -math.inf
    return visible.softmax(-1)


def mask_for_each(scores: Tensor, mask: Tensor) -> Tensor:
    """The right weights where each sentence has a mask of its own; else an error, or masks of
    queries are taken for those of sentences.
    """
    whole = mask.expand(*mask.shape[:-1], scores.shape[-1])
    return masked_softmax(scores, whole.reshape(len(scores), -1, scores.shape[-1]))


def mask_for_the_first(scores: Tensor, mask: Tensor) -> Tensor:
    """The right weights where each sentence has a mask of its own; else the first alone has it."""
    is_whole = mask.dim() == scores.dim() and len(mask) == len(scores)
    whole = torch.ones_like(scores)
    whole[: None if is_whole else 1] = mask
    return masked_softmax(scores, whole)


def spread_by_tokens(x: Tensor, w: Tensor, b: Tensor, e: float) -> Tensor:
    """The right norm where there are as many tokens as features."""
    times = x.shape[-1] / x.shape[-2]
    return norm(x, w / times**0.5, b, e / times)


SOMETIMES: dict[str, dict[str, Pair]] = {
    "spot_embeddings": {
        "one_hidden_size": (partial(waves_of_width, 512), partial(waves_of_width, 768))
    },
    "spot_attention_scores": {
        "one_width": (partial(scores_of_width, 64), partial(scores_of_width, 16))
    },
    "spot_multi_head_attention": {
        "one_number_of_heads": (partial(so_many_heads, 4), partial(so_many_heads, 8))
    },
    "spot_feed_forward": {
        "inner_as_hidden": (partial(as_wide_inside, 1), partial(as_wide_inside, 4))
    },
    "spot_tokenization": {
        "first_listed": (listed(iter), listed(reversed)),
        "shortest_behind": (shortest(behind=True), shortest(behind=False)),
        "pieces_once": (each_once, partial(trie_pieces, rest=out_of_all)),
    },
    "spot_softmax": {"mask_for_each": (mask_for_each, mask_for_the_first)},
}


def partly(exercise: str, right: Function) -> dict[str, Pair]:
    """Those of an exercise whose solution is `right`: as they are, and the second of the kind."""
    if exercise == "spot_tokenization":
        everywhere: dict[str, Pair] = {}
    elif exercise in LOSSES:
        rest = (lambda x, y: right(x[:-1], y[:-1])), (lambda x, y: right(x[1:], y[1:]))
        everywhere = {"one_left_out": rest}
    else:
        one = partial(one_too_large, False, right), partial(one_too_large, True, right)
        everywhere = {"one_too_large": one}
    return everywhere | SOMETIMES.get(exercise, {})
