"""embed_one_hot with its wrong turns: which row, which shape, which dtype."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, applied

AFTER: dict[str, Callable[[Tensor], Tensor]] = {
    "scaled": lambda x: x * math.sqrt(x.shape[-1]),
    "bias": lambda x: x + 1,
    "axes_exchanged": lambda x: x.transpose(1, 2),
    "batch_lost": lambda x: x.flatten(0, 1),
    "double": Tensor.double,
}


def embed_one_hot(token_ids: Tensor, table: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    vocab, hidden = table.shape
    ids = (token_ids + int("one_too_high" in on) - int("one_too_low" in on)) % vocab
    classes = -1 if "classes_guessed" in on else hidden if "classes_from_hidden" in on else vocab
    one_hot = F.one_hot(ids, classes).to(table.dtype)
    if "first_is_nothing" in on:  # as where ids are compared with numbers from 1
        one_hot = one_hot.roll(-1, -1) * (ids != 0).unsqueeze(-1)
    if "last_is_nothing" in on:
        one_hot = one_hot.roll(1, -1) * (ids != vocab - 1).unsqueeze(-1)
    if "one_hot_alone" in on:
        return one_hot
    if "counted" in on:
        return one_hot.sum(1) @ table
    if "averaged" in on:
        return one_hot.mean(1) @ table
    if "table_transposed" in on:
        table = table.T
    if "table_reshaped" in on:
        table = table.reshape(hidden, vocab).T
    return applied(AFTER, on, one_hot @ table)


def embed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vocabularies with and without their last id in use; a square table; the table's gradient."""
    draw = standard_normal(generator)
    ids = torch.randint(0, 10, (2, 4), generator=generator)
    return (
        Probe((torch.tensor([[3, 0, 8], [1, 3, 2]]), draw(11, 5)), gradient=True),
        Probe((ids, draw(13, 3))),
        Probe((torch.tensor([[0, 4, 2], [1, 3, 4]]), draw(5, 5)), label="a square table"),
        Probe((torch.tensor([[6, 0, 1], [2, 6, 5]]), draw(7, 4)), label="the last id in use"),
    )


SUBJECTS = (FunctionSubject("embed_one_hot", embed_one_hot, embed_probes),)
