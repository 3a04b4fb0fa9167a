"""split_heads and merge_heads with their wrong turns: right shapes, numbers in wrong places."""

from collections.abc import Callable
from typing import Any

from torch import Generator, Tensor, stack

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, applied, chosen

# From x [batch, seq, hidden] and the heads' number and width.
SPLITS: dict[str, Callable[[Tensor, int, int], Tensor]] = {
    "no_transpose": lambda x, n, d: x.reshape(len(x), n, -1, d),
    "interleaved": lambda x, n, d: x.unflatten(-1, (d, n)).permute(0, 3, 1, 2),
    "not_moved": lambda x, n, d: x.unflatten(-1, (n, d)),
    "features_before_tokens_reshaped": lambda x, n, d: x.mT.reshape(len(x), n, -1, d),
    "counts_exchanged": lambda x, n, d: x.unflatten(-1, (d, n)).transpose(1, 2),
    "sequence_cut": lambda x, n, d: x.reshape(len(x), n, x.shape[1] // n, x.shape[2]),
    "repeated": lambda x, n, d: x.unsqueeze(1).expand(-1, n, -1, -1),
    "last_axis_kept": lambda x, n, d: x.unflatten(-1, (d, n)),
    "batch_and_tokens": lambda x, n, d: x.unflatten(-1, (n, d)).transpose(0, 1),
    "stacked_as_batch": lambda x, n, d: stack(x.split(d, -1)).reshape(len(x), n, -1, d),
    "as_it_came": lambda x, n, d: x,
}
SPLIT_LATER: dict[str, Callable[[Tensor], Tensor]] = {
    "heads_first": lambda x: x.transpose(0, 1),
    "features_before_tokens": lambda x: x.transpose(2, 3),
    "reversed": lambda x: x.flip(1),
    "folded": lambda x: x.flatten(0, 1),
}
MERGES: dict[str, Callable[[Tensor], Tensor]] = {  # from [batch, heads, seq, head_dim]
    "no_transpose": lambda x: x.reshape(x.shape[0], x.shape[2], -1),
    "interleaved": lambda x: x.permute(0, 2, 3, 1).flatten(2),
    "wrong_axes": lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
    "not_merged": lambda x: x.transpose(1, 2),
    "along_sequence": lambda x: x.flatten(1, 2),
    "summed": lambda x: x.sum(1),
    "averaged": lambda x: x.mean(1),
    "first_head": lambda x: x[:, 0],
    "all_in_one": lambda x: x.transpose(1, 2).flatten(1),
    "batch_lost": lambda x: x.transpose(1, 2).flatten(2).flatten(0, 1),
}


def split_heads(x: Tensor, num_heads: int, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "one_head" in on:
        num_heads = 1
    split = chosen(SPLITS, on, lambda x, n, d: x.reshape(*x.shape[:2], n, d).transpose(1, 2))
    result = applied(SPLIT_LATER, on, split(x, num_heads, x.shape[-1] // num_heads))
    return list(result.unbind(1)) if "listed" in on else result


def merge_heads(x: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "reversed" in on:
        x = x.flip(1)
    return chosen(MERGES, on, lambda x: x.transpose(1, 2).flatten(2))(x)


def split_probes(generator: Generator) -> tuple[Probe, ...]:
    """Every number once; sizes pairwise different, then some that coincide."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 20), 4), gradient=True),
        Probe((draw(3, 7, 12), 6)),
        Probe((draw(2, 4, 16), 4), label="as many tokens as heads as features in a head"),
        Probe((draw(2, 6, 6), 3), label="a sequence that can be cut as well"),
        Probe((draw(2, 3, 5), 1), label="one head"),
    )


def merge_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then some that coincide."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 4, 3, 5),), gradient=True),
        Probe((draw(3, 2, 7, 6),)),
        Probe((draw(2, 4, 4, 4),), label="as many heads as tokens as features"),
        Probe((draw(2, 1, 3, 5),), label="one head"),
    )


SUBJECTS = (
    FunctionSubject("split_heads", split_heads, split_probes),
    FunctionSubject("merge_heads", merge_heads, merge_probes),
)
