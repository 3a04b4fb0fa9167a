"""Known wrong turns of looking vectors up by one-hot products."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def embed_one_hot(token_ids: Tensor, table: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        table = table.detach()
    vocab, hidden = table.shape
    ids = token_ids
    if "one_too_high" in on:
        ids = (ids + 1) % vocab
    if "one_too_low" in on:
        ids = (ids - 1) % vocab
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
    result = one_hot @ table
    if "scaled" in on:
        result = result * math.sqrt(hidden)
    if "bias" in on:
        result = result + 1
    if "axes_exchanged" in on:
        result = result.transpose(1, 2)
    if "flattened" in on:
        result = result.flatten(0, 1)
    if "double" in on:
        result = result.double()
    return result


def embed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vocabularies with and without their last id in use; a square table; the table's gradient."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    ids = torch.randint(0, 10, (2, 4), generator=generator)
    return (
        Probe((torch.tensor([[3, 0, 8], [1, 3, 2]]), draw(11, 5)), gradient=True),
        Probe((ids, draw(13, 3))),
        Probe((torch.tensor([[0, 4, 2], [1, 3, 4]]), draw(5, 5)), label="a square table"),
        Probe((torch.tensor([[6, 0, 1], [2, 6, 5]]), draw(7, 4)), label="the last id in use"),
    )


EMBED = (
    Misconception(
        "integer_one_hot",
        "The one-hot vectors are still integers when they meet the table of floats; a matrix "
        "product needs one dtype.",
        "Which dtype does one_hot return, and which does the table have?",
        error=r"(?i)(same dtype|expected scalar type|expected m1 and m2|addmm).*long",
    ),
    Misconception(
        "ids_as_floats",
        "Floats stand where ids are wanted, but an id is an index: only integers can be looked up.",
        "Which dtype must ids have where they choose a row?",
        error=r"one_hot is only applicable to index tensor|tensors used as indices must be long",
    ),
    Misconception(
        "classes_guessed",
        "The number of classes is guessed from the ids that happen to be there, so the one-hot "
        "vectors are too short unless the last word of the vocabulary occurs.",
        "How long must a one-hot vector be if the largest id of the batch is not the last one?",
    ),
    Misconception(
        "classes_from_hidden",
        "The one-hot vectors are as long as a row of the table, not as the table has rows.",
        "Which axis of the table counts the words?",
    ),
    Misconception(
        "table_transposed",
        "The table is transposed: columns are picked instead of rows, which fits only a square "
        "table.",
        "Which axis of the table must meet the one-hot axis in the product?",
    ),
    Misconception(
        "table_reshaped",
        "The table is reshaped on the way, which mixes the numbers of different words.",
        "Does the table need another shape to be multiplied?",
    ),
    Misconception(
        "one_hot_alone",
        "The one-hot vectors come back as they are: they are never multiplied by the table.",
        "How long is the vector that should come back for each token?",
    ),
    Misconception(
        "counted",
        "The vectors of a sentence are summed (a bag of words): the sequence axis is gone.",
        "How many vectors should come back for a sentence of three tokens?",
    ),
    Misconception(
        "averaged",
        "The vectors of a sentence are averaged: the sequence axis is gone.",
        "How many vectors should come back for a sentence of three tokens?",
    ),
    Misconception(
        "one_too_high",
        "Every token gets the row after its own: ids are counted from 1.",
        "Which row of the table belongs to id 0?",
        ways=("last_is_nothing",),
    ),
    Misconception(
        "one_too_low",
        "Every token gets the row before its own: ids are counted from 1.",
        "Which row of the table belongs to id 0?",
        ways=("first_is_nothing",),
    ),
    Misconception(
        "scaled",
        "The vectors are multiplied by √hidden, as the original transformer does and this exercise "
        "does not.",
        "Should the result be, number for number, a row of the table?",
    ),
    Misconception(
        "bias",
        "Something constant is added: the result is not a row of the table.",
        "Should the result be, number for number, a row of the table?",
    ),
    Misconception(
        "axes_exchanged",
        "Features and tokens are exchanged: [batch, hidden, seq].",
        "Which axis should come last?",
    ),
    Misconception(
        "flattened",
        "Batch and sequence are folded into one axis.",
        "How many axes should the result have?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, not in the table's dtype.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the table: it could never be learned.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECTS = (FunctionSubject("embed_one_hot", embed_one_hot, embed_probes, EMBED),)
